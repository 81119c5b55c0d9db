"""Patterns of an organization's own, in a form too small to be slow.

`#` is a digit, `?` a letter, `*` one or more letters or digits; `\\` makes the next character plain. Everything else is
itself, in either case: `CLI-####`, `DOSSIER ??-*`. Whole words only: `CLI-####` is not found in `XCLI-12345`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.masking.folding import fold
from engine.masking.rules import Rule

MOST_PATTERNS = 50
LONGEST_PATTERN = 80
TOKEN = "[SENSITIVE]"  # noqa: S105 (what is written in place of a datum)

_WORD = "0-9A-Za-z\u00c0-\u024f"
_WILD = {"#": "[0-9]", "?": "[A-Za-z\u00c0-\u024f]", "*": f"[{_WORD}]{{1,64}}"}


class ExtraPatternError(ValueError):
    """One pattern cannot be used: `index` is its place, `code` one of `empty`, `too_long`, `too_many`, `too_broad`,
    `bad_escape` (a backslash at the end) and `open_star` (`*` before a letter, a digit or a wildcard)."""

    def __init__(self, index: int, code: str) -> None:
        super().__init__(f"pattern {index}: {code}")
        self.index = index
        self.code = code


def compile_extra(patterns: Sequence[str]) -> tuple[Rule, ...]:
    """Compile `patterns` for `mask`. Raises `ExtraPatternError` for the first that cannot be used.

    Too broad is what has fewer than six points: two a plain character, one a `#` or `?`, none a space or `*`.
    """
    if len(patterns) > MOST_PATTERNS:
        raise ExtraPatternError(MOST_PATTERNS, "too_many")
    return tuple(_compiled(index, pattern) for index, pattern in enumerate(patterns))


def _compiled(index: int, pattern: str) -> Rule:
    parts = _parts(index, fold(pattern)[0].strip(" "))
    if not parts:
        raise ExtraPatternError(index, "empty")
    if len(parts) > LONGEST_PATTERN:
        raise ExtraPatternError(index, "too_long")
    points = 0
    for place, (char, is_wild) in enumerate(parts):
        points += (char != "*") if is_wild else 2 * (char != " ")
        following = parts[place + 1] if place + 1 < len(parts) else (" ", False)
        if is_wild and char == "*" and (following[1] or re.match(f"[{_WORD}]", following[0])):
            raise ExtraPatternError(index, "open_star")
    if points < 6:
        raise ExtraPatternError(index, "too_broad")
    source = "".join(_WILD[char] if is_wild else re.escape(char) for char, is_wild in parts)
    return Rule(re.compile(source, re.IGNORECASE), TOKEN, edges="word")


def _parts(index: int, pattern: str) -> list[tuple[str, bool]]:
    """The characters of `pattern`, each with whether it is a wildcard."""
    parts: list[tuple[str, bool]] = []
    escaped = False
    for char in pattern:
        if char == "\\" and not escaped:
            escaped = True
            continue
        parts.append((char, char in _WILD and not escaped))
        escaped = False
    if escaped:
        raise ExtraPatternError(index, "bad_escape")
    return parts
