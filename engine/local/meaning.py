"""How near a question is to what a page offers: vectors of both, in the trained space of the model that reads.

A page costs the model only the labels that are none of the lexicon's texts, and those only once: whoever keeps a page
keeps their vectors beside it (`page_vectors`), and hands them back in `Page.vectors`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from engine.embedding import current_embedder
from engine.embedding.space import Space, space_of
from engine.errors import EngineError
from engine.local.goals import element_label
from engine.local.lexicon import lexicon
from engine.types import Intent, Page, TextVectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]
    Numbers = NDArray[np.float32]

T = TypeVar("T")

_log = logging.getLogger(__name__)
_MOST_OPTIONS = 8
_SILENCE_S = 30.0
# What a server may take for the texts of a page that somebody saves; what it did not read is read later.
READ_WAIT_S = 5.0
# How much the usual names of its concepts weigh in what a label means, beside its own words.
_CONCEPTS_SHARE = 0.7
# What every field and link does says nothing of this one.
_ANY_ELEMENT = frozenset(("open", "see", "choose", "fill", "change", "add", "list", "page"))


@dataclass(frozen=True, slots=True)
class Nearness:
    """A question's similarities (cosines), one number an intent of the page in each array; `option` is NaN where there
    is no list. `elsewhere` is the best of the lexicon's concepts, on this page or not."""

    label: Numbers
    meaning: Numbers
    concept: Numbers
    place: Numbers
    option: Numbers
    elsewhere: float


@dataclass(frozen=True, slots=True)
class PageMeaning:
    """The vectors of a page's intents, a row each; of options with the number of their intent beside them, of concepts
    their numbers in the space, -1 where a row has fewer than the longest."""

    label: Matrix
    meaning: Matrix
    place: Matrix
    option: Matrix
    option_of: Any
    concepts: Any


def concepts_of(intent: Intent) -> frozenset[str]:
    """The concepts that an intent's own words name."""
    known = lexicon()
    label = element_label(intent.element) or intent.user_goal
    named = known.concepts_in(label) | known.concepts_in(intent.user_goal) | {*known.of_label(label)}
    return named - _ANY_ELEMENT


def page_vectors(page: Page, before: Sequence[TextVectors] = (), *, wait_s: float = READ_WAIT_S) -> TextVectors | None:
    """The vectors of a page's texts, to be kept beside it: those in `before`, and its own, are not made again.

    None without a model that reads them, or one on a server that takes longer than `wait_s` seconds.
    """
    space = awake_space()
    if space is None:
        return None
    return _read(lambda: space.to_keep(_texts(page), (page.vectors, *before), wait_s=wait_s))


def page_meanings(page: Page) -> Matrix | None:
    """What each intent of a page means: a unit vector each in the space of `awake_space`. None without a model."""
    space = awake_space()
    return None if space is None or not page.intents else _read(lambda: _page_meaning(space, page).meaning)


def text_meaning(text: str) -> Numbers | None:
    """What a text means, in the same space. None without a model that reads it."""
    space = awake_space()
    found = None if space is None else _read(lambda: space.vectors([text]))
    return None if found is None else found[0]


def nearness(question: str, page: Page) -> Nearness | None:
    """How near each intent of the page is to the question; None without a model that reads it, or when that is on a
    server and has not read the page before."""
    space = awake_space()
    return None if space is None or not page.intents else _read(lambda: _nearness(space, question, page))


def _read(by_model: Callable[[], T]) -> T | None:
    try:
        return by_model()
    except _UnreadError:
        return None
    except EngineError as error:
        # Words alone answer too; a model that does not come back must not cost every question its timeout.
        _log.warning("embeddings: %s; by words alone for %d s", error, _SILENCE_S)
        _Silence.until = time.monotonic() + _SILENCE_S
        return None


class _Silence:
    until = 0.0


class _UnreadError(Exception):
    """A page would have to be read over a network while somebody waits."""


@lru_cache(maxsize=256)
def _nearness(space: Space, question: str, page: Page) -> Nearness:
    import numpy as np

    meant = _page_meaning(space, page)
    asked: Numbers = space.vectors([question])[0]
    concepts = space.nearest_of_concepts(asked)
    padded = np.append(concepts, np.float32(-1.0))
    label = meant.label @ asked
    by_concept = padded[meant.concepts].max(axis=1)
    option = np.full(len(page.intents), -1.0, np.float32)
    np.maximum.at(option, meant.option_of, meant.option @ asked)
    return Nearness(
        label=label,
        meaning=meant.meaning @ asked,
        concept=np.where(by_concept > -1.0, by_concept, label),
        place=meant.place @ asked,
        option=np.where(option > -1.0, option, np.nan),
        elsewhere=float(concepts[space.telling].max()),
    )


@lru_cache(maxsize=128)
def _page_meaning(space: Space, page: Page) -> PageMeaning:
    import numpy as np

    space.recall(page.vectors)
    if space.is_far and not space.knows(_texts(page)):
        raise _UnreadError
    labels = space.vectors([_label(one) for one in page.intents])
    places = space.vectors([_place(one, page) for one in page.intents])
    named = [sorted(concepts_of(one) & space.number_of.keys()) for one in page.intents]
    meaning = labels.copy()
    for row, concepts in enumerate(named):
        usual = [vector for name in concepts if (vector := space.usual(name)) is not None]
        if usual:
            mean = np.mean(usual, axis=0)
            meaning[row] += _CONCEPTS_SHARE * mean / (np.linalg.norm(mean) + 1e-9)
    meaning /= np.linalg.norm(meaning, axis=1, keepdims=True) + 1e-9
    width = max(1, *map(len, named))
    options = [(row, text) for row, one in enumerate(page.intents) for text in _options(one)]
    return PageMeaning(
        label=labels,
        meaning=meaning,
        place=places,
        option=space.vectors([text for _, text in options]),
        option_of=np.asarray([row for row, _ in options], np.intp),
        concepts=np.asarray([[*(space.number_of[n] for n in row), *([-1] * (width - len(row)))] for row in named]),
    )


def _texts(page: Page) -> Iterator[str]:
    """All that `_page_meaning` has read."""
    for intent in page.intents:
        yield _label(intent)
        yield _place(intent, page)
        yield from _options(intent)


def _label(intent: Intent) -> str:
    return element_label(intent.element) or intent.user_goal


def _place(intent: Intent, page: Page) -> str:
    element = intent.element
    return element.row or element.group or element.form or element.heading or page.name


def _options(intent: Intent) -> Iterable[str]:
    return (text for text in intent.element.options[:_MOST_OPTIONS] if text.strip())


def awake_space() -> Space | None:
    """The space of the current model; None without one, or while one that did not answer is left alone."""
    embedder = current_embedder()
    return None if embedder is None or _Silence.until > time.monotonic() else space_of(embedder)
