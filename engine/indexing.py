"""What finds a page's intents from any other page: their terms and their meaning, and those of a question.

The search only proposes pages. Whether one of them answers is decided as for the page that is open: by its plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.local.goals import element_label
from engine.local.lexicon import lexicon
from engine.local.meaning import READ_WAIT_S, awake_space, page_meanings, page_vectors, text_meaning
from engine.local.text import content_words, stems, words
from engine.service import plain_question
from engine.types import Intent, Page, TextVectors

# PostgreSQL keeps no term of more than two kilobytes; no word that people say is near this.
_LONGEST_TERM = 64

__all__ = ["READ_WAIT_S", "Entry", "PageIndex", "Sought", "index_page", "index_space", "page_vectors", "seek"]


@dataclass(frozen=True, slots=True)
class Entry:
    """An intent as it is found: its terms with the weight of each, `A` (its own name) to `D` (where it stands), and
    its meaning, None where no model reads."""

    intent: Intent
    terms: dict[str, str]
    vector: list[float] | None


@dataclass(frozen=True, slots=True)
class PageIndex:
    """A page's entries, in the order of its intents, and what it cost to make them: `vectors`, to be kept. `space` is
    that of the entries' vectors, empty where no model reads."""

    entries: list[Entry]
    space: str
    vectors: TextVectors | None


@dataclass(frozen=True, slots=True)
class Sought:
    """A question as it is looked for. Its vector compares with those of entries made in the same `space`."""

    terms: tuple[str, ...]
    space: str
    vector: list[float] | None


def index_space() -> str:
    """The space that vectors are made in now; empty without a model. Another training gives another name."""
    space = awake_space()
    return "" if space is None else space.name


def index_page(page: Page, before: Sequence[TextVectors] = ()) -> PageIndex:
    """How a page's intents are found. A model reads only the texts whose vectors are not in `before`."""
    vectors = page_vectors(page, before)
    meanings = None if vectors is None else page_meanings(replace(page, vectors=vectors))
    entries = [
        Entry(intent, _terms(intent, page), None if meanings is None else meanings[place].tolist())
        for place, intent in enumerate(page.intents)
    ]
    return PageIndex(entries, "" if meanings is None else index_space(), vectors)


def seek(question: str, house_words: Sequence[Sequence[str]] = ()) -> Sought:
    """How a question is looked for: its terms in both languages, the concepts that it names or hints at, what the
    organization calls the same (`Page.house_words`), and its meaning."""
    asked = plain_question(question)
    known = lexicon()
    said = words(asked)
    concepts = known.concepts_in(asked).union(*(one.concepts for one in known.sayings(said)))
    terms = dict.fromkeys([*_stems_of(asked, *_also_called(said, house_words)), *_concept_terms(concepts)])
    vector = text_meaning(asked) if asked else None
    return Sought(tuple(terms), *(("", None) if vector is None else (index_space(), vector.tolist())))


def _terms(intent: Intent, page: Page) -> dict[str, str]:
    element = intent.element
    label = element_label(element)
    named = lexicon().concepts_in(label) | lexicon().concepts_in(intent.user_goal) | {*lexicon().of_label(label)}
    besides = (*intent.synonyms, *element.options, element.placeholder)
    around = (element.form, element.group, element.heading, element.column)
    terms: dict[str, str] = {}
    for weight, texts in (("D", (page.name, *around)), ("C", besides), ("A", (label, intent.user_goal))):
        terms.update(dict.fromkeys(_stems_of(*texts), weight))
    return {**terms, **dict.fromkeys(_concept_terms(named), "A")}


def _stems_of(*texts: str) -> Iterable[str]:
    return (
        stem
        for text in texts
        for word in content_words(text)
        for stem in sorted(stems(word))
        if len(stem) <= _LONGEST_TERM
    )


def _also_called(said: Sequence[str], house_words: Sequence[Sequence[str]]) -> Iterable[str]:
    """All names of what a question names, wherever its words stand: a page that is proposed too often costs little."""
    there = {stem for word in said for stem in stems(word)}
    for names in house_words:
        if any(all(there & stems(word) for word in words(name)) for name in names if words(name)):
            yield from names


def _concept_terms(concepts: Iterable[str]) -> Iterable[str]:
    return (f"@{concept}" for concept in sorted(concepts))
