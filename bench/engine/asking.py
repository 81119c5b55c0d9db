"""Learns the scanned pages offline, asks every question through the engine's front door, and keeps what it measures."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.engine.labels import Label
from bench.engine.scans import ScannedPage
from engine.evaluation import LabelledQuestion, QuestionResult, Score, evaluate, score_of
from engine.local.writing import short_title
from engine.remote.prompting import AnswerPrompt, answer_prompt
from engine.remote.reading import read_answer
from engine.service import answer_question, is_remote, plain_question, propose_skill, rank_intents
from engine.types import AnswerDraft, EngineConfig, Page

_NOWHERE = "\0 not in the scan: "


@dataclass(frozen=True)
class Asked:
    """The score of one folder, by the labels that were asked, in their order."""

    labels: tuple[Label, ...]
    score: Score
    milliseconds: tuple[float, ...]


def learn(scanned: ScannedPage) -> Page:
    """The page as the product learns it without a model."""
    proposal = propose_skill(scanned.scan, locale=scanned.scan.locale, config=EngineConfig())
    return Page(proposal.name, proposal.summary, scanned.scan.url_pattern, scanned.scan.locale, proposal.intents)


def questions(labels: Sequence[Label], scans: Mapping[str, ScannedPage]) -> list[LabelledQuestion]:
    """The labels with the selectors of the scan; a target that the scan does not have is one that no answer meets."""
    return [
        LabelledQuestion(
            label.page,
            label.question,
            label.locale,
            label.kind,
            tuple(
                tuple(scans[label.page].targets.get(selector) or _NOWHERE + selector for selector in step)
                for step in label.targets
            ),
        )
        for label in labels
    ]


def unmapped(asked: Sequence[LabelledQuestion], pages: Mapping[str, Page]) -> tuple[list[int], list[int]]:
    """Which questions have a step that the scan has no node for, and which one that no learnt intent stands for."""
    unscanned: list[int] = []
    unlearnt: list[int] = []
    for number, question in enumerate(asked):
        learnt = {intent.selector for intent in pages[question.page].intents}
        if any(all(selector.startswith(_NOWHERE) for selector in step) for step in question.targets):
            unscanned.append(number)
        elif not all(learnt & set(step) for step in question.targets):
            unlearnt.append(number)
    return unscanned, unlearnt


def ask_all(
    labels: Sequence[Label],
    asked: Sequence[LabelledQuestion],
    pages: Mapping[str, Page],
    config: EngineConfig,
    replayed: Mapping[str, Any] | None = None,
) -> Asked:
    """Ask every question of the configured provider; or read what some model answered to the dumped prompts."""
    ids = {id(question): label.id for label, question in zip(labels, asked, strict=True)}
    milliseconds: list[float] = []

    def answering(question: LabelledQuestion, page: Page) -> AnswerDraft:
        if replayed is not None:
            prompt = _prompt(question, page)
            answer, _ = read_answer(replayed[ids[id(question)]], prompt, page, locale=question.locale)
            return answer or AnswerDraft("", (), "openai", "", "")
        started = time.perf_counter()
        answer = answer_question(question.question, page, locale=question.locale, config=config)
        milliseconds.append((time.perf_counter() - started) * 1000)
        return answer

    for page in pages.values():
        # Indexing a page happens once, when it is learnt: it is no part of an answer's time.
        rank_intents(page.name, page)
    score = evaluate(asked, pages, answering=answering)
    if replayed is not None or is_remote(config):
        score = score_of([_ranked_by_answer(row, pages[row.question.page]) for row in score.rows])
    return Asked(tuple(labels), score, tuple(milliseconds))


def _ranked_by_answer(row: QuestionResult, page: Page) -> QuestionResult:
    """A model ranks nothing: the place of the right element is that in its answer, without what opens the way."""
    wanted = {selector for step in row.question.targets for selector in step}
    by_selector = {intent.selector: intent for intent in page.intents}
    openers = {by_selector[selector].element.opener for selector in row.steps}
    essential = [selector for selector in row.steps if selector in wanted or selector not in openers]
    rank = next((place for place, selector in enumerate(essential, start=1) if selector in wanted), 0)
    return replace(row, rank=rank)


def prompts(asked: Sequence[LabelledQuestion], pages: Mapping[str, Page]) -> list[AnswerPrompt]:
    """What a model would be asked for each question."""
    return [_prompt(question, pages[question.page]) for question in asked]


def _prompt(question: LabelledQuestion, page: Page) -> AnswerPrompt:
    return answer_prompt(plain_question(question.question), page, locale=question.locale)


def right_answer(question: LabelledQuestion, prompt: AnswerPrompt, page: Page) -> dict[str, Any]:
    """What a model answers that knows the labels: their elements when the prompt offers them all, else nothing."""
    steps: list[str] = []
    if prompt_holds(question, prompt):
        # An opener without an id of its own is put back when its target is chosen.
        found = (_id_of(step, prompt) for step in question.targets)
        steps = list(dict.fromkeys(short_id for short_id in found if short_id))
    if not steps:
        return {"steps": [], "title": ""}
    first = prompt.by_short_id[steps[0]]
    return {"steps": steps, "title": short_title(first, locale=question.locale, page_locale=page.locale)}


def _id_of(step: Sequence[str], prompt: AnswerPrompt) -> str:
    return next((short_id for short_id, intent in prompt.by_short_id.items() if intent.selector in step), "")


def prompt_holds(question: LabelledQuestion, prompt: AnswerPrompt) -> bool:
    """Tell whether every step of the answer is among what the prompt offers; what opens an offered one is put back."""
    offered = {intent.selector for intent in prompt.by_short_id.values()}
    offered |= {intent.element.opener for intent in prompt.by_short_id.values()} - {""}
    return all(offered & set(step) for step in question.targets)


def dump_prompts(file: Path, labels: Sequence[Label], written: Sequence[AnswerPrompt]) -> None:
    """One JSON object a line: `id`, `prompt` (which tells it from a later one), `messages`, `schema`."""
    with file.open("w", encoding="utf-8") as out:
        for label, prompt in zip(labels, written, strict=True):
            line = {"id": label.id, "prompt": _digest(prompt), "messages": prompt.messages, "schema": prompt.schema}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def read_answers(file: Path) -> dict[str, Any]:
    """One JSON object a line: `id`, `answer`, an object as the prompt's schema wants it, and the dumped `prompt`."""
    lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    return {line["id"]: line for line in lines}


def answers_to(read: Mapping[str, Any], labels: Sequence[Label], written: Sequence[AnswerPrompt]) -> dict[str, Any]:
    """The answers by label. Raises `ValueError` when one is to another prompt: its ids would mean something else."""
    for label, prompt in zip(labels, written, strict=True):
        if read[label.id].get("prompt", _digest(prompt)) != _digest(prompt):
            raise ValueError(f"{label.id} was answered to another prompt: dump the prompts again")
    return {label.id: read[label.id]["answer"] for label in labels}


def _digest(prompt: AnswerPrompt) -> str:
    return hashlib.sha256(json.dumps(prompt.messages).encode()).hexdigest()[:12]
