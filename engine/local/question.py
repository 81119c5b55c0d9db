"""Reading a question: which words carry evidence, and of what kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from engine.local.lexicon import Concept, Spot, lexicon
from engine.local.text import STOP_WORDS, closest, fold, stems, words
from engine.local.values import values_in

UnitKind = Literal["thing", "command", "vague", "soft", "word", "elsewhere"]

_SEQUENCE = frozenset(("et", "puis", "ensuite", "then", "and"))
_GOES_ON = re.compile(
    r"[\s,]+(?:et puis|puis|ensuite|et ensuite|et après|et qu['’]on|et que|et|and then|then|and)\s+", re.IGNORECASE
)
_SHORT = 6
_SURER, _MOST_SURE = 0.35, 3
_NOT, _AGAINST = frozenset(("pas", "not", "non")), frozenset(("et", "mais", "and", "but"))
_WITHOUT = frozenset(("sans", "without"))
_ATTACHED = frozenset(("avec", "pour", "with", "for"))
# *Je ne veux plus recevoir…*, *je veux plus recevoir…*, *stop sending…*: something is to be no more.
_REFUSES = re.compile(
    r"\bn(?:e\b|').{0,40}?\b(?:plus|pas|jamais|aucune?)\b"
    r"|\b(?:veux|veut|voudrais|souhaite|faut|peux|doit) (?:plus|pas) (?:\w+ ){0,3}?\w+(?:er|ir|re)\b"
    r"|\b(?:arret\w+|cess\w+) (?:de |d')|\bassez d(?:e |')"
    r"|\b(?:no longer|stop|never|without|get rid)\b|\b(?:do|does|should|must|can)(?: not|n'?t)\b"
)
# *Je n'arrive pas à activer…*, *je ne reçois plus…*: what does not work is wanted.
_UNABLE = re.compile(
    r"\b(?:n(?:e |'))?(?:y )?(?:arriv|trouv|sai[st]|sav|parvien|parven|recoi|recev(?!oir)|voi[st]|voy|compren|reuss"
    r"|peu[xt]|pouv)\w*(?: \w+)? (?:pas|plus|jamais)\b"
    r"|\bn'y a(?:-t-| t |-)?il (?:pas|plus)\b"
    r"|\b(?:do|does|did|can|could)(?: not|n'?t|not|'t) (?:\w+ )?(?:know|find|see|get|receive|manage|seem)\b"
    r"|\bi can(?: not|not|'t)\b"
)
_CLAUSE_ENDS = re.compile(r"[,;:.!?]|\b(?:mais|but|comment|how)\b")
_FRENCH = frozenset(
    ("le", "la", "les", "un", "une", "du", "je", "est", "dans", "pour", "avec", "mon", "ma", "sur", "pas", "que")
)
_ENGLISH = frozenset(
    ("the", "a", "an", "of", "to", "i", "my", "how", "where", "do", "is", "in", "for", "with", "it", "this")
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of evidence: words that belong together, the concepts that they may mean, and their stems.

    `parts` are concepts that only a part of the words names (*date* in *delivery date*). A `vague` verb may be a
    command or just fill a field (*faire*); an `elsewhere` is nothing that business pages do.
    """

    kind: UnitKind
    text: str
    concepts: frozenset[str]
    stems: tuple[frozenset[str], ...]
    parts: frozenset[str] = frozenset()

    @property
    def sureness(self) -> float:
        """Three words that say it together are no accident; one may be."""
        return 1.0 + _SURER * min(len(self.stems) - 1, _MOST_SURE) if self.concepts else 1.0


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of the question. `joint` tells how it hangs on the one before: in sequence, or attached to it."""

    units: tuple[Unit, ...]
    joint: Literal["", "sequence", "attached"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question as evidence. `said` keeps all its folded words for matching options of lists; `refuses` tells whether
    it wants something to be no more (*ne plus recevoir…*), `refused` the concepts of what that takes in, `values` the
    concepts of fields that it brings values for.
    """

    clauses: tuple[Clause, ...]
    said: tuple[str, ...]
    refuses: bool = False
    refused: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()

    @property
    def units(self) -> tuple[Unit, ...]:
        return tuple(unit for clause in self.clauses for unit in clause.units)


def sentences_of(text: str) -> list[str]:
    """Cut a question where it goes on to something else: *remplir le titre puis valider*."""
    return [part.strip() for part in _GOES_ON.split(text) if part.strip()]


def read_question(text: str, page_vocabulary: frozenset[str]) -> Question:
    """Read a question. Words that neither page nor lexicon knows count as typing errors.

    What follows *sans*, *without* or *and not* is what the asker does not want: it is no evidence.
    """
    said = [word for word in words(text) if not (word == "comment" and _is_french(words(text)))]
    said = [_respelled(word, page_vocabulary) for word in said]
    pieces = _pieces(said)
    clauses: list[Clause] = []
    units: list[Unit] = []
    joint: Literal["", "sequence", "attached"] = ""
    covered: set[int] = set()
    for place, word in enumerate(said):
        if unit := pieces.get(place):
            units.append(unit.unit)
            covered |= set(unit.places)
            continue
        if place in covered:
            continue
        if word in _WITHOUT or (word in _NOT and said[place - 1 : place] and said[place - 1] in _AGAINST):
            break
        if word in _SEQUENCE or word in _ATTACHED:
            if units:
                clauses.append(Clause(tuple(units), joint))
                units = []
            joint = "sequence" if word in _SEQUENCE else "attached"
        elif word not in STOP_WORDS and (not word.isdigit() or word in page_vocabulary):
            units.append(_word(word))
    if units:
        clauses.append(Clause(tuple(units), joint))
    refused = _refused_in(text)
    return Question(tuple(clauses), tuple(said), refused is not None, refused or frozenset(), values_in(text))


def _refused_in(text: str) -> frozenset[str] | None:
    """The concepts that a refusal takes in, to the end of its clause, or all where nothing follows it (*… je n'en veux
    plus*); None when nothing is refused."""
    folded = _UNABLE.sub(" ", fold(text))
    refusal = _REFUSES.search(folded)
    if refusal is None:
        return None
    rest = _CLAUSE_ENDS.split(folded[refusal.end() :], maxsplit=1)[0]
    stretch = folded[refusal.start() : refusal.end()] + rest
    pieces = _pieces(words(stretch if words(rest) else folded))
    return frozenset(concept for piece in pieces.values() for concept in piece.unit.concepts | piece.unit.parts)


class _Piece(NamedTuple):
    unit: Unit
    places: tuple[int, ...]


def _pieces(said: Sequence[str]) -> dict[int, _Piece]:
    """What the lexicon knows of the words, by the place where it begins: names of concepts, and sayings, which take
    in the names that stand wholly inside them."""
    known = lexicon()
    spots = known.spots(said)
    spans = {spot.start: [one for one in spots if one.start == spot.start] for spot in spots}
    pieces: dict[int, _Piece] = {}
    taken: set[int] = set()
    for saying in known.sayings(said):
        inside = [start for start, here in spans.items() if set(_span(here)) <= set(saying.places)]
        if any(_says_more(_span(here), saying.places, said) for here in spans.values()):
            # *mot de passe* says more than *passe*, and *copie cachée* than *mettre en copie*.
            continue
        named = {spot.concept.name for start in inside for spot in spans[start] if not spot.concept.soft}
        concepts = saying.concepts | (named if len(saying.places) == 1 else frozenset())
        words_said = [said[place] for place in saying.places]
        kind = _kind(known.concepts[name] for name in concepts)
        parts = (saying.besides | frozenset(named)) - concepts
        unit = Unit(kind, " ".join(words_said), concepts, tuple(stems(word) for word in words_said), parts)
        pieces[saying.places[0]] = _Piece(unit, saying.places)
        taken |= set(saying.places)
    for here in spans.values():
        span = _span(here)
        if not taken & set(span):
            pieces |= {piece.places[0]: piece for piece in _pieces_of(said, here)}
        elif not set(span) <= taken:
            for place in span:
                if place not in taken and said[place] not in STOP_WORDS:
                    alone = known.spots([said[place]])
                    unit = _unit([said[place]], alone, frozenset()) if alone else _word(said[place])
                    pieces[place] = _Piece(unit, (place,))
    return pieces


def _says_more(name: Sequence[int], saying: Sequence[int], said: Sequence[str]) -> bool:
    """Tell whether a name takes a saying in, or crosses it with as many telling words."""
    own, other = set(name), set(saying)
    if other < own:
        return True
    telling = sum(said[place] not in STOP_WORDS for place in own)
    crosses = bool(own & other) and not own <= other
    return crosses and telling > 1 and telling >= sum(said[place] not in STOP_WORDS for place in other)


def _pieces_of(said: Sequence[str], spots: Sequence[Spot]) -> list[_Piece]:
    """One unit for what a wording names; an order (*changer le mot de passe*) is one for its verb and one for the rest,
    each of which may also mean the whole."""
    inner = lexicon().inner(said, spots[0])
    whole = frozenset(spot.concept.name for spot in spots)
    first = [one for one in inner if one.start == spots[0].start]
    if not first or not all(one.concept.is_action for one in first) or any(s.concept.is_action for s in spots):
        return [_Piece(_unit(said, spots, frozenset(one.concept.name for one in inner)), _span(spots))]
    spans = {one.start: [other for other in inner if other.start == one.start] for one in inner}
    pieces: list[_Piece] = []
    for place in _span(spots):
        if place in spans:
            unit = _unit(said, spans[place], frozenset())
            pieces.append(_Piece(replace(unit, concepts=unit.concepts | whole), _span(spans[place])))
        elif not any(place in piece.places for piece in pieces) and said[place] not in STOP_WORDS:
            pieces.append(_Piece(Unit("thing", said[place], whole, (stems(said[place]),)), (place,)))
    return pieces


def _span(spots: Sequence[Spot]) -> tuple[int, ...]:
    return tuple(range(spots[0].start, spots[0].start + spots[0].length))


def _word(word: str) -> Unit:
    return Unit("word", word, frozenset(), (stems(word),))


def _unit(said: Sequence[str], spots: Sequence[Spot], parts: frozenset[str]) -> Unit:
    covered = said[spots[0].start : spots[0].start + spots[0].length]
    meaningful = [word for word in covered if word not in STOP_WORDS] or covered
    return Unit(
        _kind(spot.concept for spot in spots),
        " ".join(covered),
        frozenset(spot.concept.name for spot in spots),
        tuple(stems(word) for word in meaningful),
        parts,
    )


def _kind(every: Iterable[Concept]) -> UnitKind:
    concepts = list(every)
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
    if word in page_vocabulary or known.has_heard(word) or known.spots([word]):
        return word
    mine = stems(word)
    if any(mine & stems(other) for other in page_vocabulary):
        return word
    # One letter turns a short word into another one too easily where there are so many.
    return closest(word, page_vocabulary) or (len(word) > _SHORT and closest(word, known.vocabulary)) or word


def _is_french(said: Sequence[str]) -> bool:
    return sum(word in _FRENCH for word in said) >= sum(word in _ENGLISH for word in said)
