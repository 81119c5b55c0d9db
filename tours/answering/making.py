"""The worker's part of an answer: what answers the same goal already, else a tour that the engine writes.

A new tour is saved for review and granted to its askers.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from engine.service import answer_question
from engine.types import AnswerDraft, EngineConfig, Page, Plan, StepDraft
from moderation.states import Status
from organizations.budget import tokens_cost
from organizations.connections import lend_connection
from skills.claims import MAX_ATTEMPTS, claim, unclaimed
from skills.config import engine_afforded, engine_locale
from skills.models import PageSkill
from skills.selectors import engine_page, skills_for_path
from tours.answering import waiting
from tours.answering.elsewhere import Elsewhere, found_elsewhere, known_answer
from tours.answering.giving import PageReplacedError, known_give, tour_give
from tours.answering.reusing import Known, known_for_goal
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
    """Answer on the page as it is learnt now with what it has for the goal, else have the engine write it."""
    skill = _page_now(question)
    try:
        known = known_for_goal(question, _open_pages(question, skill))
        if known is not None:
            return _finish_known(question, known)
        if skill is None:
            return _close(question, Question.Outcome.UNKNOWN_PAGE)
        made = _made_on(question, skill, config, is_open=True)
        if not made.steps and (elsewhere := found_elsewhere(question, skill)) is not None:
            made = _made_elsewhere(question, elsewhere, made, config)
    except DatabaseError:
        raise  # the sweeper tries again
    except Exception:
        log.exception("the engine broke on question %s", question.pk)
        return _close(question, Question.Outcome.FAILED)
    with transaction.atomic():
        return _finish(question, skill, made)


@dataclass(frozen=True, slots=True)
class _Made:
    """What the engine made of a question on one page: perhaps no steps at all."""

    skill: PageSkill
    draft: AnswerDraft
    steps: list[Step]

    @property
    def goal(self) -> Plan:
        return Plan(tuple(step["intent_id"] for step in self.steps), confidence=1.0, choices=self.draft.choices)


def _made_on(question: Question, skill: PageSkill, config: EngineConfig, *, is_open: bool) -> _Made:
    page = engine_page(skill)
    draft = _engine_answer(question, skill, page, config, is_open=is_open)
    return _Made(skill, draft, steps_from_draft(draft, page))


def _made_elsewhere(question: Question, elsewhere: Elsewhere, here: _Made, config: EngineConfig) -> _Made:
    """Answer on another page with what it has for the goal, else have it made there. Both calls are counted."""
    known = known_answer(question, elsewhere)
    if known is not None:
        draft = replace(here.draft, title=known.title, choices=elsewhere.goal.choices)
        return _Made(elsewhere.skill, draft, known.steps)
    made = _made_on(question, elsewhere.skill, config, is_open=False)
    draft = replace(
        made.draft,
        usage=here.draft.usage + made.draft.usage,
        fell_back=made.draft.fell_back or here.draft.fell_back,
    )
    return replace(made, draft=draft)


def _engine_answer(
    question: Question, skill: PageSkill, page: Page, config: EngineConfig, *, is_open: bool
) -> AnswerDraft:
    """Ask the engine within the organization's budget, and let whoever waits have each step as it is made.

    Steps of a page that is not open are told with the whole answer, which says where they are.
    """
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
        on_step=tell if is_open else None,
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


def _open_pages(question: Question, first: PageSkill | None) -> list[PageSkill]:
    if first is None:
        return []
    return [first, *(other for other in skills_for_path(question.route) if other.pk != first.pk)]


@transaction.atomic
def _finish_known(question: Question, known: Known) -> list[uuid.UUID]:
    """Give a question, and those beside it, what answers their goal already."""
    answer = {"outcome": known.outcome, "page_skill": known.asked}
    answered = _end(question, answer)
    if answered:
        known_give(answered, known.version, outcome=known.outcome)
    return [one.pk for one in answered]


def _end(
    question: Question, answer: Mapping[str, object], of_its_maker: Mapping[str, object] | None = None
) -> list[Question]:
    """Write the same answer on a waiting question and on those beside it; none are returned when it waits no more.

    What it took to make (``of_its_maker``) is counted on the question that it was made for.
    """
    waiting_one = Question.objects.filter(pk=question.pk, outcome=Question.Outcome.WAITING)
    if not waiting_one.update(**answer, **(of_its_maker or {}), latency_ms=question.elapsed_ms()):
        return []
    others = _take_beside(question)
    for other in others:
        for name, value in answer.items():
            setattr(other, name, value)
        other.latency_ms = other.elapsed_ms()
    Question.objects.bulk_update(others, [*answer, "latency_ms"])
    return [question, *others]


@transaction.atomic
def _close(question: Question, outcome: Question.Outcome) -> list[uuid.UUID]:
    """End a question, and those beside it, without an answer, unless it has one by now."""
    return [one.pk for one in _end(question, {"outcome": outcome})]


def _finish(question: Question, skill: PageSkill, answer: _Made) -> list[uuid.UUID]:
    """Write the outcome, the tour, the grants and the announcement: all or nothing.

    ``skill`` is the page that was asked about; the answer may be on another. Raises ``PageReplacedError`` when the
    page-skill that answers is not the published one any more.
    """
    draft, usage = answer.draft, answer.draft.usage
    answered = _end(
        question,
        _made_by(draft, skill, Question.Outcome.GENERATED if answer.steps else Question.Outcome.NOTHING),
        {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "cost": _cost(question, draft),
        },
    )
    if answered and answer.steps:
        tour_give(answered, answer.skill, title=draft.title, steps=answer.steps, goal=answer.goal)
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
