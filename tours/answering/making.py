"""The worker's part of an answer: the engine writes a tour, which is saved for review and granted to its asker."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from datetime import timedelta

from django.db import DatabaseError, transaction
from django.db.models import F
from django.utils import timezone

from engine.service import answer_question, plan_intents
from engine.types import AnswerDraft, EngineConfig, Plan
from moderation.services import review_submit
from moderation.states import Status
from organizations.budget import tokens_record
from skills.claims import MAX_ATTEMPTS, claim, unclaimed
from skills.config import engine_locale
from skills.models import PageSkill
from skills.selectors import engine_page, skills_for_path
from tours.models import Question, Tour, TourGrant, TourVersion
from tours.selectors import published_for_goal, rejected_goals
from tours.services import version_add
from tours.steps import Step, steps_digest, steps_from_draft

log = logging.getLogger(__name__)

# A question that nobody claimed for this long was never delivered.
LOST_AFTER = timedelta(seconds=30)


class PageReplacedError(Exception):
    """The page was learnt again while the engine worked: the answer points at what may be gone."""


def question_answer(*, question_id: uuid.UUID, config: EngineConfig) -> bool:
    """Answer a waiting question; return False when somebody else does or did.

    The question is claimed by one conditional update, and finished by another in the transaction that
    saves the tour, so that a task delivered twice leaves one tour. Nothing waits for ever: what the engine
    breaks on, and what ended its worker ``MAX_ATTEMPTS`` times, is ``failed``, which its asker reads.
    """
    question = _claim(question_id)
    if question is None:
        return False
    if question.attempts > MAX_ATTEMPTS:
        log.error("question %s is given up: its worker ended %d times", question.pk, MAX_ATTEMPTS)
        return _close(question, Question.Outcome.FAILED)
    try:
        return _answer_on_its_page(question, config)
    except PageReplacedError:
        return _answer_on_its_page(question, config)


def _answer_on_its_page(question: Question, config: EngineConfig) -> bool:
    """Have the engine answer on the page as it is learnt now, and save what it says."""
    skill = _page_now(question)
    if skill is None:
        return _close(question, Question.Outcome.UNKNOWN_PAGE)
    try:
        page = engine_page(skill)
        draft = answer_question(
            question.text,
            page,
            locale=engine_locale(question.locale),
            config=config,
            page_title=question.page_title,
            avoid=rejected_goals(skill, question.normalized),
        )
        steps = steps_from_draft(draft, page)
        # Whoever chose the intents, the options that the words name are read from the words: the goal is the same.
        choices = plan_intents(question.text, page).choices
    except DatabaseError:
        raise  # the sweeper tries again
    except Exception:
        log.exception("the engine broke on question %s", question.pk)
        return _close(question, Question.Outcome.FAILED)
    tokens_record(
        organization=question.organization,
        prompt_tokens=draft.usage.prompt_tokens,
        completion_tokens=draft.usage.completion_tokens,
    )
    goal = Plan(tuple(step["intent_id"] for step in steps), confidence=1.0, choices=choices)
    with transaction.atomic():
        return _finish(question, skill, draft, steps, goal)


def stale_questions(limit: int = 100) -> list[uuid.UUID]:
    """Return the ids of questions in the current scope that a dead broker or worker left waiting."""
    waiting = Question.objects.filter(outcome=Question.Outcome.WAITING, asked_at__lt=timezone.now() - LOST_AFTER)
    return list(unclaimed(waiting).order_by("asked_at").values_list("pk", flat=True)[:limit])


def _claim(question_id: uuid.UUID) -> Question | None:
    if not claim(Question.objects.filter(pk=question_id, outcome=Question.Outcome.WAITING)):
        return None
    return Question.objects.select_related("organization", "end_user", "page_skill").get(pk=question_id)


def _page_now(question: Question) -> PageSkill | None:
    """Return the page of a question as it is published now, which may be another version than when it was asked."""
    asked_on = question.page_skill_id
    current = PageSkill.objects.filter(pk=asked_on, status=Status.PUBLISHED).first() if asked_on else None
    return current or next(iter(skills_for_path(question.route)), None)


def _close(question: Question, outcome: Question.Outcome) -> bool:
    """End a question without an answer, unless it has one by now."""
    waiting = Question.objects.filter(pk=question.pk, outcome=Question.Outcome.WAITING)
    return bool(waiting.update(outcome=outcome, latency_ms=question.elapsed_ms()))


def _finish(question: Question, skill: PageSkill, draft: AnswerDraft, steps: list[Step], goal: Plan) -> bool:
    """Write the outcome, the tour, the grant and the announcement: all or nothing.

    Raises ``PageReplacedError`` when the page-skill is not the published one any more.
    """
    waiting = Question.objects.filter(pk=question.pk, outcome=Question.Outcome.WAITING)
    if not waiting.update(
        outcome=Question.Outcome.GENERATED if steps else Question.Outcome.NOTHING,
        provider=draft.provider,
        model=draft.model[:120],
        prompt_version=draft.prompt_version[:40],
        fell_back=draft.fell_back[:40],
        prompt_tokens=draft.usage.prompt_tokens,
        completion_tokens=draft.usage.completion_tokens,
        latency_ms=question.elapsed_ms(),
        page_skill=skill,
    ):
        return False
    if not steps:
        return True
    # One lock for a page: two workers that answer the same question at once must not each make the tour, and the
    # page must not be replaced before its tours have moved. (No key is touched: new questions need not wait.)
    locked = PageSkill.objects.select_for_update(no_key=True).filter(pk=skill.pk, status=Status.PUBLISHED)
    if locked.first() is None:
        raise PageReplacedError
    live = published_for_goal(skill, question.locale, question.normalized, goal)
    if live is not None and live.published_version is not None:
        _answer(question, live.published_version, outcome=Question.Outcome.PUBLISHED)
        return True
    version, is_new = _version_for(question, skill, draft.title, steps, goal)
    TourGrant.objects.get_or_create(
        organization=question.organization, tour_version=version, end_user=question.end_user
    )
    _answer(question, version, outcome=Question.Outcome.GENERATED)
    # Announced last: the message speaks of the question, which is only now joined to its tour.
    if is_new:
        review_submit(subject=version.tour, actor=None)
    return True


def _answer(question: Question, version: TourVersion, *, outcome: Question.Outcome) -> None:
    Question.objects.filter(pk=question.pk).update(tour=version.tour_id, tour_version=version, outcome=outcome)
    Tour.objects.filter(pk=version.tour_id).update(asked_count=F("asked_count") + 1)


def _version_for(
    question: Question, skill: PageSkill, title: str, steps: Sequence[Step], goal: Plan
) -> tuple[TourVersion, bool]:
    """Return the version to grant, and whether its tour is new.

    A second asker with the same goal does not fill the inbox with a twin: the tour under review counts one
    more demand. What the asker sees is still what was made for them, kept as a version beside the
    reviewers' current one.
    """
    waiting = (
        Tour.objects.filter(
            page_skill=skill,
            locale=question.locale,
            intent_ids=list(goal.intent_ids),
            choices=list(goal.choices),
            status__in=(Status.PENDING_REVIEW, Status.CHANGES_REQUESTED),
            published_version=None,
        )
        .order_by("id")
        .first()
    )
    if waiting is not None:
        same = TourVersion.objects.filter(tour=waiting, digest=steps_digest(title, steps)).first()
        return same or version_add(tour=waiting, title=title, steps=steps, author=None), False
    tour = Tour.objects.create(
        organization=question.organization,
        title=title,
        page_skill=skill,
        locale=question.locale,
        intent_ids=list(goal.intent_ids),
        choices=list(goal.choices),
        digest=steps_digest(title, steps),
    )
    version = version_add(tour=tour, title=title, steps=steps, author=None)
    tour.current_version = version
    tour.save(update_fields=["current_version"])
    return version, True
