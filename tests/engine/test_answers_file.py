"""Prompts that are written to a file, answered somewhere else, and read back: the bench without its corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.engine.asking import answers_to, ask_all, dump_prompts, prompts, read_answers, right_answer
from bench.engine.labels import Label
from bench.engine.scripted import scripted_model
from bench.engine.written import written_pages
from engine.types import EngineConfig

PAGES, ALL = written_pages()
ASKED = [question for question in ALL if question.page == ALL[0].page]
LABELS = [
    Label(f"q{number}", one.page, one.question, one.locale, one.kind, one.targets) for number, one in enumerate(ASKED)
]
WRITTEN = prompts(ASKED, PAGES)
RIGHT = [right_answer(one, prompt, PAGES[one.page]) for one, prompt in zip(ASKED, WRITTEN, strict=True)]


def answered(folder: Path, **changes: object) -> Path:
    """The right answers, each beside what was dumped with its prompt."""
    dumped, file = folder / "prompts.jsonl", folder / "answers.jsonl"
    dump_prompts(dumped, LABELS, WRITTEN)
    lines = [json.loads(line) for line in dumped.read_text(encoding="utf-8").splitlines()]
    kept = [
        {"id": line["id"], "prompt": line["prompt"], "answer": right, **changes}
        for line, right in zip(lines, RIGHT, strict=True)
    ]
    file.write_text("\n".join(map(json.dumps, kept)), encoding="utf-8")
    return file


def test_right_answers_to_dumped_prompts_are_scored_as_right(tmp_path: Path) -> None:
    replayed = answers_to(read_answers(answered(tmp_path)), LABELS, WRITTEN)
    score = ask_all(LABELS, ASKED, PAGES, EngineConfig(), replayed).score
    assert [row.right for row in score.rows] == [True] * len(ASKED)
    assert (score.top1, score.false_refusals) == (1.0, 0.0)


def test_answers_to_other_words_are_not_scored(tmp_path: Path) -> None:
    read = read_answers(answered(tmp_path, prompt="of last year"))
    with pytest.raises(ValueError, match="another prompt"):
        answers_to(read, LABELS, WRITTEN)


@pytest.mark.parametrize(("rule", "is_right"), [("right", True), ("first", False)])
def test_a_scripted_model_is_asked_over_http(rule, is_right) -> None:
    with scripted_model(rule, ASKED, WRITTEN, PAGES) as base_url:
        config = EngineConfig("openai", base_url, "k", "m", timeout_s=20)
        score = ask_all(LABELS, ASKED, PAGES, config).score
    assert (score.top1 == 1.0) is is_right
    assert (score.absent_refused == 1.0) is is_right
