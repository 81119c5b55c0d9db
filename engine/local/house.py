"""The words of a house: what one organization says for what its pages, or everybody, call otherwise."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.local.goals import element_label
from engine.local.lexicon import lexicon
from engine.local.text import STOP_WORDS, fold, stems, words
from engine.types import Page

_WORD = re.compile(r"[^\W_]+|%")
# *Un avoir* is a thing, *je veux avoir* is not.
_DETERMINERS = frozenset(
    ("un", "une", "le", "la", "les", "des", "du", "ce", "cet", "cette", "ces", "mon", "ma", "mes", "son", "sa")
).union(("notre", "nos", "votre", "vos", "the", "a", "an", "this", "that", "these", "my", "our", "your", "their"))
# *L'avoir du client* is one too, *l'avoir sur moi* is none. The article goes where the word does that it was cut for.
_ELIDED = frozenset(("l", "d"))
_GOES_ON = frozenset(("de", "du", "d", "pour"))

Stems = tuple[frozenset[str], ...]


class _Name(NamedTuple):
    """A word of a group; `telling` are its stems without those of small words, where there are others."""

    text: str
    stems: Stems
    telling: Stems
    group: int
    is_small: bool


class _Token(NamedTuple):
    start: int
    end: int
    word: str
    stems: frozenset[str]


def in_known_words(question: str, page: Page) -> str:
    """Say a question in the words that the page has, or else that the lexicon knows, where the organization wrote
    down that they mean the same (`Page.house_words`)."""
    return _in_known_words(question, page) if page.house_words else question


@lru_cache(maxsize=256)
def _in_known_words(question: str, page: Page) -> str:
    tokens = _tokens(question)
    said = question
    # From the end, so that places before stay what they are.
    for name, first, last in reversed(_found(_by_first_stem(page.house_words), tokens)):
        if better := _better(name, _names(page.house_words), page):
            is_elided = first > 0 and tokens[first - 1].word in _ELIDED
            said = f"{said[: tokens[first - is_elided].start]}{better}{said[tokens[last].end :]}"
    return said


def _found(names: Mapping[str, Sequence[_Name]], tokens: Sequence[_Token]) -> list[tuple[_Name, int, int]]:
    found: list[tuple[_Name, int, int]] = []
    place = 0
    while place < len(tokens):
        tried = (name for stem in tokens[place].stems for name in names.get(stem, ()))
        here = [name for name in tried if _stands_at(name, tokens, place)]
        longest = max(here, key=lambda name: len(name.stems), default=None)
        if longest is not None:
            found.append((longest, place, place + len(longest.stems) - 1))
        place += len(longest.stems) if longest is not None else 1
    return found


def _stands_at(name: _Name, tokens: Sequence[_Token], place: int) -> bool:
    there = tokens[place : place + len(name.stems)]
    if len(there) < len(name.stems) or not all(want & one.stems for want, one in zip(name.stems, there, strict=True)):
        return False
    if not name.is_small or len(tokens) == len(there):
        return True
    before = tokens[place - 1].word if place else ""
    after = tokens[place + len(there) : place + len(there) + 1]
    return before in _DETERMINERS or (before in _ELIDED and (not after or after[0].word in _GOES_ON))


def _better(name: _Name, names: Sequence[_Name], page: Page) -> str:
    """Another word of the group, that the page says or else the lexicon knows; none where the one said will do."""
    texts = _texts_of(page)
    if _is_in(name.telling, texts):
        return ""
    others = [one for one in names if one.group == name.group and one is not name]
    if on_page := next((one.text for one in others if _is_in(one.telling, texts)), ""):
        return on_page
    best = max(others, key=lambda one: _known_of(one.text), default=name)
    return best.text if _known_of(best.text) > _known_of(name.text) else ""


def _is_in(wanted: Stems, texts: Sequence[Stems]) -> bool:
    size = len(wanted)
    return any(
        all(want & have for want, have in zip(wanted, text[start : start + size], strict=True))
        for text in texts
        for start in range(len(text) - size + 1)
    )


@lru_cache(maxsize=4096)
def _known_of(text: str) -> float:
    """How much of a name the lexicon knows: the share of its words that one concept's name covers."""
    said = words(text)
    telling = [place for place, word in enumerate(said) if word not in STOP_WORDS] or list(range(len(said)))
    covered = (range(spot.start, spot.start + spot.length) for spot in lexicon().spots(said))
    return max((sum(place in span for place in telling) / len(telling) for span in covered), default=0.0)


def _tokens(text: str) -> list[_Token]:
    matches = [(match, fold(match[0])) for match in _WORD.finditer(text)]
    return [_Token(match.start(), match.end(), word, stems(word)) for match, word in matches]


@lru_cache(maxsize=256)
def _names(groups: tuple[tuple[str, ...], ...]) -> tuple[_Name, ...]:
    names: list[_Name] = []
    for group, line in enumerate(groups):
        for text in line:
            parts = [fold(match[0]) for match in _WORD.finditer(text)]
            if parts:
                every = tuple(stems(part) for part in parts)
                names.append(_Name(text, every, _telling(parts) or every, group, not _telling(parts)))
    return tuple(names)


@lru_cache(maxsize=256)
def _by_first_stem(groups: tuple[tuple[str, ...], ...]) -> dict[str, list[_Name]]:
    by_stem: dict[str, list[_Name]] = defaultdict(list)
    for name in _names(groups):
        for stem in name.stems[0]:
            by_stem[stem].append(name)
    return by_stem


@lru_cache(maxsize=256)
def _texts_of(page: Page) -> tuple[Stems, ...]:
    return tuple(
        _telling([fold(match[0]) for match in _WORD.finditer(text)])
        for intent in page.intents
        for text in (
            element_label(intent.element),
            intent.user_goal,
            intent.element.placeholder,
            *intent.element.options,
        )
        if text
    )


def _telling(parts: Sequence[str]) -> Stems:
    return tuple(stems(part) for part in parts if part not in STOP_WORDS)
