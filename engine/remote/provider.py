"""The provider for large models: it shows them goals under short ids and lets only those ids come back."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from openai.types.chat import ChatCompletionMessageParam

from engine.compact import as_data, compact_intent, compact_lines
from engine.errors import EngineError
from engine.guardrails import GOAL_LENGTH, TEXT_LENGTH, TITLE_LENGTH, clean_text, guard_steps
from engine.local import learning
from engine.local.planning import rank_intents, with_openers
from engine.local.writing import write_step
from engine.prompts import prompt_text, prompt_version
from engine.remote.client import Completion, Deadline, complete
from engine.types import AnswerDraft, EngineConfig, Intent, Locale, Page, Scan, SkillProposal, StepDraft, Usage

MOST_INTENTS = 12
MOST_STEPS = 6
_CHUNK = 30
_MOST_CHUNKS = 8
_ANSWER_TOKENS = 600
_GOAL_TOKENS = 45
_MOST_SYNONYMS = 4
_SYNONYM_LENGTH = 60


@dataclass(frozen=True, slots=True)
class RemoteProvider:
    """Fills `engine.ports.LanguageProvider` by asking the server that `config` names."""

    config: EngineConfig

    def answer(
        self,
        question: str,
        page: Page,
        *,
        locale: Locale,
        page_title: str = "",
        avoid: Sequence[Sequence[str]] = (),
    ) -> AnswerDraft:
        """Answer with the model's steps. An answer that breaks the rules is sent back once with what is wrong."""
        prompt = answer_prompt(question, page, locale=locale, page_title=page_title, avoid=avoid)
        version = prompt_version("answer", locale)
        if not prompt.by_short_id:
            return AnswerDraft("", (), "openai", self.config.model, version)
        deadline = Deadline(self.config.timeout_s)
        messages = [*prompt.messages]
        usage = Usage()
        for attempt in (1, 2):
            completion = complete(
                self.config,
                messages,
                schema_name="circuy_steps",
                schema=prompt.schema,
                max_tokens=_ANSWER_TOKENS,
                deadline=deadline,
            )
            usage += completion.usage
            answer, wrong = read_answer(completion.data, prompt, page, locale=locale, avoid=avoid)
            if answer is not None:
                return replace(answer, model=completion.model, usage=usage)
            if attempt == 1:
                messages = [*messages, *_repair_messages(completion, wrong)]
        raise EngineError("provider_invalid", wrong)

    def propose_skill(self, scan: Scan, *, locale: Locale) -> SkillProposal:
        """Let the model word the goals of what the scan holds. What it forgets keeps the local wording."""
        draft = learning.propose_skill(scan, locale=locale)
        worded: dict[int, Intent] = {}
        summary, model, dropped, usage = "", self.config.model, 0, Usage()
        indexed = list(enumerate(draft.intents))[: _CHUNK * _MOST_CHUNKS]
        for start in range(0, len(indexed), _CHUNK):
            chunk = indexed[start : start + _CHUNK]
            completion = self._word_goals(draft, chunk, locale)
            usage += completion.usage
            model = completion.model
            summary = summary or clean_text(str(completion.data.get("summary", "")), TEXT_LENGTH)
            found, invented = _goals(completion.data, dict(chunk))
            worded |= found
            dropped += invented
        intents = tuple(worded.get(index, intent) for index, intent in enumerate(draft.intents))
        return replace(
            draft,
            intents=intents,
            summary=summary or draft.summary,
            dropped=dropped,
            provider="openai",
            model=model,
            prompt_version=prompt_version("learn", locale),
            usage=usage,
        )

    def _word_goals(self, draft: SkillProposal, chunk: Sequence[tuple[int, Intent]], locale: Locale) -> Completion:
        lines = [f"n{index + 1} {compact_intent(intent)}" + _place(intent) for index, intent in chunk]
        messages: list[ChatCompletionMessageParam] = [
            {"role": "system", "content": prompt_text("learn", locale)},
            {"role": "user", "content": "<page>\n" + "\n".join((as_data(draft.name), *lines)) + "\n</page>"},
        ]
        return complete(
            self.config,
            messages,
            schema_name="circuy_goals",
            schema=_goals_schema([f"n{index + 1}" for index, _ in chunk]),
            max_tokens=200 + _GOAL_TOKENS * len(chunk),
            deadline=Deadline(self.config.timeout_s),
        )


@dataclass(frozen=True, slots=True)
class AnswerPrompt:
    """What a model is asked: the messages, the schema of its answer, and the intents behind the short ids."""

    messages: tuple[ChatCompletionMessageParam, ...]
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
    shown = shortlist(question, page)
    by_short_id = {f"i{number}": intent for number, intent in enumerate(shown, start=1)}
    messages = _answer_messages(question, page_title or page.name, shown, locale=locale, avoid=avoid)
    return AnswerPrompt(tuple(messages), _answer_schema(list(by_short_id)), by_short_id)


def read_answer(
    data: Mapping[str, Any],
    prompt: AnswerPrompt,
    page: Page,
    *,
    locale: Locale,
    avoid: Sequence[Sequence[str]] = (),
) -> tuple[AnswerDraft | None, str]:
    """Read what a model answered to the prompt: the answer, or None and what is wrong with it."""
    steps, wrong = _checked(data, prompt.by_short_id, avoid)
    if wrong:
        return None, wrong
    title = clean_text(str(data.get("title", "")), TITLE_LENGTH) or (steps[0].title if steps else "")
    complete_steps = _with_openers(steps, page, locale)
    return AnswerDraft(title if steps else "", complete_steps, "openai", "", prompt_version("answer", locale)), ""


def shortlist(question: str, page: Page) -> list[Intent]:
    """The intents that a prompt shows, at most twelve, in page order: the best ranked, then fields and buttons."""
    if len(page.intents) <= MOST_INTENTS:
        return list(page.intents)
    ranked = rank_intents(question, page)
    best = [entry.intent for entry in ranked if entry.score > 0][:MOST_INTENTS]
    rest = [entry.intent for entry in ranked if entry.intent not in best]
    rest.sort(key=lambda intent: (intent.action_type == "navigate", not intent.element.required))
    chosen = [*best, *rest[: MOST_INTENTS - len(best)]]
    return sorted(chosen, key=lambda intent: intent.element.position)


def _answer_messages(
    question: str,
    heading: str,
    shown: Sequence[Intent],
    *,
    locale: Locale,
    avoid: Sequence[Sequence[str]],
) -> list[ChatCompletionMessageParam]:
    short = {intent.intent_id: f"i{number}" for number, intent in enumerate(shown, start=1)}
    refused = [[short[one] for one in ids] for ids in avoid if ids and all(one in short for one in ids)]
    lines = ["<page>", as_data(heading)[:80], *compact_lines(shown), "</page>"]
    if refused:
        label = (
            "Plans déjà refusés, à ne pas proposer :" if locale == "fr" else "Plans already rejected, do not propose:"
        )
        lines.append(f"{label} {json.dumps(refused)}")
    lines.append(f"<question>{as_data(question)}</question>")
    return [
        {"role": "system", "content": prompt_text("answer", locale)},
        {"role": "user", "content": "\n".join(lines)},
    ]


def _checked(
    data: Mapping[str, Any], by_short_id: Mapping[str, Intent], avoid: Sequence[Sequence[str]]
) -> tuple[tuple[StepDraft, ...], str]:
    """The steps that may be shown, and what is wrong with the answer, if anything."""
    listed = data.get("steps")
    if not isinstance(listed, list):
        return (), '"steps" is missing'
    drafts = [
        StepDraft(by_short_id[step["i"]].intent_id, str(step.get("title", "")), str(step.get("text", "")))
        for step in listed
        if isinstance(step, dict) and isinstance(step.get("i"), str) and step["i"] in by_short_id
    ]
    known = {intent.intent_id for intent in by_short_id.values()}
    steps = guard_steps(drafts, known)[:MOST_STEPS]
    if listed and not steps:
        return (), "no step has an id of the list with a plain title and text"
    if steps and any(tuple(ids) == tuple(step.intent_id for step in steps) for ids in avoid):
        return (), "this plan was rejected before"
    return steps, ""


def _repair_messages(completion: Completion, wrong: str) -> list[ChatCompletionMessageParam]:
    return [
        {"role": "assistant", "content": json.dumps(completion.data, ensure_ascii=False)[:2000]},
        {"role": "user", "content": f"Invalid: {wrong}. Answer again, same format."},
    ]


def _with_openers(steps: Sequence[StepDraft], page: Page, locale: Locale) -> tuple[StepDraft, ...]:
    by_id = {intent.intent_id: intent for intent in page.intents}
    written = {step.intent_id: step for step in steps}
    ordered = with_openers([by_id[step.intent_id] for step in steps], page)
    return tuple(
        written.get(intent.intent_id) or write_step(intent, locale=locale, page_locale=page.locale, opens_next=True)
        for intent in ordered
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
        goal = clean_text(str(entry.get("goal", "")), GOAL_LENGTH)
        if goal and index not in worded:
            synonyms = _synonyms(entry.get("synonyms"), (*chunk[index].synonyms,))
            worded[index] = replace(chunk[index], user_goal=goal, synonyms=synonyms)
    return worded, invented


def _synonyms(said: object, fallback: Collection[str]) -> tuple[str, ...]:
    texts = (
        [clean_text(text, _SYNONYM_LENGTH) for text in said if isinstance(text, str)] if isinstance(said, list) else []
    )
    return tuple(dict.fromkeys(text for text in texts if text))[:_MOST_SYNONYMS] or tuple(fallback)


def _place(intent: Intent) -> str:
    element = intent.element
    place = " · ".join(text for text in (element.group or element.form or element.heading, element.column) if text)
    return f" @ {as_data(place)}" if place else ""


def _answer_schema(ids: Sequence[str]) -> dict[str, object]:
    step = _object(
        {"i": {"type": "string", "enum": list(ids)}, "title": {"type": "string"}, "text": {"type": "string"}}
    )
    return _object({"title": {"type": "string"}, "steps": {"type": "array", "items": step}})


def _goals_schema(ids: Sequence[str]) -> dict[str, object]:
    goal = _object(
        {
            "i": {"type": "string", "enum": list(ids)},
            "goal": {"type": "string"},
            "synonyms": {"type": "array", "items": {"type": "string"}},
        }
    )
    return _object({"summary": {"type": "string"}, "goals": {"type": "array", "items": goal}})


def _object(properties: dict[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
