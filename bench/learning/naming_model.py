"""A model that names what a prompt lists, and does what models do besides: invents, decorates, forgets."""

from __future__ import annotations

import re
from typing import Any

from tests.fakes.llm_words import Prompt

_LINE = re.compile(r"^(n\d+) \w+: (.+?)(?: \[[^\]]*\])?(?: \([^()]*\))?(?: @ .*)?$", re.MULTILINE)


class NamingModel:
    """Answers from the prompt alone, as a script of the tests' model server.

    `invented` counts the ids that it made up: one an answer as long as `invents` is set. Each seventh goal comes with
    markup, each eleventh is forgotten.
    """

    def __init__(self) -> None:
        self.invents = False
        self.invented = 0

    def __call__(self, prompt: Prompt) -> dict[str, Any]:
        said = dict(_LINE.findall(prompt.user))
        goals = [
            self._goal(number, short, said.get(short, short))
            for number, short in enumerate(prompt.ids, start=1)
            if number % 11
        ]
        if self.invents:
            self.invented += 1
            goals.insert(len(goals) // 2, {"i": "n90210", "goal": "Pay with one click", "synonyms": []})
        summary = "Une page de **gestion**." if prompt.is_french else "A <b>business</b> page."
        return {"summary": summary, "goals": goals}

    def _goal(self, number: int, short: str, said: str) -> dict[str, Any]:
        goal = said if number % 7 else f"<b>{said}</b> [plus](https://evil.example/{short})"
        return {"i": short, "goal": goal, "synonyms": [said.lower(), f"<i>{said}</i>", "", *[said] * 6]}
