"""Reads the ids of an answer while a model is still writing it."""

from __future__ import annotations

_LONGEST_ID = 40


class IdReader:
    """Takes the text of a JSON object in pieces, cut anywhere, and gives each string of its `steps` as it closes.

    What stands before the object (a fence, a sentence) is passed over. It never raises: of text that is no JSON
    it gives nothing, and whether the whole is valid is for whoever reads the whole to say. `is_done` tells that the
    list has closed.
    """

    def __init__(self) -> None:
        self.is_done = False
        self._open: list[str] = []
        self._in_string = False
        self._escaped = False
        self._word: list[str] = []
        self._key = ""

    def feed(self, text: str) -> list[str]:
        """Take the next piece; return the ids that it closes, in order."""
        closed: list[str] = []
        for char in text:
            if self._in_string:
                if self._inside_string(char) and self._in_steps():
                    closed.append("".join(self._word))
            elif char == '"':
                self._in_string, self._word = True, []
            elif char == "{" or (char == "[" and self._open):
                self._open.append(char)
            elif char in "}]" and self._open:
                self.is_done |= self._in_steps()
                self._open.pop()
            elif char == ":" and len(self._open) == 1:
                self._key = "".join(self._word)
        return closed

    def _in_steps(self) -> bool:
        return self._open == ["{", "["] and self._key == "steps" and not self.is_done

    def _inside_string(self, char: str) -> bool:
        """Take a character of a string; True when it closes it."""
        if self._escaped:
            self._escaped = False
        elif char == "\\":
            self._escaped = True
        elif char == '"':
            self._in_string = False
            return True
        # An id has neither escapes nor such a length: the rest of a longer word is not kept.
        if len(self._word) <= _LONGEST_ID:
            self._word.append(char)
        return False
