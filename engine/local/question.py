"""Reading a question: which words carry evidence, and of what kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.local.lexicon import Spot, lexicon
from engine.local.text import STOP_WORDS, closest, stems, words

UnitKind = Literal["thing", "command", "vague", "soft", "word", "elsewhere"]

_SEQUENCE = frozenset(("et", "puis", "ensuite", "then", "and"))
_WITHOUT = frozenset(("sans", "without"))
_ATTACHED = frozenset(("avec", "pour", "with", "for"))
_FRENCH = frozenset(
    ("le", "la", "les", "un", "une", "du", "je", "est", "dans", "pour", "avec", "mon", "ma", "sur", "pas", "que")
)
_ENGLISH = frozenset(
    ("the", "a", "an", "of", "to", "i", "my", "how", "where", "do", "is", "in", "for", "with", "it", "this")
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of evidence: words that belong together, the concepts that they may mean, and their stems.

    A `vague` verb may be a command or just fill a field (*faire*); an `elsewhere` is nothing that business pages do.
    """

    kind: UnitKind
    text: str
    concepts: frozenset[str]
    stems: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of the question. `joint` tells how it hangs on the one before: in sequence, or attached to it."""

    units: tuple[Unit, ...]
    joint: Literal["", "sequence", "attached"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question as evidence. `said` keeps all its folded words for matching options of lists."""

    clauses: tuple[Clause, ...]
    said: tuple[str, ...]

    @property
    def units(self) -> tuple[Unit, ...]:
        return tuple(unit for clause in self.clauses for unit in clause.units)


def read_question(text: str, page_vocabulary: frozenset[str]) -> Question:
    """Read a question. Words that neither page nor lexicon knows count as typing errors.

    What follows *sans* or *without* is what the asker does not want: it is no evidence.
    """
    said = [word for word in words(text) if not (word == "comment" and _is_french(words(text)))]
    said = [_respelled(word, page_vocabulary) for word in said]
    clauses: list[Clause] = []
    units: list[Unit] = []
    joint: Literal["", "sequence", "attached"] = ""
    spots = lexicon().spots(said)
    place = 0
    while place < len(said):
        here = [spot for spot in spots if spot.start == place]
        word = said[place]
        if here:
            units.append(_unit(said, here))
            place += here[0].length
            continue
        if word in _WITHOUT:
            break
        if word in _SEQUENCE or word in _ATTACHED:
            if units:
                clauses.append(Clause(tuple(units), joint))
                units = []
            joint = "sequence" if word in _SEQUENCE else "attached"
        elif word not in STOP_WORDS and not word.isdigit():
            units.append(Unit("word", word, frozenset(), (stems(word),)))
        place += 1
    if units:
        clauses.append(Clause(tuple(units), joint))
    return Question(tuple(clauses), tuple(said))


def _unit(said: Sequence[str], spots: Sequence[Spot]) -> Unit:
    covered = said[spots[0].start : spots[0].start + spots[0].length]
    meaningful = [word for word in covered if word not in STOP_WORDS] or covered
    return Unit(
        _kind(spots),
        " ".join(covered),
        frozenset(spot.concept.name for spot in spots),
        tuple(stems(word) for word in meaningful),
    )


def _kind(spots: Iterable[Spot]) -> UnitKind:
    concepts = [spot.concept for spot in spots]
    if all(concept.field == "elsewhere" for concept in concepts):
        return "elsewhere"
    if any(not concept.is_action for concept in concepts):
        return "thing"
    soft = [concept.soft for concept in concepts]
    return "soft" if all(soft) else "vague" if any(soft) else "command"


def _respelled(word: str, page_vocabulary: frozenset[str]) -> str:
    if len(word) < 5 or word in STOP_WORDS or word.isdigit():
        return word
    known = lexicon()
    if word in page_vocabulary or word in known.vocabulary or known.spots([word]):
        return word
    mine = stems(word)
    if any(mine & stems(other) for other in page_vocabulary):
        return word
    return closest(word, page_vocabulary) or closest(word, known.vocabulary) or word


def _is_french(said: Sequence[str]) -> bool:
    return sum(word in _FRENCH for word in said) >= sum(word in _ENGLISH for word in said)
