"""The lexicon of business words: spots the concepts that a text speaks of, in French and English."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from engine.local.text import STOP_WORDS, fold, singular, stem, stems, words
from engine.types import Locale

_GAP = 3
# Words that begin something new: no saying reaches over them.
_WALLS = frozenset(("et", "puis", "ensuite", "mais", "sans", "pour", "avec", "and", "then", "but", "without", "for"))
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


@dataclass(frozen=True, slots=True)
class Saying:
    """The places of the words by which a text means concepts without naming them; `besides` are those of shorter
    sayings that share some of the words."""

    concepts: frozenset[str]
    places: tuple[int, ...]
    besides: frozenset[str] = frozenset()


class _Word(NamedTuple):
    form: str
    stems: frozenset[str]
    small: bool


class _Said(NamedTuple):
    wanted: tuple[frozenset[str], ...]
    gap: int


class _Phrase(NamedTuple):
    stems: tuple[str, ...]
    forms: tuple[str, ...]
    skips_small: bool


class Lexicon:
    """All concepts, indexed by the stems of their wordings."""

    def __init__(
        self,
        concepts: Sequence[Concept],
        sayings: Mapping[str, Sequence[str]],
        labels: Mapping[str, Sequence[str]],
    ) -> None:
        self._labels = {label: tuple(names) for label, names in labels.items()}
        self.concepts = {concept.name: concept for concept in concepts}
        self.vocabulary: frozenset[str] = frozenset()
        self._by_first_stem: dict[str, list[tuple[_Phrase, Concept]]] = defaultdict(list)
        self._words: dict[Locale, set[str]] = {"fr": set(), "en": set()}
        self._verbs: dict[Locale, set[tuple[str, ...]]] = {"fr": set(), "en": set()}
        self._things: dict[Locale, set[tuple[str, ...]]] = {"fr": set(), "en": set()}
        self._index(concepts)
        self._near = self._both_ways(concepts)
        self._sayings = _indexed(sayings)
        self._said = frozenset(word for phrases in sayings.values() for phrase in phrases for word in words(phrase))
        self._phrases = {concept: tuple(phrases) for concept, phrases in sayings.items()}

    def spots(self, text_words: Sequence[str], *, most: int | None = None) -> list[Spot]:
        """Find every concept in the words: at each place the longest wording, the one in this very form before the
        one that only shares its stems (*annuler* is not *annulée*).

        Small words between those of a wording are skipped, unless the wording would be one bare word without its own.
        With `most`, wordings that take more words are passed over.
        """
        text = [_Word(singular(word), _stems_here(word), _is_small(word)) for word in text_words]
        found: list[Spot] = []
        place = 0
        while place < len(text):
            matches: dict[str, tuple[int, bool]] = {}
            for stem_ in text[place].stems:
                for phrase, concept in self._by_first_stem.get(stem_, ()):
                    match = _match(phrase, text, place)
                    if most is not None and match[0] > most:
                        continue
                    matches[concept.name] = max(match, matches.get(concept.name, (0, False)))
            best = max(matches.values(), default=(0, False))
            if best[0]:
                found += [Spot(self.concepts[name], place, best[0]) for name, match in matches.items() if match == best]
            place += max(best[0], 1)
        return found

    def inner(self, text_words: Sequence[str], spot: Spot) -> list[Spot]:
        """The concepts that the parts of a longer wording name: *password* in *change the password*."""
        if spot.length < 2:
            return []
        inside = self.spots(text_words[spot.start : spot.start + spot.length], most=spot.length - 1)
        return [Spot(one.concept, spot.start + one.start, one.length) for one in inside]

    def sayings(self, text_words: Sequence[str]) -> list[Saying]:
        """Find what people say when they mean a concept (*mettre dans la boucle*), the longest saying first.

        A few other words may stand between those of a saying.
        """
        text = [_stems_here(word) for word in text_words]
        walls = frozenset(place for place, word in enumerate(text_words) if word in _WALLS)
        found: dict[tuple[int, ...], set[str]] = defaultdict(set)
        for place, known in enumerate(text):
            for stem_ in known:
                for phrase, concept in self._sayings.get(stem_, ()):
                    if places := _said(phrase, text, place, walls):
                        found[places].add(concept)
        kept: list[Saying] = []
        for places, concepts in sorted(found.items(), key=lambda one: (-len(one[0]), one[0])):
            crossed = next((index for index, one in enumerate(kept) if set(one.places) & set(places)), None)
            if crossed is None:
                kept.append(Saying(frozenset(concepts), places))
            else:
                one = kept[crossed]
                kept[crossed] = replace(one, besides=one.besides | (concepts - one.concepts))
        return kept

    def of_label(self, label: str) -> tuple[str, ...]:
        """The concepts of a label that is a mere sign or one small word: *To*, *×*."""
        return self._labels.get(fold(label).strip(" :*."), self._labels.get(label.strip(), ()))

    def concepts_in(self, text: str) -> frozenset[str]:
        """Name the concepts that a text speaks of."""
        return frozenset(spot.concept.name for spot in self.spots(words(text)))

    def texts(self) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
        """For each concept its names in both languages, and what people say when they mean it."""
        return {
            name: ((*concept.wording["fr"], *concept.wording["en"]), self._phrases.get(name, ()))
            for name, concept in self.concepts.items()
        }

    def near(self, name: str) -> frozenset[str]:
        """Name the concepts that are almost the same thing."""
        return self._near.get(name, frozenset())

    def has_heard(self, word: str) -> bool:
        """Tell whether the word, in this very form, stands in a wording or a saying."""
        return word in self.vocabulary or word in self._said

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
                        stems=tuple(_stem_here(word, locale) for word in kept),
                        forms=tuple(singular(word) for word in kept),
                        skips_small=not alone,
                    )
                    vocabulary.update(parts)
                    self._words[locale].update(parts)
                    self._by_first_stem[phrase.stems[0]].append((phrase, concept))
        self.vocabulary = frozenset(vocabulary)

    def _kin(self, concept: Concept) -> frozenset[str]:
        """What a compound is a kind of: a last name is a name. Its head tells, last in English and first in French;
        both languages must agree."""
        heads: list[set[str]] = []
        for locale in _LOCALES:
            usual = words(concept.wording[locale][0]) if concept.wording[locale] else []
            if len(usual) < 2:
                return frozenset()
            head = self.spots([usual[0] if locale == "fr" else usual[-1]])
            heads.append({spot.concept.name for spot in head if not spot.concept.is_action})
        return frozenset(heads[0] & heads[1]) - {concept.name}

    def _both_ways(self, concepts: Sequence[Concept]) -> dict[str, frozenset[str]]:
        near: dict[str, set[str]] = defaultdict(set)
        for concept in concepts:
            for other in (*concept.near, *self._kin(concept)):
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


def _indexed(sayings: Mapping[str, Sequence[str]]) -> dict[str, list[tuple[_Said, str]]]:
    index: dict[str, list[tuple[_Said, str]]] = defaultdict(list)
    for concept, phrases in sayings.items():
        for phrase in phrases:
            every = words(phrase)
            telling = [word for word in every if not _is_small(word)]
            kept = telling if len(telling) > 1 else every
            if not telling and len(every) < 2:
                continue
            # Small words make a saying only side by side.
            saying = _Said(tuple(_stems_here(word) for word in kept), _GAP if len(telling) > 1 else 1)
            for stem_ in saying.wanted[0]:
                index[stem_].append((saying, concept))
    return index


def _stem_here(word: str, locale: Locale) -> str:
    return f"={word}" if _is_small(word) else f"{locale}:{stem(word, locale)}"


def _stems_here(word: str) -> frozenset[str]:
    """The stems of a word in a text. Small words only match themselves: by its stem, *not* is also *note*."""
    return frozenset((f"={word}",)) if _is_small(word) else stems(word)


def _said(phrase: _Said, text: Sequence[frozenset[str]], start: int, walls: frozenset[int]) -> tuple[int, ...]:
    """The places of a saying's words from `start` on, with few others and no wall between two; none when it is not
    said."""
    places = [start]
    for part in phrase.wanted[1:]:
        here = range(places[-1] + 1, min(places[-1] + 2 + phrase.gap, len(text)))
        place = next((place for place in here if text[place] & part), None)
        if place is None or walls & {*range(places[-1] + 1, place)}:
            return ()
        places.append(place)
    return tuple(places)


def _is_small(word: str) -> bool:
    return word in STOP_WORDS or word.isdigit()


def _listed(value: object) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else ()


@cache
def lexicon() -> Lexicon:
    """Read all files of the folders `lexicon` and `sayings`, once."""
    concepts = [
        Concept(
            name=name,
            field=file,
            wording={"fr": _listed(body.get("fr")), "en": _listed(body.get("en"))},
            near=_listed(body.get("near")),
            soft=body.get("soft") is True,
        )
        for file, name, body in _entries("lexicon")
    ]
    sayings: dict[str, tuple[str, ...]] = {}
    for _, name, phrases in _entries("sayings"):
        sayings[name] = sayings.get(name, ()) + _listed(phrases)
    signs = tomllib.loads(files("engine.local").joinpath("labels.toml").read_text(encoding="utf-8"))
    return Lexicon(concepts, sayings, {label: _listed(names) for label, names in signs.items()})


def _entries(folder: str) -> Iterator[tuple[str, str, Any]]:
    """File, key and value of all entries of a folder; `["fr", "en"]` is short for a concept's two wordings."""
    for entry in sorted(files("engine.local").joinpath(folder).iterdir(), key=lambda item: item.name):
        if entry.name.endswith(".toml"):
            for name, value in tomllib.loads(entry.read_text(encoding="utf-8")).items():
                short = isinstance(value, list)
                yield entry.name.removesuffix(".toml"), name, {"fr": value[0], "en": value[1]} if short else value
