"""Measure answer times over HTTP, in a stack of its own: `make bench-answers ARGS="--askers 16 …"`."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

from bench.answers.asking import Answered, Asker
from bench.answers.stack import Stack, running_stack
from bench.browser.table import Table, say
from tests.fakes.llm_server import FakeLlmServer

ROUTE = "/maison-oree/factures/nouvelle/"
GOAL = "Comment ajouter une remise"
FIRST_TOKEN_S = 0.32
TOKENS_A_SECOND = 190
# The server of the tests writes five characters at a time, and four make a token.
PIECE_S = 5 / 4 / TOKENS_A_SECOND
GOALS = {"model_p95_ms": 800, "model_own_p95_ms": 25, "first_step_ratio": 1.2}


def main() -> None:
    """Print a table, and the summary as one JSON object on the last line."""
    parser = argparse.ArgumentParser(prog="make bench-answers", description="Measure how long answers take.")
    parser.add_argument("--askers", type=int, default=16, help="people who ask at the same time (default: 16)")
    parser.add_argument("--questions", type=int, default=10, help="questions of each of them (default: 10)")
    options = parser.parse_args()
    # Nobody here is a flood, and a stream finds room.
    os.environ.update(RATE_LIMIT_ASK_PER_MINUTE="10000", DEMO="true")
    with running_stack() as stack, FakeLlmServer(first_s=FIRST_TOKEN_S, piece_s=PIECE_S) as model:
        say(f"{options.askers} askers, {options.questions} questions each. Milliseconds.")
        say(f"A model with {FIRST_TOKEN_S * 1000:.0f} ms to its first token and {TOKENS_A_SECOND} tokens a second.\n")
        print(json.dumps(_measure(stack, model, options.askers, options.questions)))  # noqa: T201


def _measure(stack: Stack, model: FakeLlmServer, askers: int, questions: int) -> dict[str, Any]:
    numbers = count()

    def fresh(_asker: int) -> str:
        """Words that nobody has asked before."""
        return f"{GOAL}, cas {next(numbers)} ?"

    table = Table("answer", 22, ["p50", "p95", "p99", "first 95", "own p95", "streamed"])
    with Crowd(stack, askers) as crowd:
        crowd.warm_up(fresh)
        local = crowd.ask(fresh, questions)
        _row(table, "local engine", local, None)
        visitors = {one.question: one.visitor for one in local}
        words = list(visitors)
        history = crowd.ask(lambda asker: words[asker % len(words)], questions, visitors)
        _row(table, "history", history, None)
        stack.use_model(model.base_url)
        crowd.ask(fresh, 1)  # every worker has then loaded what asks models
        made = crowd.ask(fresh, questions)
        _row(table, "model", made, model)
        alone = [crowd.one(fresh(0)) for _ in range(questions)]
        _row(table, "model, one asker", alone, model)
        stack.publish_all()
        published = crowd.ask(lambda _asker: f"{GOAL} ?", questions)
        _row(table, "published", published, None)
    for answered, source in ((local, "local"), (history, "history"), (made, "llm"), (published, "published")):
        _check(answered, source)
    return {
        "askers": askers,
        "published_p95_ms": _ms(published, 95),
        "history_p95_ms": _ms(history, 95),
        "local_p95_ms": _ms(local, 95),
        "model_p95_ms": _ms(made, 95),
        "model_own_p95_ms": _percentile(_own(made, model), 95),
        "model_alone_p95_ms": _ms(alone, 95),
        "model_alone_own_p95_ms": _percentile(_own(alone, model), 95),
        "first_step_ratio": round(_first_ratio(alone, model), 2),
        "goals": GOALS,
    }


class Crowd:
    """People who ask at the same time, each on a connection of their own."""

    def __init__(self, stack: Stack, askers: int) -> None:
        self._askers = [Asker(stack.url, stack.key, ROUTE) for _ in range(askers)]
        self._pool = ThreadPoolExecutor(askers)

    def __enter__(self) -> Crowd:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()
        for asker in self._askers:
            asker.close()

    def ask(self, words: Callable[[int], str], times: int, visitors: dict[str, str] | None = None) -> list[Answered]:
        """Have everybody ask so many questions, one after the other; `visitors` says who asks what."""

        def run(number: int) -> list[Answered]:
            asker = self._askers[number]
            asked = [words(number) for _ in range(times)]
            return [asker.ask(question, (visitors or {}).get(question, "")) for question in asked]

        return [answered for some in self._pool.map(run, range(len(self._askers))) for answered in some]

    def warm_up(self, words: Callable[[int], str]) -> None:
        """Have each ask once while nobody else does: every process has then read the page."""
        for number, asker in enumerate(self._askers):
            asker.ask(words(number))

    def one(self, question: str) -> Answered:
        """Have one of them ask while nobody else does."""
        return self._askers[0].ask(question)


def _row(table: Table, name: str, answered: Sequence[Answered], model: FakeLlmServer | None) -> None:
    own = _own(answered, model) if model is not None else [one.whole_s for one in answered]
    table.row(
        name,
        [
            *(f"{_ms(answered, share):.0f}" for share in (50, 95, 99)),
            f"{_percentile([one.first_s for one in answered], 95):.0f}",
            f"{_percentile(own, 95):.0f}",
            f"{sum(one.was_streamed for one in answered)}/{len(answered)}",
        ],
    )


def _own(answered: Sequence[Answered], model: FakeLlmServer) -> list[float]:
    """What each answer took beside the model's own time, in seconds."""
    return [one.whole_s - model.served[one.question].whole_s for one in answered if one.question in model.served]


def _first_ratio(answered: Sequence[Answered], model: FakeLlmServer) -> float:
    """The time to the first step on screen beside the model's time to write it, at the median."""
    ratios = []
    for one in answered:
        served = model.served.get(one.question)
        if served is not None and one.steps:
            ratios.append(one.first_s / served.step_s)
    return sorted(ratios)[len(ratios) // 2] if ratios else 0.0


def _check(answered: Sequence[Answered], source: str) -> None:
    others = {one.source for one in answered} - {source}
    if others:
        raise SystemExit(f"answers should have come from {source}, some came from {', '.join(sorted(others))}")


def _ms(answered: Sequence[Answered], share: int) -> float:
    return _percentile([one.whole_s for one in answered], share)


def _percentile(seconds: Sequence[float], share: int) -> float:
    """Milliseconds within which so many percent are."""
    ordered = sorted(seconds)
    return round(ordered[min(len(ordered) - 1, len(ordered) * share // 100)] * 1000, 1) if ordered else 0.0


if __name__ == "__main__":
    main()
