"""Reads the steps of an answer while a model is still writing it."""

from __future__ import annotations

import json
from typing import Any

_LONGEST_STEP = 20_000


class StepReader:
    """Takes the text of a JSON object in pieces, cut anywhere, and gives each object of its `steps` as it closes.

    What stands before the object (a fence, a sentence) is passed over. It never raises: of text that is no JSON
    it gives nothing, and whether the whole is valid is for whoever reads the whole to say.
    """

    def __init__(self) -> None:
        self._open: list[str] = []
        self._in_string = False
        self._escaped = False
        self._word: list[str] = []
        self._key = ""
        self._in_steps = False
        self._step: list[str] | None = None

    def feed(self, text: str) -> list[dict[str, Any]]:
        """Take the next piece; return the steps that it closes, in order."""
        closed: list[dict[str, Any]] = []
        for char in text:
            if self._step is not None:
                self._step.append(char)
                if len(self._step) > _LONGEST_STEP:
                    self._step = None
            if self._in_string:
                self._inside_string(char)
            elif char == '"':
                self._in_string, self._word = True, []
            elif char in "{[":
                self._opens(char)
            elif char in "}]" and self._open:
                step = self._closes()
                if step is not None:
                    closed.append(step)
            elif char == ":" and len(self._open) == 1:
                self._key = "".join(self._word)
        return closed

    def _inside_string(self, char: str) -> None:
        if self._escaped:
            self._escaped = False
        elif char == "\\":
            self._escaped = True
        elif char == '"':
            self._in_string = False
        elif len(self._open) == 1:
            self._word.append(char)

    def _opens(self, char: str) -> None:
        if not self._open and char == "[":
            return
        self._open.append(char)
        if len(self._open) == 2:
            self._in_steps = char == "[" and self._key == "steps"
        elif len(self._open) == 3 and char == "{" and self._in_steps:
            self._step = ["{"]

    def _closes(self) -> dict[str, Any] | None:
        self._open.pop()
        if len(self._open) != 2 or self._step is None:
            return None
        text, self._step = "".join(self._step), None
        try:
            step = json.loads(text)
        except (ValueError, RecursionError):
            return None
        return step if isinstance(step, dict) else None
