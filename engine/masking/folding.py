"""One plain form for the many ways to write a digit, a space or a dash. See `about` in `rules.json`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from engine.masking.table import TABLE

STYLED_LETTER = "x"
IDEOGRAPH = "\u4e00"
OTHER = "\ufffc"
_PLAIN = re.compile(r"[ -~\u00C0-\u012F\u0132-\u017E\u20AC]*")

# Every text that a rule of ours can touch has a digit of some script, an at sign, or "(at)".
TRIGGER = re.compile(r"[\d@\uFE6B\uFF20]|[(\[\uFF08\uFF3B] ?a[rt]", re.IGNORECASE)


def fold(text: str) -> tuple[str, Sequence[int]]:
    """Return the folded text, and for each of its characters the position that it comes from."""
    if _PLAIN.fullmatch(text):
        return text, range(len(text))
    kept: list[str] = []
    origins: list[int] = []
    table = _table()
    for position, char in enumerate(text):
        folded = table.get(char, char if char <= "\uffff" else _beyond_basic_plane(char))
        if folded:
            kept.append(folded)
            origins.append(position)
    return "".join(kept), origins


def _beyond_basic_plane(char: str) -> str:
    if "\U00020000" <= char <= "\U0003ffff":
        return IDEOGRAPH
    return STYLED_LETTER if "\U0001d400" <= char <= "\U0001d6a5" else OTHER


@cache
def _table() -> dict[str, str]:
    table = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)}
    for zero in TABLE["digits"]:
        table |= {chr(ord(zero) + value): str(value) for value in range(10)}
    for plain, ranges in TABLE["folds"]:
        for first, last in re.findall(r"(.)(?:-(.))?", ranges, re.DOTALL):
            table |= {chr(code): plain for code in range(ord(first), ord(last or first) + 1)}
    return table
