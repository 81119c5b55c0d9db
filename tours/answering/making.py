"""The worker's part of an answer: the engine writes a tour, which is saved for review and granted to its askers."""

from __future__ import annotations

import logging
import uuid
from dataclasses import replace
from datetime import timedelta

from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from engine.service import answer_question, plan_intents
from engine.types import AnswerDraft, EngineConfig, Page, Plan, StepDraft
from moderation.states import Status
from organizations.budget import tokens_cost
from organizations.connections import lend_connection
from skills.claims import MAX_ATTEMPTS, claim, unclaimed
from skills.config import engine_afforded, engine_locale
from skills.models import PageSkill
from skills.selectors import engine_page, skills_for_path
from tours.answering import waiting
from tours.answering.giving import PageReplacedError, tour_give
from tours.models import Question
from tours.selectors import led_by, rejected_goals
from tours.steps import Step, shepherd_steps, steps_from_draft

log = logging.getLogger(__name__)

# A question that nobody claimed for this long was never delivered.
LOST_AFTER = timedelta(seconds=30)


def question_answer(*, question_id: uuid.UUID, config: EngineConfig) -> list[uuid.UUID]:
    """Answer a waiting question, and those with the same words that wait beside it; return the ids of all answered.

    None are when somebody else answers or did. The question is claimed by one conditional update, and finished by
    another in the transaction that saves the tour, so that a task delivered twice leaves one tour. Nothing waits for
    ever: what the engine breaks on, and what ended its worker ``MAX_ATTEMPTS`` times, is ``failed``, which its askers
    read.
    """
    question = _claim(question_id)
    if question is None:
        return []
    if question.attempts > MAX_ATTEMPTS:
        log.error("question %s is given up: its worker ended %d times", question.pk, MAX_ATTEMPTS)
        return _close(question, Question.Outcome.FAILED)
    try:
        return _answer_on_its_page(question, config)
    except PageReplacedError:
        return _answer_on_its_page(question, config)


def _answer_on_its_page(question: Question, config: EngineConfig) -> list[uuid.UUID]:
    """Have the engine answer on the page as it is learnt now, and save what it says."""
    skill = _page_now(question)
    if skill is None:
        return _close(question, Question.Outcome.UNKNOWN_PAGE)
    try:
        page = engine_page(skill)
        draft = _engine_answer(question, skill, page, config)
        steps = steps_from_draft(draft, page)
        # Whoever chose the intents, the options that the words name are read from the words: the goal is the same.
        choices = plan_intents(question.text, page).choices
    except DatabaseError:
        raise  # the sweeper tries again
    except Exception:
        log.exception("the engine broke on question %s", question.pk)
        return _close(question, Question.Outcome.FAILED)
    goal = Plan(tuple(step["intent_id"] for step in steps), confidence=1.0, choices=choices)
    with transaction.atomic():
        return _finish(question, skill, draft, steps, goal)


def _engine_answer(question: Question, skill: PageSkill, page: Page, config: EngineConfig) -> AnswerDraft:
    """Ask the engine within the organization's budget, and let whoever waits have each step as it is made."""
    told: list[Step] = []

    def tell(index: int, draft: StepDraft) -> None:
        told.extend(steps_from_draft(AnswerDraft("", (draft,), "", "", ""), page))
        if len(told) == index + 1:
            # Not the last one, as far as anybody knows: its button leads on.
            step = shepherd_steps([*told, told[-1]], question.locale)[index]
            waiting.tell_step(question.pk, index, step)

    afforded = engine_afforded(question.organization, config, "answer")
    avoid = rejected_goals(skill, question.normalized)
    lend_connection()
    draft = answer_question(
        question.text,
        page,
        locale=engine_locale(question.locale),
        config=afforded.config,
        page_title=question.page_title,
        avoid=avoid,
        on_step=tell,
    )
    afforded.settle(draft.usage)
    return replace(draft, fell_back=afforded.refused or draft.fell_back)


def stale_questions(limit: int = 100) -> list[uuid.UUID]:
    """Return the ids of questions in the current scope that a dead broker or worker left waiting.

    Those whose answer another question's worker will bring are that worker's, or the sweeper's by way of it.
    """
    waiting_now = Question.objects.filter(outcome=Question.Outcome.WAITING)
    leader = waiting_now.filter(
        leads=True, page_skill=OuterRef("page_skill"), locale=OuterRef("locale"), normalized=OuterRef("normalized")
    ).exclude(normalized="")
    lost = waiting_now.filter(asked_at__lt=timezone.now() - LOST_AFTER).exclude(Exists(leader), leads=False)
    return list(unclaimed(lost).order_by("asked_at").values_list("pk", flat=True)[:limit])


def _claim(question_id: uuid.UUID) -> Question | None:
    if not claim(Question.objects.filter(pk=question_id, outcome=Question.Outcome.WAITING)):
        return None
    return Question.objects.select_related("organization", "end_user", "page_skill").get(pk=question_id)


def _page_now(question: Question) -> PageSkill | None:
    """Return the page of a question as it is published now, which may be another version than when it was asked."""
    asked_on = question.page_skill_id
    current = PageSkill.objects.filter(pk=asked_on, status=Status.PUBLISHED).first() if asked_on else None
    return current or next(iter(skills_for_path(question.route)), None)


@transaction.atomic
def _close(question: Question, outcome: Question.Outcome) -> list[uuid.UUID]:
    """End a question, and those beside it, without an answer, unless it has one by now."""
    ended = Question.objects.filter(pk=question.pk, outcome=Question.Outcome.WAITING)
    if not ended.update(outcome=outcome, latency_ms=question.elapsed_ms()):
        return []
    others = _take_beside(question)
    for other in others:
        other.outcome, other.latency_ms = outcome, other.elapsed_ms()
    Question.objects.bulk_update(others, ["outcome", "latency_ms"])
    return [question.pk, *(other.pk for other in others)]


def _finish(question: Question, skill: PageSkill, draft: AnswerDraft, steps: list[Step], goal: Plan) -> list[uuid.UUID]:
    """Write the outcome, the tour, the grants and the announcement: all or nothing.

    Raises ``PageReplacedError`` when the page-skill is not the published one any more.
    """
    waiting_one = Question.objects.filter(pk=question.pk, outcome=Question.Outcome.WAITING)
    made = _made_by(draft, skill, Question.Outcome.GENERATED if steps else Question.Outcome.NOTHING)
    usage = draft.usage
    if not waiting_one.update(
        **made,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost=_cost(question, draft),
        latency_ms=question.elapsed_ms(),
    ):
        return []
    others = _take_beside(question)
    for other in others:
        for name, value in made.items():
            setattr(other, name, value)
        other.latency_ms = other.elapsed_ms()
    Question.objects.bulk_update(others, [*made, "latency_ms"])
    answered = [question, *others]
    if steps:
        tour_give(answered, skill, title=draft.title, steps=steps, goal=goal)
    return [one.pk for one in answered]


def _made_by(draft: AnswerDraft, skill: PageSkill, outcome: Question.Outcome) -> dict[str, object]:
    """Return what an answer records of how it was made: the same for all who get it."""
    return {
        "outcome": outcome,
        "provider": draft.provider,
        "model": draft.model[:120],
        "prompt_version": draft.prompt_version[:40],
        "fell_back": draft.fell_back[:40],
        "page_skill": skill,
    }


def _cost(question: Question, draft: AnswerDraft) -> object:
    usage = draft.usage
    if not usage.prompt_tokens and not usage.completion_tokens:
        return None
    return tokens_cost(
        question.organization, prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens
    )


def _take_beside(question: Question) -> list[Question]:
    """Return, locked, the questions that get this one's answer. One that its own worker is finishing is left to it."""
    beside = led_by(question).select_for_update(skip_locked=True, of=("self",))
    return list(beside.select_related("end_user").order_by("pk"))
