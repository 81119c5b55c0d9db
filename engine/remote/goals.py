"""The words of a learnt page: a model names the goals of what the scan holds, in bounded groups."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.compact import as_data, compact_intent
from engine.deadline import Deadline
from engine.errors import EngineError
from engine.guardrails import GOAL_LENGTH, TEXT_LENGTH, clean_words, visible
from engine.local import learning
from engine.prompts import prompt_text, prompt_version
from engine.remote.client import Meter, complete
from engine.remote.prompting import closed_object
from engine.remote.protocols import Asked, Message
from engine.types import EngineConfig, Intent, Locale, Scan, SkillProposal

CHUNK = 30
MOST_CHUNKS = 8
GOAL_TOKENS = 45
OTHER_TOKENS = 200
_MOST_SYNONYMS = 4
_SYNONYM_LENGTH = 60


def propose_skill(scan: Scan, *, locale: Locale, config: EngineConfig, meter: Meter) -> SkillProposal:
    """Let the model word the goals of what the scan holds. What it forgets keeps the local wording."""
    draft = learning.propose_skill(scan, locale=locale)
    worded: dict[int, Intent] = {}
    summary, model, dropped = "", config.model, 0
    indexed = list(enumerate(draft.intents))[: CHUNK * MOST_CHUNKS]
    for start in range(0, len(indexed), CHUNK):
        chunk = dict(indexed[start : start + CHUNK])
        asked = _asked(draft, chunk, locale, config)
        completion = complete(config, asked, deadline=Deadline(config.timeout_s), meter=meter)
        if completion.data is None:
            raise EngineError("provider_invalid", "the answer is not JSON")
        model = completion.model
        summary = summary or clean_words(str(completion.data.get("summary", "")), TEXT_LENGTH)
        found, invented = _goals(completion.data, chunk)
        worded |= found
        dropped += invented
    return replace(
        draft,
        intents=tuple(worded.get(index, intent) for index, intent in enumerate(draft.intents)),
        summary=summary or draft.summary,
        dropped=dropped,
        provider="openai",
        model=model,
        prompt_version=prompt_version("learn", locale),
        usage=meter.total,
    )


def _asked(draft: SkillProposal, chunk: Mapping[int, Intent], locale: Locale, config: EngineConfig) -> Asked:
    lines = [f"n{index + 1} {compact_intent(intent)}" + _place(intent) for index, intent in chunk.items()]
    listed = "<page>\n" + "\n".join(visible(line) for line in (as_data(draft.name), *lines)) + "\n</page>"
    return Asked(
        config.model,
        (Message("system", prompt_text("learn", locale)), Message("user", listed)),
        "circuy_goals",
        _schema([f"n{index + 1}" for index in chunk]),
        OTHER_TOKENS + GOAL_TOKENS * len(chunk),
    )


def _goals(data: Mapping[str, Any], chunk: Mapping[int, Intent]) -> tuple[dict[int, Intent], int]:
    worded: dict[int, Intent] = {}
    invented = 0
    listed = data.get("goals")
    if not isinstance(listed, list):
        raise EngineError("provider_invalid", '"goals" is missing')
    ids = {f"n{index + 1}": index for index in chunk}
    for entry in listed:
        index = ids.get(str(entry.get("i"))) if isinstance(entry, dict) else None
        if index is None:
            invented += 1
            continue
        goal = clean_words(str(entry.get("goal", "")), GOAL_LENGTH)
        if goal and index not in worded:
            synonyms = _synonyms(entry.get("synonyms"), (*chunk[index].synonyms,))
            worded[index] = replace(chunk[index], user_goal=goal, synonyms=synonyms)
    return worded, invented


def _synonyms(said: object, fallback: Collection[str]) -> tuple[str, ...]:
    listed = said if isinstance(said, list) else []
    texts = [clean_words(text, _SYNONYM_LENGTH) for text in listed if isinstance(text, str)]
    return tuple(dict.fromkeys(text for text in texts if text))[:_MOST_SYNONYMS] or tuple(fallback)


def _place(intent: Intent) -> str:
    element = intent.element
    place = " · ".join(text for text in (element.group or element.form or element.heading, element.column) if text)
    return f" @ {as_data(place)}" if place else ""


def _schema(ids: Sequence[str]) -> dict[str, object]:
    goal = closed_object(
        {
            "i": {"type": "string", "enum": list(ids)},
            "goal": {"type": "string"},
            "synonyms": {"type": "array", "items": {"type": "string"}},
        }
    )
    return closed_object({"summary": {"type": "string"}, "goals": {"type": "array", "items": goal}})
