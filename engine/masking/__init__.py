"""Masks for personal data, from the one list of rules that the SDK compiles in too (`rules.json`)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

_DATE_START = re.compile(r"^[0-9]{1,4}[^0-9][0-9]{1,2}[^0-9](?:19|20)[0-9]{2}(?![0-9])")


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    replacement: str
    accepts: Callable[[str], bool]


def mask(text: str) -> str:
    """Replace e-mail addresses by `[EMAIL]`, and phone, card, account and social security numbers by
    `[SENSITIVE_NUMERIC]`. Time grows linearly with the text; masking twice changes nothing."""
    return mask_counted(text)[0]


def mask_counted(text: str) -> tuple[str, int]:
    """Mask like `mask`, and tell how many replacements were made."""
    count = 0
    for rule in _rules():
        text, made = _apply(rule, text)
        count += made
    return text, count


def _apply(rule: _Rule, text: str) -> tuple[str, int]:
    kept: list[str] = []
    copied, position, made = 0, 0, 0
    while match := rule.pattern.search(text, position):
        if rule.accepts(match[2]):
            kept += (text[copied : match.start(2)], rule.replacement)
            copied = position = match.end()
            made += 1
        else:
            position = match.start() + 1
    return ("".join((*kept, text[copied:])), made) if made else (text, 0)


@cache
def _rules() -> tuple[_Rule, ...]:
    data = json.loads(files(__name__).joinpath("rules.json").read_text(encoding="utf-8"))
    return tuple(
        _Rule(re.compile(rule["pattern"]), rule["replacement"], _CHECKS[rule.get("check", "")])
        for rule in data["rules"]
    )


def _digits(text: str) -> str:
    return "".join(char for char in text if "0" <= char <= "9")


def _luhn(text: str) -> bool:
    total = 0
    for index, char in enumerate(reversed(_digits(text))):
        value = int(char) * (1 + index % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _mod97(text: str) -> bool:
    compact = re.sub(r"[^A-Z0-9]", "", text)
    if not 15 <= len(compact) <= 34:
        return False
    return int("".join(str(int(char, 36)) for char in compact[4:] + compact[:4])) % 97 == 1


def _phone(text: str) -> bool:
    digits = _digits(text)
    national = digits.startswith("0") and not digits.startswith("00")
    return 9 <= len(digits) <= (11 if national else 15) and not _DATE_START.match(text)


_CHECKS: dict[str, Callable[[str], bool]] = {"": lambda _: True, "luhn": _luhn, "mod97": _mod97, "phone": _phone}
