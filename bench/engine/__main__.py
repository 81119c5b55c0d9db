"""Measure the engine on labelled questions of real pages: see `make bench-engine ARGS=--help`."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, get_args

from bench.browser.corpus import QUESTIONS
from bench.browser.table import Table, say
from bench.engine.asking import (
    Asked,
    answers_to,
    ask_all,
    dump_prompts,
    learn,
    prompt_holds,
    prompts,
    questions,
    read_answers,
    right_answer,
    unmapped,
)
from bench.engine.cost import print_costs
from bench.engine.labels import Label, of_split, read_labels
from bench.engine.peers import bm25_ranks, e5_ranks
from bench.engine.scans import scanned_pages
from bench.engine.scripted import Rule, scripted_model
from bench.engine.tokens import count_tokens
from engine.evaluation import LabelledQuestion, QuestionResult, Score
from engine.remote.prompting import AnswerPrompt
from engine.types import EngineConfig, Page

_COLUMNS = ("questions", "top-1", "top-3", "plans", "refused", "false ref.")


def main() -> None:
    """Print a row a page, the contenders in one table, and the summary."""
    options = _options()
    folder = Path(os.environ.get("QUESTIONS") or QUESTIONS).resolve()
    if not (folder / "questions.jsonl").is_file():
        say(f"bench-engine: skipped, no questions.jsonl in {folder}: set QUESTIONS to a folder that has one")
        say('{"skipped": true}')
        return
    read = read_answers(options.answers) if options.answers else None
    labels = [label for label in of_split(read_labels(folder), options.split) if read is None or label.id in read]
    scans = scanned_pages(folder, labels)
    pages = {name: learn(scanned) for name, scanned in scans.items()}
    asked = questions(labels, scans)
    written = prompts(asked, pages)
    try:
        replayed = None if read is None else answers_to(read, labels, written)
    except ValueError as error:
        raise SystemExit(f"bench-engine: {error}") from error
    with _base_url(options, asked, written, pages) as base_url:
        result = ask_all(labels, asked, pages, _config(options, base_url), replayed)
    if options.dump_prompts:
        dump_prompts(options.dump_prompts, labels, written)
        say(f"{len(written)} prompts in {options.dump_prompts}")
    if options.misses:
        _print_misses(result, pages)
    _print_pages(result)
    _print_unmapped(labels, asked, pages)
    say()
    _print_contenders(result.score, asked, pages, with_e5=not options.no_e5)
    print_costs(asked, written)
    answers = replayed or {
        label.id: right_answer(question, prompt, pages[question.page])
        for label, question, prompt in zip(labels, asked, written, strict=True)
    }
    say(json.dumps(_summary(result, asked, written, answers)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-engine", description="Measure the engine on labelled questions.")
    parser.add_argument("--split", choices=("all", "tuned", "held"), default="all", help="only one half of the pages")
    parser.add_argument("--misses", action="store_true", help="list what was not answered right")
    parser.add_argument("--no-e5", action="store_true", help="leave the embedding model out")
    parser.add_argument("--dump-prompts", type=Path, metavar="FILE", help="write what a model would be asked")
    parser.add_argument(
        "--answers", type=Path, metavar="FILE", help="score a model's answers to dumped prompts, those questions only"
    )
    parser.add_argument(
        "--scripted", choices=get_args(Rule), help="ask a local server that knows the labels, or takes the first id"
    )
    parser.add_argument("--model", default="", help="the model to ask at MODEL=base_url (default: its first one)")
    return parser.parse_args()


def _base_url(
    options: argparse.Namespace,
    asked: Sequence[LabelledQuestion],
    written: Sequence[AnswerPrompt],
    pages: Mapping[str, Page],
) -> AbstractContextManager[str]:
    if options.scripted:
        return scripted_model(options.scripted, asked, written, pages)
    return nullcontext(os.environ.get("MODEL", ""))


def _config(options: argparse.Namespace, base_url: str) -> EngineConfig:
    if not base_url:
        return EngineConfig()
    return EngineConfig(
        provider="openai",
        base_url=base_url,
        model=options.model or "default",
        api_key=os.environ.get("MODEL_KEY", ""),
        timeout_s=60.0,
    )


def _print_pages(result: Asked) -> None:
    table = Table("page", 36, ("single", "top-1", "top-3", "plans", "refused", "false ref."))
    by_page: dict[str, list[QuestionResult]] = {}
    for row in result.score.rows:
        by_page.setdefault(row.question.page, []).append(row)
    for page, rows in by_page.items():
        single = [row for row in rows if row.question.kind == "single"]
        plans = [row for row in rows if row.question.kind == "plan"]
        absent = [row for row in rows if row.question.kind == "absent"]
        table.row(
            page.removeprefix("pages/"),
            (
                str(len(single)),
                _of(row.rank == 1 for row in single),
                _of(1 <= row.rank <= 3 for row in single),
                _of(row.right for row in plans),
                _of(row.right for row in absent),
                _of(not row.steps for row in (*single, *plans)),
            ),
        )


def _print_unmapped(labels: Sequence[Label], asked: Sequence[LabelledQuestion], pages: Mapping[str, Page]) -> None:
    unscanned, unlearnt = unmapped(asked, pages)
    say()
    say(f"not in the scan: {_ids(labels, unscanned)}")
    say(f"in the scan, but no goal of the learnt page: {_ids(labels, unlearnt)}")


def _ids(labels: Sequence[Label], numbers: Sequence[int]) -> str:
    return f"{len(numbers)} {' '.join(labels[number].id for number in numbers)}".strip()


def _print_contenders(
    ours: Score, asked: Sequence[LabelledQuestion], pages: Mapping[str, Page], *, with_e5: bool
) -> None:
    table = Table("method", 36, _COLUMNS)
    rows = {"ours": [row.rank for row in ours.rows], "BM25 alone": bm25_ranks(asked, pages)}
    e5 = e5_ranks(asked, pages) if with_e5 else None
    if e5 is None:
        say("e5 alone: left out")
    else:
        rows["e5 alone"] = e5
    for name, ranks in rows.items():
        single = [rank for rank, question in zip(ranks, asked, strict=True) if question.kind == "single"]
        cells = [str(len(asked)), _share(rank == 1 for rank in single), _share(1 <= rank <= 3 for rank in single)]
        # The others only rank: they neither plan nor refuse.
        own = [_percent(ours.plan_exact), _percent(ours.absent_refused), _percent(ours.false_refusals)]
        table.row(name, [*cells, *(own if name == "ours" else ["–"] * 3)])


def _print_misses(result: Asked, pages: Mapping[str, Page]) -> None:
    for label, row in zip(result.labels, result.score.rows, strict=True):
        if row.right and (row.question.kind != "single" or row.rank == 1):
            continue
        goals = {intent.selector: intent.user_goal for intent in pages[label.page].intents}
        wanted = " → ".join(" or ".join(goals.get(one, "?") for one in step) for step in row.question.targets)
        got = " → ".join(goals[selector] for selector in row.steps)
        say(f"{label.id} [{row.question.kind}, rank {row.rank}] {label.question}")
        say(f"    wanted {wanted or '(nothing)'}\n    got    {got or '(nothing)'}")


def _summary(
    result: Asked,
    asked: Sequence[LabelledQuestion],
    written: Sequence[AnswerPrompt],
    answers: Mapping[str, Any],
) -> dict[str, float | int | None]:
    tokens = count_tokens(["\n".join(str(message["content"]) for message in one.messages) for one in written])
    said = count_tokens([json.dumps(answer, ensure_ascii=False) for answer in answers.values()])
    answerable = [(q, prompt) for q, prompt in zip(asked, written, strict=True) if q.kind != "absent"]
    held = [prompt_holds(question, prompt) for question, prompt in answerable]
    score = result.score
    return {
        "questions": len(asked),
        "top1": round(score.top1, 4),
        "top3": round(score.top3, 4),
        "recall_prompt": round(sum(held) / max(1, len(held)), 4),
        "plan_exact": round(score.plan_exact, 4),
        "absent_refused": round(score.absent_refused, 4),
        "false_refusals": round(score.false_refusals, 4),
        "prompt_tokens_p95": None if tokens is None else int(_p95(tokens)),
        "answer_tokens_p95": int(_p95(said)) if said else None,
        "local_ms_p95": round(_p95(result.milliseconds), 2) if result.milliseconds else None,
    }


def _p95(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


def _of(outcomes: Iterable[bool]) -> str:
    results = list(outcomes)
    return f"{sum(results)}/{len(results)}"


def _share(outcomes: Iterable[bool]) -> str:
    results = list(outcomes)
    return _percent(sum(results) / max(1, len(results)))


def _percent(share: float) -> str:
    return f"{share:.0%}"


if __name__ == "__main__":
    main()
