"""Models that answer by a rule, over HTTP like any other: they show what our own part of the way lets through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from bench.engine.asking import right_answer
from engine.evaluation import LabelledQuestion
from engine.remote.prompting import AnswerPrompt
from engine.types import Page
from tests.fakes.llm_server import FakeLlmServer, Prompt

Rule = Literal["right", "first"]


@contextmanager
def scripted_model(
    rule: Rule, asked: Sequence[LabelledQuestion], written: Sequence[AnswerPrompt], pages: Mapping[str, Page]
) -> Iterator[str]:
    """Serve a model and give its base URL. `right` answers with the labelled elements whenever they are offered, and
    with nothing otherwise; `first` with the first element of the list, whatever is asked."""
    known = {
        prompt.messages[-1]["content"]: right_answer(question, prompt, pages[question.page])
        for question, prompt in zip(asked, written, strict=True)
    }

    def script(prompt: Prompt) -> dict[str, Any]:
        return known[prompt.user] if rule == "right" else {"steps": list(prompt.ids[:1]), "title": "Guide"}

    with FakeLlmServer() as server:
        server.script = script
        yield server.base_url
