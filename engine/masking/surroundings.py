"""What stands around a datum in a folded text: its edges, the words that announce it, a name beside it."""

from __future__ import annotations

import re
from collections.abc import Callable

_LETTER = re.compile(r"[A-Za-z\u00C0-\u024F]")
_WORD = re.compile(r"[0-9A-Za-z\u00C0-\u024F]")
_LETTERS_BEFORE = re.compile(r"[A-Za-z\u00C0-\u024F]*$")
_LETTERS_AFTER = re.compile(r"[A-Za-z\u00C0-\u024F]*")
_NOT_HEXADECIMAL = re.compile(r"[^A-Fa-f]")
_SMALL = re.compile(r"[a-z\u00DF-\u00FF]")
_DECIMALS = re.compile(r"[.,][0-9]{1,3}(?![0-9])")
_UNIT = re.compile(r"(?:[.,][0-9]{1,2})? ?(?:[€$£¥%]|(?:EUR|USD|GBP|CHF|[Ee]uros?)(?![A-Za-z]))")
_CURRENCY_BEFORE = re.compile(r"[€$£¥] ?$")
_LONGEST_WORD = 40
_CUE_WINDOW = 90

_NAME_PART = re.compile(r"[A-Z\u00C0-\u00DE\u0100-\u017F][A-Za-z\u00C0-\u024F'.-]+")
_TITLE = re.compile(r"(?:M|Mme|Mlle|Mr|Mrs|Ms|Miss|Dr|Pr|Me)\.?")
_NO_NAME = re.compile(
    r"(?:date|facture|invoice|order|commande|version|mise|updated?|created?|cr[ée]+s?|fond[ée]+s?|since|depuis|page"
    r"|exercice|ann[ée]e|loi|act)(?![0-9A-Za-z_\u00C0-\u024F])",
    re.IGNORECASE,
)
_JOINTS = " ,;:()[]|.-"


def _is_digit(char: str) -> bool:
    return "0" <= char <= "9"


def _free_of_digits(text: str, start: int, end: int) -> bool:
    before = text[max(start - 3, 0) : start]
    if _is_digit(before[-1:]) or _is_digit(text[end : end + 1]):
        return False
    if before[-1:] == "." and _is_digit(before[-2:-1]):
        return False
    return not (before[-2:] == "0," and not _is_digit(before[:-2]))


def _free_of_code(text: str, start: int, end: int) -> bool:
    return _free_of_digits(text, start, end) and not (
        _continues_code(text, start) or _runs_into_code(text, end) or _is_amount(text, start, end)
    )


def _continues_code(text: str, start: int) -> bool:
    """FAC-0123456789, #0123456789, 2026-0123456789, 6A0123456789, fe0123456789; but neither Tél.01… nor Mobile06…"""
    before = text[max(start - _LONGEST_WORD, 0) : start]
    if before.endswith("#"):
        return True
    joined = before[-1:] in ("-", "_", "/", ".")
    if joined:
        before = before[:-1]
        if _is_digit(before[-1:]):
            return True
    letters = _LETTERS_BEFORE.search(before)
    word = letters[0] if letters else ""
    if not word:
        return False
    if _is_digit(before[: len(before) - len(word)][-1:]) or not _SMALL.search(word):
        return True
    return not joined and not _NOT_HEXADECIMAL.search(word)


def _runs_into_code(text: str, end: int) -> bool:
    letters = _LETTERS_AFTER.match(text, end, end + _LONGEST_WORD)
    return bool(letters and letters[0] and not _NOT_HEXADECIMAL.search(letters[0]))


def _is_amount(text: str, start: int, end: int) -> bool:
    """1 250 000 000 € and 123456789012,50; a number that starts with 0 is none."""
    if text[start : start + 1] in ("0", "("):
        return False
    if _UNIT.match(text, end) or _CURRENCY_BEFORE.search(text[max(start - 2, 0) : start]):
        return True
    return text[start] != "+" and bool(_DECIMALS.match(text, end))


def _free_of_word(text: str, start: int, end: int) -> bool:
    return not (
        (start > 0 and _WORD.match(text[start]) and _WORD.match(text[start - 1]))
        or (end < len(text) and _WORD.match(text[end - 1]) and _WORD.match(text[end]))
    )


EDGES: dict[str, Callable[[str, int, int], bool]] = {
    "any": lambda _text, _start, _end: True,
    "digits": _free_of_digits,
    "code": _free_of_code,
    "word": _free_of_word,
}


def follows_cue(text: str, start: int, cue: re.Pattern[str], reach: int) -> bool:
    """Whether a whole word or phrase of `cue` stands at most `reach` characters before `start`, no number between."""
    floor = max(start - _CUE_WINDOW, 0)
    window = text[floor:start]
    for found in cue.finditer(window):
        if found.start() > 0 and _LETTER.match(window[found.start() - 1]):
            continue
        between = window[found.end() :]
        if len(between) <= reach and not re.search("[0-9]{3}|\ue000", between):
            return True
    return False


def beside_name(text: str, start: int, end: int) -> bool:
    """Whether two capitalised words, or a title and one, stand right before or right after."""
    words = text[max(start - _CUE_WINDOW, 0) : start].rstrip(_JOINTS).split(" ")[-2:]
    following = text[end : end + _CUE_WINDOW].lstrip(_JOINTS).split(" ")[:2]
    return _is_name(words) or _is_name([word.rstrip(_JOINTS) for word in following])


def _is_name(words: list[str]) -> bool:
    if len(words) < 2 or any(_NO_NAME.match(word) for word in words):
        return False
    first, second = (word.strip(_JOINTS) for word in words)
    return bool(_NAME_PART.fullmatch(second) and (_TITLE.fullmatch(first) or _NAME_PART.fullmatch(first)))
