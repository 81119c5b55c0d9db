"""What a thousand questions cost: tokens measured on the labelled questions, times the prices of `prices.toml`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from bench.browser.table import Table, say
from bench.engine.tokens import count_tokens
from engine.evaluation import LabelledQuestion
from engine.remote.prompting import AnswerPrompt

QUESTIONS = 1_000
# The share of questions that a tour already made answers, without a model.
REUSED = (0.0, 0.5, 0.9)
_PRICES = Path(__file__).with_name("prices.toml")
_MILLION = 1_000_000


@dataclass(frozen=True)
class Measured:
    """Tokens of one answer, on average. `schema` is what the answer's JSON schema is as text: servers that write it
    into the prompt count that on top."""

    asked: float
    answered: float
    schema: float


@dataclass(frozen=True)
class Price:
    """Money for a million tokens."""

    asked: float
    answered: float


def print_costs(questions: Sequence[LabelledQuestion], written: Sequence[AnswerPrompt]) -> None:
    """Print the table of costs; one line where tokens cannot be counted."""
    measured = measure(questions, written)
    if measured is None:
        say("cost: left out, tokens cannot be counted here")
        return
    as_of, currency, prices = read_prices()
    say()
    say(
        f"a model's answer: {measured.asked:.0f} tokens asked, {measured.answered:.0f} answered on average "
        f"(the answer's schema: {measured.schema:.0f} more where a server counts it)"
    )
    say(f"{QUESTIONS:,} questions, {currency} at the list prices of {as_of}:")
    table = Table("", 22, [f"{share:.0%} reused" for share in REUSED])
    table.row("tokens", [f"{tokens_for(measured, share):,.0f}" for share in REUSED])
    for name, price in prices.items():
        table.row(name, [f"{cost_of(measured, price, share):.3f}" for share in REUSED])
    say()


def measure(questions: Sequence[LabelledQuestion], written: Sequence[AnswerPrompt]) -> Measured | None:
    """Count the prompts as they are sent, and for each the right answer as a model would write it.

    None where there is no tokenizer.
    """
    prompts = ["\n".join(str(message["content"]) for message in prompt.messages) for prompt in written]
    answers = [right_answer(question, prompt) for question, prompt in zip(questions, written, strict=True)]
    schemas = [_json(prompt.schema) for prompt in written]
    counted = count_tokens([*prompts, *answers, *schemas])
    if counted is None or not written:
        return None
    one, two = len(prompts), len(prompts) + len(answers)
    return Measured(fmean(counted[:one]), fmean(counted[one:two]), fmean(counted[two:]))


def right_answer(question: LabelledQuestion, prompt: AnswerPrompt) -> str:
    """Write the right answer to a prompt, in the form that its schema asks for. What the prompt lacks is left out."""
    steps = []
    title = ""
    for wanted in question.targets:
        offered = [one for one in prompt.by_short_id.items() if one[1].selector in wanted]
        if offered:
            short_id, intent = offered[0]
            steps.append(short_id)
            title = title or intent.user_goal
    return _json({"steps": steps, "title": title})


def tokens_for(measured: Measured, reused: float) -> float:
    """Tokens that the questions use, asked and answered, when a share of them needs no model."""
    return QUESTIONS * (1 - reused) * (measured.asked + measured.answered)


def cost_of(measured: Measured, price: Price, reused: float) -> float:
    """Money that the questions cost, when a share of them needs no model."""
    one = (measured.asked * price.asked + measured.answered * price.answered) / _MILLION
    return QUESTIONS * (1 - reused) * one


def read_prices(file: Path = _PRICES) -> tuple[str, str, Mapping[str, Price]]:
    """Read when the prices were looked up, their currency, and each model's."""
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return data["as_of"], data["currency"], {name: Price(**price) for name, price in data["models"].items()}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
