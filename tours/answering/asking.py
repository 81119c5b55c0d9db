"""The web process's part of an answer: known words are answered at once, all others are handed to a worker.

Nothing here understands language: what a question means takes a worker's processor time, or a model's.
"""

from __future__ import annotations

import uuid
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import F

from engine.language import question_locale
from engine.masking import mask
from engine.types import Locale
from organizations.masks import mask_rules
from organizations.models import EndUser, Organization
from organizations.workers import send_after_commit
from skills.routes import path_clean
from skills.selectors import skills_for_path
from tours.answering.reusing import Known, known_for_words
from tours.answering.shown import has_shown
from tours.answering.words import normalize
from tours.models import Question, Tour
from tours.selectors import leading

# How often a question looks for another to join before it is answered by itself.
ROUNDS = 3


def question_ask(
    *, organization: Organization, end_user: EndUser, text: str, route: str, page_title: str, locale: Locale
) -> Question:
    """Keep a question and, when these very words were answered on this page before, their answer.

    A published tour comes first, then one that this end user was given. Otherwise the question stays ``waiting``, and
    a worker is called after commit unless one is already answering these words.
    Personal data in the text, and what the organization hides of its own, is masked before it is stored.
    ``locale`` is the page's language; a question clearly written in the other one is answered in its own.
    Raises ``ServiceError`` (``invalid_route``).
    """
    path = path_clean(route)
    masks = mask_rules(organization)
    question = Question(
        organization=organization,
        end_user=end_user,
        text=mask(text.strip(), masks)[:300],
        # What matches a page is the path as it is; what is kept of it says nothing personal.
        route=mask(path, masks),
        page_title=mask(page_title, masks)[:300],
        locale=question_locale(text, locale),
        outcome=Question.Outcome.WAITING,
    )
    question.normalized = normalize(question.text)
    skills = skills_for_path(path)
    question.page_skill = next(iter(skills), None)
    known = known_for_words(question, skills)
    if known is not None:
        _answer_with(question, known)
    elif not skills and not has_shown(question.locale):
        question.outcome = Question.Outcome.UNKNOWN_PAGE
        question.latency_ms = 0
    with transaction.atomic():
        if question.outcome == Question.Outcome.WAITING:
            _keep_waiting(question)
        else:
            question.save(force_insert=True)
            if question.tour_id is not None:
                Tour.objects.filter(pk=question.tour_id).update(asked_count=F("asked_count") + 1)
    return question


def _keep_waiting(question: Question) -> None:
    """Keep a question that has to be answered: beside the one with the same words that is being answered, if one is.

    The same words asked by many in the same moment are answered once. Whether one is being answered is decided by a
    lock on its row: its worker, which finishes it, either finds this one beside it or was faster.
    """
    for _ in range(ROUNDS):
        leader = leading(question).select_for_update(no_key=True).first()
        if leader is not None:
            question.save(force_insert=True)
            return
        question.leads = True
        try:
            with transaction.atomic():
                question.save(force_insert=True)
        except IntegrityError:
            # Somebody with the same words was faster: theirs can be joined.
            question.leads = False
            continue
        break
    else:
        question.save(force_insert=True)
    send_after_commit(partial(_enqueue, question.pk))


def _answer_with(question: Question, known: Known) -> None:
    question.page_skill = known.asked
    question.outcome = known.outcome
    question.tour = known.tour
    question.tour_version = known.version
    question.latency_ms = question.elapsed_ms()


def _enqueue(question_id: uuid.UUID) -> None:
    # Imported late: the task module imports the worker's part, which imports this room's models.
    from tours.tasks import answer_question

    answer_question.delay(str(question_id))
