"""One log for all children: each line begins with who says it."""

import sys
import threading
from typing import TextIO

_COLOURS = {"web": 36, "questions": 32, "learning": 35, "clock": 34, "services": 33}
_WIDTH = max(map(len, _COLOURS))


class MergedLog:
    """Writes whole lines, whoever writes at the same time; in colour on a terminal."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._one_at_a_time = threading.Lock()
        self._colour = self._out.isatty()

    def line(self, who: str, text: str) -> None:
        """A line of a child's."""
        if text:
            self._write(f"{self._painted(who)} │ {text}")

    def say(self, text: str) -> None:
        """Something of the supervisor's own, without a prefix."""
        self._write(text)

    def _painted(self, who: str) -> str:
        name = who.ljust(_WIDTH)
        return f"\x1b[{_COLOURS.get(who, 37)}m{name}\x1b[0m" if self._colour else name

    def _write(self, text: str) -> None:
        with self._one_at_a_time:
            self._out.write(f"{text}\n")
            self._out.flush()
