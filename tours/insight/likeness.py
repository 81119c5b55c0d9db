"""Which questions ask the same thing in other words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.indexing import seek
from engine.local.lexicon import lexicon
from engine.local.text import content_words, stems

# Cosine from which two questions mean the same. Paraphrases, also in the other language, lie above 0.83; the same verb
# with another object, or the same object with another verb, below 0.73. Verbs that sound alike are told by name.
SAME_MEANING = 0.78
# Reading a text costs a model about ten milliseconds, once: beyond these, the least asked are told by words alone.
READ_FOR_MEANING = 100
# Words that a question begins with, and that the other language has another use for.
_ASKING = ("comment", "how")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a text asks. ``actions`` are the concepts of doing that it names; vectors compare within one ``space``."""

    stems: frozenset[str]
    actions: frozenset[str]
    space: str
    vector: list[float] | None


def group_alike(texts: Sequence[str]) -> list[list[int]]:
    """Return the places of texts that ask the same, in the order of the first of each group.

    Each text joins the group whose first text it is nearest to, or begins one: so the same texts in the same order
    always make the same groups. Without a model, those with the same stems are together.
    """
    groups: list[list[int]] = []
    firsts: list[Meaning] = []
    for place, text in enumerate(texts):
        one = meaning_of(text, read=place < READ_FOR_MEANING)
        nearness = [nearness_of(one, first) for first in firsts]
        best = max(range(len(firsts)), key=lambda at: (nearness[at], -at), default=None)
        if best is not None and nearness[best] >= SAME_MEANING:
            groups[best].append(place)
        else:
            groups.append([place])
            firsts.append(one)
    return groups


def meaning_of(text: str, *, read: bool = True) -> Meaning:
    """Return what a text asks: its words, what it wants done, and, if ``read``, what a model makes of it."""
    said = content_words(text)
    asking = {said[0]} if said and said[0] in _ASKING else set()
    stemmed = frozenset(stem for word in said[len(asking) :] for stem in stems(word))
    if not read:
        return Meaning(stemmed, frozenset(), "", None)
    sought = seek(text)
    concepts = lexicon().concepts
    named = (concepts.get(term[1:]) for term in sought.terms if term.startswith("@"))
    actions = frozenset(one.name for one in named if one is not None and one.is_action and not one.soft)
    # « Comment … ? » is no wish to comment.
    return Meaning(stemmed, actions - asking, sought.space, sought.vector)


def nearness_of(one: Meaning, other: Meaning) -> float:
    """Return a cosine; 1 for the same words, 0 where nothing can be compared.

    To import is not to export, however much alike the two sound.
    """
    if one.stems and one.stems == other.stems:
        return 1.0
    if one.actions and other.actions and not one.actions & other.actions:
        return 0.0
    if one.vector is None or other.vector is None or one.space != other.space:
        return 0.0
    return sum(left * right for left, right in zip(one.vector, other.vector, strict=True))
