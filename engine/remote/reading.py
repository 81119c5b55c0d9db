"""From what a model wrote to an answer that may be shown: elements of the list only, told in our own words.

A model gives ids and a title. The sentences are written here, from the page's own labels and in the asker's language:
that is a third of the tokens, and no page can talk a model into a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from engine.guardrails import TITLE_LENGTH, asks_for_secret, clean_words, phrases_of, repeats, unmarked
from engine.hedging import OnStep
from engine.local.agreement import named_option
from engine.local.evidence import page_evidence
from engine.local.planning import Draft, with_openers
from engine.local.provider import write_steps
from engine.local.question import read_question
from engine.local.states import wants_ticked
from engine.prompts import prompt_text, prompt_version
from engine.remote.growing import IdReader
from engine.remote.prompting import AnswerPrompt
from engine.remote.speech import is_in
from engine.types import AnswerDraft, Intent, Locale, Page, Rejected, StepDraft

MOST_STEPS = 6


class GrowingAnswer:
    """Tells of each step of an answer once it is settled, in order, with what opens the way to it.

    A step is settled when the next id is there or the list has closed: its sentence may say that another follows, or
    that it is the last. Of a plan that reviewers rejected nothing is told: steps are held back while they could still
    become one. When the model is asked again after steps were told, the rest comes with the whole answer only.
    """

    def __init__(
        self, prompt: AnswerPrompt, page: Page, *, locale: Locale, avoid: Sequence[Rejected], on_step: OnStep
    ) -> None:
        self._prompt = prompt
        self._page = page
        self._locale = locale
        self._avoid = [list(one.intent_ids) for one in avoid]
        self._on_step = on_step
        self._told: list[StepDraft] = []

    def listen(self) -> Callable[[str], None]:
        """Give who hears one text of the model from its beginning."""
        reader = IdReader()
        said: list[str] = []
        is_first = not self._told

        def hear(text: str) -> None:
            was_done = reader.is_done
            new = reader.feed(text)
            said.extend(new)
            if is_first and (new or reader.is_done > was_done):
                self._tell(chosen_of(said, self._prompt), is_done=reader.is_done)

        return hear

    def _tell(self, chosen: Sequence[Intent], *, is_done: bool) -> None:
        steps = written(chosen, self._prompt, self._page, self._locale)
        settled = steps if is_done else steps[: len(with_openers(chosen[:-1], self._page))]
        if _could_be_rejected(chosen, steps, self._avoid, is_done=is_done):
            return
        if list(settled[: len(self._told)]) != self._told:
            return
        for index, step in enumerate(settled[len(self._told) :], start=len(self._told)):
            self._told.append(step)
            self._on_step(index, step)


def read_answer(
    data: Mapping[str, Any] | None,
    prompt: AnswerPrompt,
    page: Page,
    *,
    locale: Locale,
    avoid: Sequence[Rejected] = (),
) -> tuple[AnswerDraft | None, str]:
    """Read what a model answered to the prompt: the answer, or None and what is wrong with it."""
    listed = data.get("steps") if data is not None else None
    if data is None or not isinstance(listed, list):
        return None, "the answer is not JSON" if data is None else '"steps" is missing'
    chosen = chosen_of(listed, prompt)
    if listed and not chosen:
        return None, "no step is an id of the list"
    draft = planned(chosen, prompt, page)
    steps = _written(draft, page, locale)
    if steps and _could_be_rejected(chosen, steps, [list(one.intent_ids) for one in avoid], is_done=True):
        return None, "this plan was rejected before"
    title = _title(data.get("title"), locale) if steps else ""
    if steps and not title:
        title = next(step.title for step in steps if step.intent_id == chosen[0].intent_id)
    version = prompt_version("answer", locale)
    return AnswerDraft(title, steps, "openai", "", version, choices=draft.plan.choices), ""


def chosen_of(said: Iterable[object], prompt: AnswerPrompt) -> list[Intent]:
    """The intents that ids stand for: those of the list, each once, no more than a guide may have."""
    found = (prompt.by_short_id.get(str(one)) for one in said if isinstance(one, str | int))
    return list({intent.intent_id: intent for intent in found if intent is not None}.values())[:MOST_STEPS]


def written(chosen: Sequence[Intent], prompt: AnswerPrompt, page: Page, locale: Locale) -> tuple[StepDraft, ...]:
    """The steps on these intents, in the asker's language."""
    return _written(planned(chosen, prompt, page), page, locale)


def planned(chosen: Sequence[Intent], prompt: AnswerPrompt, page: Page) -> Draft:
    """The plan of these intents, each hidden one after what reveals it, with the option of a list and the state of a
    box that the question asks for: they are read from its words, whoever chose the intents."""
    ordered = with_openers(chosen, page)
    evidence = page_evidence(page)
    read = read_question(prompt.question, evidence.vocabulary)
    choices = {intent.intent_id: option for intent in ordered if (option := named_option(intent, read, evidence))}
    ticks = {intent.intent_id: wanted for intent in ordered if (wanted := wants_ticked(read, intent)) is not None}
    return Draft(tuple(ordered), 1.0, choices, None, ticks)


def _written(draft: Draft, page: Page, locale: Locale) -> tuple[StepDraft, ...]:
    return tuple(map(unmarked, write_steps(draft, page, locale)))


def _could_be_rejected(
    chosen: Sequence[Intent], steps: Sequence[StepDraft], avoid: Sequence[list[str]], *, is_done: bool
) -> bool:
    """Tell whether a plan is one that reviewers rejected, with or without what opens the way, or may become one."""
    plans = [intent.intent_id for intent in chosen], [step.intent_id for step in steps]
    return any(ids == plan or (not is_done and ids[: len(plan)] == plan) for ids in avoid for plan in plans)


def _title(said: object, locale: Locale) -> str:
    """A model's title, cleaned; empty when it asks for a secret, is in another language or repeats the instructions."""
    title = clean_words(said, TITLE_LENGTH) if isinstance(said, str) else ""
    is_unfit = asks_for_secret(title) or not is_in(title, locale) or repeats(title, _instructions())
    return "" if is_unfit else title


@cache
def _instructions() -> frozenset[tuple[str, ...]]:
    return phrases_of(prompt_text("answer", "fr")) | phrases_of(prompt_text("answer", "en"))
