"""Plain tables on standard output."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def say(line: str = "") -> None:
    """Print a line at once: a bench takes minutes, and people watch it."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Table:
    """Rows under a header, printed as they come. The first column is text, the others are flush right."""

    def __init__(self, first: str, first_width: int, columns: Sequence[str]) -> None:
        self._first_width = first_width
        self._widths = [max(len(column), 7) for column in columns]
        self.row(first, list(columns))
        say("─" * (first_width + sum(width + 2 for width in self._widths)))

    def row(self, first: str, cells: Sequence[str]) -> None:
        shown = first if len(first) <= self._first_width else "…" + first[-self._first_width + 1 :]
        say(
            shown.ljust(self._first_width)
            + "".join(f"  {cell:>{width}}" for cell, width in zip(cells, self._widths, strict=True))
        )
