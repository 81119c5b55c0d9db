"""From words as people type them to comparable terms: case, accents, elisions, inflections, typing errors."""

from __future__ import annotations

import re
import threading
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files

import snowballstemmer

from engine.types import Locale

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'", "\u2018": "'", "\u00b4": "'", "`": "'"})
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ß": "ss"})
_ELISION = re.compile(r"\b(?:[cdjlmnst]|qu|lorsqu|puisqu)'(?=\w)")
_UNTIL = re.compile(r"\bjusqu'")
_ENGLISH_TAIL = re.compile(r"(?<=\w)(?:'(?:s|re|ve|ll|d|m)|n't)\b")
_WORD = re.compile(r"[^\W_]+|%")

STOP_WORDS = frozenset(files("engine.local").joinpath("stopwords.txt").read_text(encoding="utf-8").split())

_french = snowballstemmer.stemmer("french")
_english = snowballstemmer.stemmer("english")
# A stemmer holds the word that it works on.
_stemming = threading.Lock()


def fold(text: str) -> str:
    """Lower-case, without accents, with plain apostrophes and opened ligatures."""
    text = text.translate(_APOSTROPHES).lower().translate(_LIGATURES)
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def words(text: str) -> list[str]:
    """Split into folded words; elided articles and English contractions fall away, a percent sign is a word."""
    folded = _UNTIL.sub("jusque ", fold(text))
    return _WORD.findall(_ENGLISH_TAIL.sub(" ", _ELISION.sub(" ", folded)))


def content_words(text: str) -> list[str]:
    """Like `words`, without the small ones that carry no meaning and without bare numbers."""
    return [word for word in words(text) if word not in STOP_WORDS and not word.isdigit()]


@lru_cache(maxsize=65536)
def stems(word: str) -> frozenset[str]:
    """Give the stems of one folded word, each marked with its language: two words compare within one language.

    Forms that no stemmer relates to their verb (*mets*, *sent*) have its stem too.
    """
    own = {"fr:" + stem(word, "fr"), "en:" + stem(word, "en")}
    return frozenset(own | {f"{locale}:{stem(verb, locale)}" for locale, verb in _verbs().get(word, ())})


@lru_cache(maxsize=65536)
def stem(word: str, locale: Locale) -> str:
    """Give the stem of one folded word; words of three letters or fewer only lose a plural s."""
    if len(word) <= 3:
        return word.removesuffix("s") if len(word) == 3 else word
    with _stemming:
        return str((_french if locale == "fr" else _english).stemWord(word))


@cache
def _verbs() -> dict[str, tuple[tuple[Locale, str], ...]]:
    """Irregular forms, without accents, and the verbs they are forms of."""
    verbs: dict[str, tuple[tuple[Locale, str], ...]] = {}
    locales: tuple[Locale, ...] = ("fr", "en")
    data = tomllib.loads(files("engine.local").joinpath("verbs.toml").read_text(encoding="utf-8"))
    for locale in locales:
        for verb, forms in data[locale].items():
            for form in fold(forms).split():
                verbs[form] = (*verbs.get(form, ()), (locale, fold(verb)))
    return verbs


@cache
def singular(word: str) -> str:
    """Take a French or English plural ending off, roughly, without stemming."""
    if word.endswith("eaux"):
        return word[:-1]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith(("s", "x")) and len(word) > 3 and not word.endswith("ss") else word


def distance_at_most(left: str, right: str, limit: int) -> bool:
    """Tell whether `limit` typing errors (missing, extra, wrong or swapped letters) turn one word into the other."""
    if abs(len(left) - len(right)) > limit:
        return False
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for row, char in enumerate(left, start=1):
        current = [row]
        for column, other in enumerate(right, start=1):
            cost = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (char != other))
            if row > 1 and column > 1 and char == right[column - 2] and left[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return False
        before, previous = previous, current
    return previous[-1] <= limit


def typing_errors_allowed(word: str) -> int:
    """Short words must be right; longer ones may hold one or two errors."""
    if len(word) < 5:
        return 0
    return 1 if len(word) < 9 else 2


def closest(word: str, vocabulary: Iterable[str]) -> str:
    """Find the word of the vocabulary that was probably meant, or an empty string.

    The first letter must be right; the nearest word wins, then the alphabetically first.
    """
    limit = typing_errors_allowed(word)
    candidates = sorted(other for other in vocabulary if abs(len(other) - len(word)) <= limit and other[0] == word[0])
    for allowed in range(1, limit + 1):
        for other in candidates:
            if len(other) >= 5 and distance_at_most(word, other, allowed):
                return other
    return ""
