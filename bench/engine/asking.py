"""Learns the scanned pages offline, asks every question through the engine's front door, and keeps what it measures."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.engine.labels import Label
from bench.engine.scans import ScannedPage
from engine.evaluation import LabelledQuestion, Score, evaluate
from engine.remote.prompting import AnswerPrompt, answer_prompt
from engine.remote.reading import read_answer
from engine.service import answer_question, propose_skill, rank_intents
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
            prompt = answer_prompt(question.question, page, locale=question.locale)
            answer, _ = read_answer(replayed.get(ids[id(question)], {}), prompt, page, locale=question.locale)
            return answer or AnswerDraft("", (), "openai", "", "")
        started = time.perf_counter()
        answer = answer_question(question.question, page, locale=question.locale, config=config)
        milliseconds.append((time.perf_counter() - started) * 1000)
        return answer

    for page in pages.values():
        # Indexing a page happens once, when it is learnt: it is no part of an answer's time.
        rank_intents(page.name, page)
    score = evaluate(asked, pages, answering=answering)
    return Asked(tuple(labels), score, tuple(milliseconds))


def prompts(asked: Sequence[LabelledQuestion], pages: Mapping[str, Page]) -> list[AnswerPrompt]:
    """What a model would be asked for each question."""
    return [answer_prompt(question.question, pages[question.page], locale=question.locale) for question in asked]


def prompt_holds(question: LabelledQuestion, prompt: AnswerPrompt) -> bool:
    """Tell whether every step of the answer is among what the prompt offers; what opens an offered one is put back."""
    offered = {intent.selector for intent in prompt.by_short_id.values()}
    offered |= {intent.element.opener for intent in prompt.by_short_id.values()} - {""}
    return all(offered & set(step) for step in question.targets)


def dump_prompts(file: Path, labels: Sequence[Label], written: Sequence[AnswerPrompt]) -> None:
    """One JSON object a line: `id`, `messages`, `schema`."""
    with file.open("w", encoding="utf-8") as out:
        for label, prompt in zip(labels, written, strict=True):
            line = {"id": label.id, "messages": list(prompt.messages), "schema": prompt.schema}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def read_answers(file: Path) -> dict[str, Any]:
    """One JSON object a line: `id` and `answer`, an object as the prompt's schema wants it."""
    lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    return {line["id"]: line["answer"] for line in lines}
