"""The web process's part of an answer: what can be reused is given at once, the rest is handed to a worker."""

from __future__ import annotations

import uuid
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import F

from engine.language import question_locale
from engine.masking import mask
from engine.service import plan_intents
from engine.types import Locale
from organizations.masks import mask_rules
from organizations.models import EndUser, Organization
from organizations.workers import send_after_commit
from skills.models import PageSkill
from skills.routes import path_clean
from skills.selectors import engine_page, skills_for_path
from tours.answering.words import normalize
from tours.models import Question, Tour, TourVersion
from tours.selectors import (
    granted_elsewhere,
    granted_for_goal,
    leading,
    published_elsewhere,
    published_for_goal,
    published_for_words,
)

# How often a question looks for another to join before it is answered by itself.
ROUNDS = 3


def question_ask(
    *, organization: Organization, end_user: EndUser, text: str, route: str, page_title: str, locale: Locale
) -> Question:
    """Keep a question and, when something that exists answers it, its answer.

    In this order: a published tour for these words or this goal on the page; a tour that this end user was given
    before; where no open page has a plan, a tour of another page that answered these words here before. Otherwise
    the question stays ``waiting``, and a worker is called after commit unless one is already answering these words.
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
    if not skills:
        question.outcome = Question.Outcome.UNKNOWN_PAGE
        question.latency_ms = 0
    else:
        _reuse(question, skills)
    # Not before: a model may be asked what the words mean, and a transaction is not held meanwhile.
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


def _reuse(question: Question, skills: list[PageSkill]) -> None:
    """Look for an answer that exists, on the most specific page first; leave the question waiting if there is none."""
    question.page_skill = skills[0]
    is_answered_here = False
    for skill in skills:
        # The very words need nobody to understand them: most questions end here.
        known = published_for_words(skill, question.locale, question.normalized)
        if known is not None and known.published_version is not None:
            _answer_with(question, skill, Question.Outcome.PUBLISHED, known, known.published_version)
            return
        goal = plan_intents(question.text, engine_page(skill))
        tour = published_for_goal(skill, question.locale, goal)
        if tour is not None and tour.published_version is not None:
            _answer_with(question, skill, Question.Outcome.PUBLISHED, tour, tour.published_version)
            return
        granted = granted_for_goal(question.end_user, skill, question.locale, question.normalized, goal)
        if granted is not None:
            _answer_with(question, skill, Question.Outcome.HISTORY, granted.tour, granted)
            return
        is_answered_here = is_answered_here or bool(goal.intent_ids)
    # It was found then that nothing here answers, but the organization's words for things may have changed since.
    if is_answered_here:
        return
    live = published_elsewhere(question)
    if live is not None and live.published_version is not None:
        _answer_with(question, skills[0], Question.Outcome.PUBLISHED, live, live.published_version)
    elif (given := granted_elsewhere(question)) is not None:
        _answer_with(question, skills[0], Question.Outcome.HISTORY, given.tour, given)


def _answer_with(
    question: Question, skill: PageSkill, outcome: Question.Outcome, tour: Tour, version: TourVersion
) -> None:
    question.page_skill = skill
    question.outcome = outcome
    question.tour = tour
    question.tour_version = version
    question.latency_ms = question.elapsed_ms()


def _enqueue(question_id: uuid.UUID) -> None:
    # Imported late: the task module imports the worker's part, which imports this room's models.
    from tours.tasks import answer_question

    answer_question.delay(str(question_id))
