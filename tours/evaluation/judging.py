"""Asks the engine a reference question, and tells whether its answer is the right one."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.evaluation import Kind, LabelledQuestion, evaluate
from engine.service import answer_question, is_remote
from engine.types import AnswerDraft, EngineConfig, Page, Usage
from skills.config import engine_locale
from tours.models import EvaluationResult, ReferenceQuestion

log = logging.getLogger(__name__)

Outcome = EvaluationResult.Outcome


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a question: ``answer_ids`` are the intents that the engine answered with, in order."""

    outcome: EvaluationResult.Outcome
    rank: int = 0
    answer_ids: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    fell_back: str = ""


def judge(reference: ReferenceQuestion, page: Page | None, config: EngineConfig) -> Verdict:
    """Ask the provider that ``config`` names about a page, None for one that is not published any more.

    A model that did not answer is not judged by what the local engine said in its place. The place of the right
    element is the local engine's ranking's; of a model, which ranks nothing, it is its place among the steps.
    """
    if page is None or is_gone(reference, page):
        return Verdict(Outcome.GONE)
    drafts: list[AnswerDraft] = []

    def answer(asked: LabelledQuestion, where: Page) -> AnswerDraft:
        drafts.append(answer_question(asked.question, where, locale=asked.locale, config=config))
        return drafts[-1]

    targets = _targets(page, reference.intent_ids)
    kind: Kind = "absent" if not targets else "single" if len(targets) == 1 else "plan"
    equally_right = tuple((target,) for target in targets)
    asked = LabelledQuestion(page.route_pattern, reference.text, engine_locale(reference.locale), kind, equally_right)
    row = evaluate([asked], {page.route_pattern: page}, answering=answer).rows[0]
    draft = drafts[0]
    answer_ids = tuple(step.intent_id for step in draft.steps)
    if draft.fell_back:
        return Verdict(Outcome.UNANSWERED, usage=draft.usage, fell_back=draft.fell_back)
    rank = _place(row.steps, targets) if is_remote(config) else row.rank
    return Verdict(_outcome(targets, row.steps, right=row.right), rank, answer_ids, draft.usage)


def judge_surely(reference: ReferenceQuestion, page: Page | None, config: EngineConfig) -> Verdict:
    """Do as ``judge`` does; a question that the engine breaks on is unanswered, and stops no other."""
    try:
        return judge(reference, page, config)
    except Exception:
        log.exception("the engine broke on reference question %s", reference.pk)
        return Verdict(Outcome.UNANSWERED)


def is_gone(reference: ReferenceQuestion, page: Page) -> bool:
    """Tell whether a page no longer has an element that the right answer needs."""
    return not set(reference.intent_ids) <= {intent.intent_id for intent in page.intents}


def _targets(page: Page, intent_ids: Sequence[str]) -> list[str]:
    """Return the selectors of the right answer. What only opens the way to the next is the page's affair, not its."""
    by_id = {intent.intent_id: intent for intent in page.intents}
    wanted = [by_id[intent_id] for intent_id in intent_ids]
    openers = {intent.element.opener for intent in wanted if intent.element.closed}
    return [intent.selector for intent in wanted if intent.selector not in openers]


def _place(steps: Sequence[str], targets: Sequence[str]) -> int:
    return next((place for place, selector in enumerate(steps, start=1) if selector in targets), 0)


def _outcome(targets: Sequence[str], steps: Sequence[str], *, right: bool) -> EvaluationResult.Outcome:
    if right:
        return Outcome.RIGHT
    if not targets:
        return Outcome.INVENTED
    return Outcome.WRONG if steps else Outcome.REFUSED
