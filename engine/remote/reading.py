"""From what a model wrote to steps that may be shown: elements of the list only, and its words when they are fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from engine.guardrails import TITLE_LENGTH, asks_for_secret, clean_words, guard_steps, phrases_of, repeats, unmarked
from engine.hedging import OnStep
from engine.local.planning import with_openers
from engine.local.writing import write_step
from engine.prompts import prompt_text, prompt_version
from engine.remote.growing import StepReader
from engine.remote.prompting import AnswerPrompt
from engine.remote.speech import is_in
from engine.types import AnswerDraft, Locale, Page, StepDraft

MOST_STEPS = 6


class StepCheck:
    """Takes the steps of one answer in their order and gives those that may be shown, cleaned.

    A step keeps its element and loses its words when they repeat the instructions or are in another language than
    the asker's: the local words stand for them.
    """

    def __init__(self, prompt: AnswerPrompt, page: Page, locale: Locale) -> None:
        self._prompt = prompt
        self._page = page
        self._locale = locale
        self._unused = {intent.intent_id for intent in prompt.by_short_id.values()}

    def take(self, said: object) -> StepDraft | None:
        """One step as the model wrote it; None when it may not be shown."""
        intent = self._prompt.by_short_id.get(str(said.get("i"))) if isinstance(said, Mapping) else None
        if intent is None or not isinstance(said, Mapping):
            return None
        draft = StepDraft(intent.intent_id, str(said.get("title", "")), str(said.get("text", "")))
        guarded = guard_steps([draft], self._unused)
        if not guarded:
            return None
        step = guarded[0]
        self._unused.discard(step.intent_id)
        if self.has_fit_words(step.title) and self.has_fit_words(f"{step.title}. {step.text}"):
            return step
        return unmarked(write_step(intent, locale=self._locale, page_locale=self._page.locale))

    def has_fit_words(self, text: str) -> bool:
        """Whether a text is in the asker's language and repeats nothing of the instructions."""
        return is_in(text, self._locale) and not repeats(text, _instructions())


class GrowingAnswer:
    """Tells of each step of an answer as the model closes it, once, in order, with what opens the way to it.

    Of a plan that reviewers rejected nothing is told: steps are held back while they could still become one. When the
    model is asked again after steps were told, the rest comes with the whole answer only.
    """

    def __init__(
        self, prompt: AnswerPrompt, page: Page, *, locale: Locale, avoid: Sequence[Sequence[str]], on_step: OnStep
    ) -> None:
        self._prompt = prompt
        self._page = page
        self._locale = locale
        self._avoid = [list(ids) for ids in avoid]
        self._on_step = on_step
        self._told: list[StepDraft] = []

    def listen(self) -> Callable[[str], None]:
        """Give who hears one text of the model from its beginning."""
        reader, check = StepReader(), StepCheck(self._prompt, self._page, self._locale)
        steps: list[StepDraft] = []
        is_first = not self._told

        def hear(text: str) -> None:
            for said in reader.feed(text):
                step = check.take(said) if len(steps) < MOST_STEPS else None
                if step is not None:
                    steps.append(step)
                    if is_first:
                        self._tell(steps)

        return hear

    def _tell(self, steps: Sequence[StepDraft]) -> None:
        ids = [step.intent_id for step in steps]
        if any(plan[: len(ids)] == ids for plan in self._avoid):
            return
        whole = with_ways_in(steps, self._page, self._locale)
        if list(whole[: len(self._told)]) != self._told:
            return
        for index, step in enumerate(whole[len(self._told) :], start=len(self._told)):
            self._told.append(step)
            self._on_step(index, step)


def read_answer(
    data: Mapping[str, Any] | None,
    prompt: AnswerPrompt,
    page: Page,
    *,
    locale: Locale,
    avoid: Sequence[Sequence[str]] = (),
) -> tuple[AnswerDraft | None, str]:
    """Read what a model answered to the prompt: the answer, or None and what is wrong with it."""
    listed = data.get("steps") if data is not None else None
    if not isinstance(listed, list):
        return None, "the answer is not JSON" if data is None else '"steps" is missing'
    check = StepCheck(prompt, page, locale)
    steps = [step for said in listed if (step := check.take(said)) is not None][:MOST_STEPS]
    if listed and not steps:
        return None, "no step has an id of the list with a plain title and text"
    if steps and any(list(ids) == [step.intent_id for step in steps] for ids in avoid):
        return None, "this plan was rejected before"
    title = clean_words(str(data.get("title", "")), TITLE_LENGTH) if data is not None and steps else ""
    if steps and (not title or asks_for_secret(title) or not check.has_fit_words(title)):
        title = steps[0].title
    whole = with_ways_in(steps, page, locale)
    return AnswerDraft(title, whole, "openai", "", prompt_version("answer", locale)), ""


def with_ways_in(steps: Sequence[StepDraft], page: Page, locale: Locale) -> tuple[StepDraft, ...]:
    """Put before each step on a hidden element the steps that reveal it."""
    by_id = {intent.intent_id: intent for intent in page.intents}
    written = {step.intent_id: step for step in steps}
    ordered = with_openers([by_id[step.intent_id] for step in steps], page)
    return tuple(
        written.get(intent.intent_id)
        or unmarked(write_step(intent, locale=locale, page_locale=page.locale, opens_next=True))
        for intent in ordered
    )


@cache
def _instructions() -> frozenset[tuple[str, ...]]:
    return phrases_of(prompt_text("answer", "fr")) | phrases_of(prompt_text("answer", "en"))
