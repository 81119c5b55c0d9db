"""What a model is asked for an answer: goals under short ids, and the schema that lets only those ids come back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from engine.compact import as_data, listing
from engine.guardrails import visible
from engine.prompts import prompt_text
from engine.remote.protocols import Message
from engine.types import Intent, Locale, Page

_HEADING_LENGTH = 80
_REJECTED = {"fr": "Plans déjà refusés, à ne pas proposer :", "en": "Plans already rejected, do not propose:"}


@dataclass(frozen=True, slots=True)
class AnswerPrompt:
    """What a model is asked: the messages, the schema of its answer, and the intents behind the short ids."""

    messages: tuple[dict[str, str], ...]
    schema: dict[str, object]
    by_short_id: dict[str, Intent]


def answer_prompt(
    question: str,
    page: Page,
    *,
    locale: Locale,
    page_title: str = "",
    avoid: Sequence[Sequence[str]] = (),
) -> AnswerPrompt:
    """Write the prompt for a question that is already masked. Without intents there is nothing to ask."""
    offered = listing(question, page)
    short = {intent.intent_id: short_id for short_id, intent in offered.by_short_id.items()}
    refused = [[short[one] for one in ids] for ids in avoid if ids and all(one in short for one in ids)]
    lines = ["<page>", _data(page_title or page.name)[:_HEADING_LENGTH], *map(visible, offered.lines), "</page>"]
    if refused:
        lines.append(f"{_REJECTED[locale]} {json.dumps(refused)}")
    lines.append(f"<question>{_data(question)}</question>")
    messages = (Message("system", prompt_text("answer", locale)), Message("user", "\n".join(lines)))
    return AnswerPrompt(
        tuple(message.to_json() for message in messages), _answer_schema(list(offered.by_short_id)), offered.by_short_id
    )


def closed_object(properties: dict[str, object]) -> dict[str, object]:
    """The schema of an object with these properties, all required, and no others: what strict servers want."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _data(text: str) -> str:
    return as_data(visible(text))


def _answer_schema(ids: Sequence[str]) -> dict[str, object]:
    step = closed_object(
        {"i": {"type": "string", "enum": list(ids)}, "title": {"type": "string"}, "text": {"type": "string"}}
    )
    return closed_object({"title": {"type": "string"}, "steps": {"type": "array", "items": step}})
