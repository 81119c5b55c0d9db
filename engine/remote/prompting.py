"""What a model is asked for an answer: elements under short ids, and the schema that lets only those ids come back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.compact import as_data, tokens_of
from engine.guardrails import visible
from engine.prompts import prompt_text
from engine.remote.listing import listing
from engine.remote.protocols import Message
from engine.types import Intent, Locale, Page, Rejected

# What a prompt costs at most, the question and the answer's rules included, unless a question is very long.
PROMPT_TOKENS = 498
_FEWEST_LISTED = 120
_HEADING_LENGTH = 60
# What reviewers wrote teaches, and must leave room for the page.
_REASON_LENGTH = 120
_MOST_REJECTED = 3
_REJECTED = {"fr": "Plans déjà refusés, à ne pas proposer :", "en": "Plans already rejected, do not propose:"}


@dataclass(frozen=True, slots=True)
class AnswerPrompt:
    """What a model is asked: the messages, the schema of its answer, and the intents behind the short ids."""

    question: str
    messages: tuple[dict[str, str], ...]
    schema: dict[str, object]
    by_short_id: dict[str, Intent]


def answer_prompt(
    question: str,
    page: Page,
    *,
    locale: Locale,
    page_title: str = "",
    avoid: Sequence[Rejected] = (),
) -> AnswerPrompt:
    """Write the prompt for a question that is already masked. Without intents there is nothing to ask."""
    instructions, heading, asked = prompt_text("answer", locale), _heading(page_title or page.name), _data(question)
    refused_already = _refused(avoid, locale, {})
    spent = tokens_of(f"{instructions} {heading} {asked} <page></page><question></question>{refused_already}")
    offered = listing(question, page, locale=locale, most_tokens=max(_FEWEST_LISTED, PROMPT_TOKENS - spent))
    short = {intent.intent_id: short_id for short_id, intent in offered.by_short_id.items()}
    lines = ["<page>", heading, *map(visible, offered.lines), "</page>"]
    if refused := _refused([one for one in avoid if short.keys() >= set(one.intent_ids)], locale, short):
        lines.append(refused)
    lines.append(f"<question>{asked}</question>")
    messages = (Message("system", instructions), Message("user", "\n".join(lines)))
    return AnswerPrompt(
        question,
        tuple(message.to_json() for message in messages),
        _answer_schema(list(offered.by_short_id)),
        offered.by_short_id,
    )


def closed_object(properties: dict[str, object]) -> dict[str, object]:
    """The schema of an object with these properties, all required, and no others: what strict servers want."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _heading(text: str) -> str:
    return _data(text)[:_HEADING_LENGTH].strip()


def _refused(avoid: Sequence[Rejected], locale: Locale, short: Mapping[str, str]) -> str:
    """Say which plans reviewers rejected, and why: nothing when there are none."""
    plans = [
        {"steps": [short.get(one, "00") for one in rejected.intent_ids]}
        | ({"reason": _data(rejected.reason)[:_REASON_LENGTH]} if rejected.reason else {})
        for rejected in avoid[:_MOST_REJECTED]
        if rejected.intent_ids
    ]
    return f"{_REJECTED[locale]} {json.dumps(plans, ensure_ascii=False)}" if plans else ""


def _data(text: str) -> str:
    return as_data(visible(text))


def _answer_schema(ids: Sequence[str]) -> dict[str, object]:
    steps = {"type": "array", "items": {"type": "string", "enum": list(ids)}}
    # The steps first: they are on the screen while the title is written.
    return closed_object({"steps": steps, "title": {"type": "string"}})
