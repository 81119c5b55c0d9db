"""The lexicon of business words: spots the concepts that a text speaks of, in French and English."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from engine.local.text import STOP_WORDS, singular, stem, stems, words
from engine.types import Locale

_LOCALES: tuple[Locale, ...] = ("fr", "en")


@dataclass(frozen=True, slots=True)
class Concept:
    """Something people speak of. `soft` actions are those that any field can answer."""

    name: str
    field: str
    wording: dict[Locale, tuple[str, ...]]
    near: tuple[str, ...] = ()
    soft: bool = False

    @property
    def is_action(self) -> bool:
        return self.field == "actions"


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a concept stands in a list of words: from `start`, `length` words long."""

    concept: Concept
    start: int
    length: int


class _Word(NamedTuple):
    form: str
    stems: frozenset[str]
    small: bool


class _Phrase(NamedTuple):
    stems: tuple[str, ...]
    forms: tuple[str, ...]
    skips_small: bool


class Lexicon:
    """All concepts, indexed by the stems of their wordings."""

    def __init__(self, concepts: Sequence[Concept]) -> None:
        self.concepts = {concept.name: concept for concept in concepts}
        self.vocabulary: frozenset[str] = frozenset()
        self._by_first_stem: dict[str, list[tuple[_Phrase, Concept]]] = defaultdict(list)
        self._words: dict[Locale, set[str]] = {"fr": set(), "en": set()}
        self._verbs: dict[Locale, set[tuple[str, ...]]] = {"fr": set(), "en": set()}
        self._things: dict[Locale, set[tuple[str, ...]]] = {"fr": set(), "en": set()}
        self._near = self._both_ways(concepts)
        self._index(concepts)

    def spots(self, text_words: Sequence[str]) -> list[Spot]:
        """Find every concept in the words: at each place the longest wording, the one in this very form before the
        one that only shares its stems (*annuler* is not *annulée*).

        Small words between those of a wording are skipped, unless the wording would be one bare word without its own.
        """
        text = [_Word(singular(word), stems(word), _is_small(word)) for word in text_words]
        found: list[Spot] = []
        place = 0
        while place < len(text):
            matches: dict[str, tuple[int, bool]] = {}
            for stem_ in text[place].stems:
                for phrase, concept in self._by_first_stem.get(stem_, ()):
                    match = _match(phrase, text, place)
                    matches[concept.name] = max(match, matches.get(concept.name, (0, False)))
            best = max(matches.values(), default=(0, False))
            if best[0]:
                found += [Spot(self.concepts[name], place, best[0]) for name, match in matches.items() if match == best]
            place += max(best[0], 1)
        return found

    def concepts_in(self, text: str) -> frozenset[str]:
        """Name the concepts that a text speaks of."""
        return frozenset(spot.concept.name for spot in self.spots(words(text)))

    def near(self, name: str) -> frozenset[str]:
        """Name the concepts that are almost the same thing."""
        return self._near.get(name, frozenset())

    def speaks(self, word: str, locale: Locale) -> bool:
        """Tell whether the word, in this very form or its singular, is one that the lexicon has in that language."""
        return word in self._words[locale] or word.removesuffix("s") in self._words[locale]

    def opens_with_action(self, text_words: Sequence[str], locale: Locale) -> bool:
        """Tell whether the words begin with a verb of the lexicon, in the very form in which it stands there."""
        return any(tuple(text_words[:length]) in self._verbs[locale] for length in range(1, len(text_words) + 1))

    def names_thing(self, word: str, locale: Locale) -> bool:
        """Tell whether the word alone also names a thing: *note* and *rate* are verbs and nouns."""
        return (word,) in self._things[locale]

    def _index(self, concepts: Sequence[Concept]) -> None:
        vocabulary: set[str] = set()
        for concept in concepts:
            for locale in _LOCALES:
                for wording in concept.wording[locale]:
                    every = words(wording)
                    (self._verbs if concept.is_action else self._things)[locale].add(tuple(every))
                    parts = [word for word in every if not _is_small(word)]
                    alone = len(parts) < 2 and len(every) > len(parts)
                    kept = every if alone else parts
                    phrase = _Phrase(
                        stems=tuple(f"{locale}:{stem(word, locale)}" for word in kept),
                        forms=tuple(singular(word) for word in kept),
                        skips_small=not alone,
                    )
                    vocabulary.update(parts)
                    self._words[locale].update(parts)
                    self._by_first_stem[phrase.stems[0]].append((phrase, concept))
        self.vocabulary = frozenset(vocabulary)

    @staticmethod
    def _both_ways(concepts: Sequence[Concept]) -> dict[str, frozenset[str]]:
        near: dict[str, set[str]] = defaultdict(set)
        for concept in concepts:
            for other in concept.near:
                near[concept.name].add(other)
                near[other].add(concept.name)
        return {name: frozenset(others) for name, others in near.items()}


def _match(phrase: _Phrase, text: Sequence[_Word], start: int) -> tuple[int, bool]:
    """How many words of the text the phrase covers when it stands at `start` (0 when it does not), and whether each
    has the form that stands in the lexicon."""
    place = start
    exact = True
    skips = len(text) if phrase.skips_small else 1
    for wanted, form in zip(phrase.stems, phrase.forms, strict=True):
        while skips and start < place < len(text) and text[place].small and wanted not in text[place].stems:
            place += 1
            skips -= 1
        if place >= len(text) or wanted not in text[place].stems:
            return 0, False
        exact = exact and text[place].form == form
        place += 1
    return place - start, exact


def _is_small(word: str) -> bool:
    return word in STOP_WORDS or word.isdigit()


def _listed(value: object) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else ()


@cache
def lexicon() -> Lexicon:
    """Read all files of the `lexicon` folder, once."""
    concepts: list[Concept] = []
    folder = files("engine.local").joinpath("lexicon")
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        if not entry.name.endswith(".toml"):
            continue
        for name, body in tomllib.loads(entry.read_text(encoding="utf-8")).items():
            concepts.append(
                Concept(
                    name=name,
                    field=entry.name.removesuffix(".toml"),
                    wording={"fr": _listed(body.get("fr")), "en": _listed(body.get("en"))},
                    near=_listed(body.get("near")),
                    soft=body.get("soft") is True,
                )
            )
    return Lexicon(concepts)
