"""The part of a sentence that is being read, and where the conversation stands when it is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from shadow.conversation.acts import Act
from shadow.conversation.said import Said

State = Literal[
    "idle",
    "proposing",
    "choosing_machine",
    "observing",
    "reviewing",
    "naming",
    "confirming",
    "built",
    "persisted",
    "cancelled",
]
# What Léa asked last, where that decides how an answer is read.
Asked = Literal["", "step_words", "split_event", "rather"]

WITH_STEPS: frozenset[State] = frozenset({"reviewing", "naming", "confirming"})


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a conversation stands."""

    state: State = "idle"
    asked: Asked = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """A stretch of a sentence, without the courtesies around it. ``is_question``: it ended with a question mark."""

    said: Said
    begin: int
    end: int
    setting: Setting
    is_question: bool = False

    @property
    def plain(self) -> str:
        return self.said.plain[self.begin : self.end]

    def whole(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Match a pattern with all of it."""
        return pattern.fullmatch(self.said.plain, self.begin, self.end)

    def part(self, begin: int, end: int) -> Scope:
        """Return a shorter stretch, without spaces around it."""
        plain = self.said.plain
        while begin < end and plain[begin] == " ":
            begin += 1
        while end > begin and plain[end - 1] == " ":
            end -= 1
        return replace(self, begin=begin, end=end)

    def words(self, found: re.Match[str], group: str) -> str:
        """Return the words of a group as they were said."""
        return self.said.named(*found.span(group)) if found[group] else ""

    def is_quoted(self, found: re.Match[str], group: str) -> bool:
        """Whether a group is one quotation and nothing else."""
        return re.fullmatch(r"\W*⟦\d⟧\W*", found[group] or "") is not None


Reading = Callable[[re.Match[str], Scope], Act | None]
Rules = Sequence[tuple[re.Pattern[str], Reading]]


def read(rules: Rules, scope: Scope) -> Act | None:
    """Return what the first rule that matches makes of the scope."""
    for pattern, reading in rules:
        found = scope.whole(pattern)
        if found is not None:
            act = reading(found, scope)
            if act is not None:
                return act
    return None
