"""Scores an answering function on labelled questions: is the right element found, is the rest refused?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engine.service import answer_question, rank_intents
from engine.types import AnswerDraft, EngineConfig, Locale, Page

Kind = Literal["single", "plan", "absent"]
Answering = Callable[["LabelledQuestion", Page], AnswerDraft]


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question with its right answer: for each step the selectors that are equally right, none when `absent`."""

    page: str
    question: str
    locale: Locale
    kind: Kind
    targets: tuple[tuple[str, ...], ...]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LabelledQuestion:
        """Read one entry of a labelled file. Raises `ValueError` when kind and targets contradict each other."""
        targets = tuple(tuple(step) for step in data.get("targets", ()))
        kind: Kind = data["kind"]
        fits = {"single": len(targets) == 1, "plan": len(targets) > 1, "absent": not targets}
        if not fits.get(kind, False):
            raise ValueError(f"{data['question']!r}: {kind} with {len(targets)} targets")
        return cls(data["page"], data["question"], data["locale"], kind, targets)


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """What came of one question. `rank` is the place of the right element in the ranking, from 1; 0 when missing."""

    question: LabelledQuestion
    steps: tuple[str, ...]
    rank: int
    right: bool


@dataclass(frozen=True, slots=True)
class Score:
    """Shares from 0 to 1, and the questions they come from. A share over no question is 0.

    `top1` and `top3`: single questions whose element ranks first, or among the first three. `single_exact`: those
    answered with exactly their element (what reveals it may come before). `plan_exact`: plans with all their steps, in
    order, and no other. `absent_refused`: absent questions answered with nothing. `false_refusals`: single and plan
    questions answered with nothing.
    """

    top1: float
    top3: float
    single_exact: float
    plan_exact: float
    absent_refused: float
    false_refusals: float
    rows: tuple[QuestionResult, ...]


def evaluate(
    questions: Iterable[LabelledQuestion],
    pages: Mapping[str, Page],
    *,
    config: EngineConfig | None = None,
    answering: Answering | None = None,
) -> Score:
    """Ask every question of its page, by `answering` or else of the provider that `config` names.

    Raises `KeyError` when a page is missing.
    """
    answer = answering or _by_provider(config or EngineConfig())
    return score_of([_result(question, pages[question.page], answer) for question in questions])


def score_of(rows: Sequence[QuestionResult]) -> Score:
    """Count what came of questions, of one evaluation or of several."""
    single = [row for row in rows if row.question.kind == "single"]
    plans = [row for row in rows if row.question.kind == "plan"]
    absent = [row for row in rows if row.question.kind == "absent"]
    return Score(
        top1=_share(row.rank == 1 for row in single),
        top3=_share(1 <= row.rank <= 3 for row in single),
        single_exact=_share(row.right for row in single),
        plan_exact=_share(row.right for row in plans),
        absent_refused=_share(row.right for row in absent),
        false_refusals=_share(not row.steps for row in (*single, *plans)),
        rows=tuple(rows),
    )


def _by_provider(config: EngineConfig) -> Answering:
    return lambda asked, page: answer_question(asked.question, page, locale=asked.locale, config=config)


def _result(question: LabelledQuestion, page: Page, answering: Answering) -> QuestionResult:
    answer = answering(question, page)
    by_id = {intent.intent_id: intent for intent in page.intents}
    steps = tuple(by_id[step.intent_id].selector for step in answer.steps)
    openers = {by_id[step.intent_id].element.opener for step in answer.steps} - {""}
    wanted = {selector for step in question.targets for selector in step}
    ranked = [ranking.intent.selector for ranking in rank_intents(question.question, page) if ranking.score > 0]
    rank = next((place for place, selector in enumerate(ranked, start=1) if selector in wanted), 0)
    essential = [selector for selector in steps if selector in wanted or selector not in openers]
    return QuestionResult(question, steps, rank, _is_right(essential, question.targets))


def _is_right(steps: Sequence[str], targets: Sequence[Sequence[str]]) -> bool:
    return len(steps) == len(targets) and all(
        selector in equally_right for selector, equally_right in zip(steps, targets, strict=True)
    )


def _share(outcomes: Iterable[bool]) -> float:
    results = list(outcomes)
    return sum(results) / len(results) if results else 0.0
