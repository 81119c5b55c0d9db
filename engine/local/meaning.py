"""How near a question is to what a page offers: vectors of both, in a space that was trained on our own sayings.

The model behind the port knows what words mean, but not that *get rid of* stands for a button *Delete*. A small map,
trained by `make train-ranker` on the lexicon's wordings and sayings, turns its space so that they meet. The lexicon's
texts are in the data file already turned, so that a page costs the model only the labels that are none of them.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from threading import Lock
from typing import TYPE_CHECKING, Any

from engine.embedding import Embedder, current_embedder
from engine.errors import EngineError
from engine.local.goals import element_label
from engine.local.lexicon import lexicon
from engine.types import Intent, Page

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]
    Numbers = NDArray[np.float32]

_log = logging.getLogger(__name__)
_KEPT_TEXTS = 20_000
_MOST_OPTIONS = 8
_SILENCE_S = 30.0
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


class Space:
    """The trained space of one model: its map, and the texts of the lexicon in it."""

    def __init__(self, embedder: Embedder, data: Any) -> None:
        import numpy as np

        self._embedder = embedder
        self._mean: Matrix = data["mean"].astype(np.float32)
        self._map: Matrix = data["map"].astype(np.float32)
        rows = data["vectors"].astype(np.float32) / 127.0
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        self._row_of = {int(key): row for row, key in enumerate(data["keys"])}
        self._rows: Matrix = rows
        self._kept: OrderedDict[int, Numbers] = OrderedDict()
        self._lock = Lock()
        self.number_of: dict[str, int] = {}
        self._index_concepts()

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """A unit vector a text. Raises `EngineError` when the model cannot read those that are not known yet."""
        import numpy as np

        keys = [text_key(text) for text in texts]
        with self._lock:
            missing = {k: t for k, t in zip(keys, texts, strict=True) if k not in self._row_of and k not in self._kept}
        if missing:
            turned = self.turned(self._embedder.embed([plain(text) for text in missing.values()]))
            with self._lock:
                self._kept.update(zip(missing, turned, strict=True))
                while len(self._kept) > _KEPT_TEXTS:
                    self._kept.popitem(last=False)
            known = dict(zip(missing, turned, strict=True))
        else:
            known = {}
        found = [self._known(key, known) for key in keys]
        return np.stack(found) if found else np.zeros((0, self._map.shape[1]), np.float32)

    def turned(self, vectors: Sequence[Sequence[float]]) -> Matrix:
        """Vectors of the model as unit vectors of this space."""
        import numpy as np

        raw = (np.asarray(vectors, np.float32) - self._mean) @ self._map
        unit: Matrix = raw / (np.linalg.norm(raw, axis=1, keepdims=True) + 1e-9)
        return unit

    def usual(self, concept: str) -> Numbers | None:
        """What a concept means by its names, or None when the space does not know it."""
        number = self.number_of.get(concept)
        return None if number is None else self._usual[number]

    def nearest_of_concepts(self, vector: Numbers) -> Numbers:
        """For each concept, by its number, how near the nearest of its names and sayings is."""
        import numpy as np

        nearest: Numbers = np.maximum.reduceat(self._texts @ vector, self._starts)
        return nearest

    def _known(self, key: int, fresh: dict[int, Numbers]) -> Numbers:
        if (row := self._row_of.get(key)) is not None:
            known: Numbers = self._rows[row]
            return known
        if key in fresh:
            return fresh[key]
        with self._lock:
            self._kept.move_to_end(key)
            kept: Numbers = self._kept[key]
            return kept

    def _index_concepts(self) -> None:
        import numpy as np

        rows: list[int] = []
        starts: list[int] = []
        usual: list[Numbers] = []
        for concept, (names, sayings) in lexicon().texts().items():
            named = [self._row_of[key] for key in map(text_key, names) if key in self._row_of]
            said = [self._row_of[key] for key in map(text_key, sayings) if key in self._row_of]
            if named:
                self.number_of[concept] = len(starts)
                starts.append(len(rows))
                rows += [*named, *said]
                mean = self._rows[named].mean(axis=0)
                usual.append(mean / (np.linalg.norm(mean) + 1e-9))
        # What any field answers (*change*, *mark as*) is no sign that the question means something else.
        soft = {name for name, concept in lexicon().concepts.items() if concept.soft}
        self.telling = np.asarray([name not in soft for name in self.number_of])
        self._texts: Matrix = self._rows[rows]
        self._starts = np.asarray(starts)
        self._usual: Matrix = np.stack(usual)


def plain(text: str) -> str:
    """A text as the space was trained on: small letters, single spaces."""
    return " ".join(text.lower().split())


def text_key(text: str) -> int:
    """The number under which the space keeps a text."""
    return int.from_bytes(blake2b(plain(text).encode("utf-8", "ignore"), digest_size=8).digest(), "big")


def concepts_of(intent: Intent) -> frozenset[str]:
    """The concepts that an intent's own words name."""
    known = lexicon()
    label = element_label(intent.element) or intent.user_goal
    named = known.concepts_in(label) | known.concepts_in(intent.user_goal) | {*known.of_label(label)}
    return named - _ANY_ELEMENT


def nearness(question: str, page: Page) -> Nearness | None:
    """How near each intent of the page is to the question; None without a model that reads it."""
    space = _space()
    if space is None or not page.intents or _Silence.until > time.monotonic():
        return None
    try:
        return _nearness(space, question, page)
    except EngineError as error:
        # Words alone answer too; a model that does not come back must not cost every question its timeout.
        _log.warning("embeddings: %s; by words alone for %d s", error, _SILENCE_S)
        _Silence.until = time.monotonic() + _SILENCE_S
        return None


class _Silence:
    until = 0.0


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

    labels = space.vectors([element_label(one.element) or one.user_goal for one in page.intents])
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


def _place(intent: Intent, page: Page) -> str:
    element = intent.element
    return element.row or element.group or element.form or element.heading or page.name


def _options(intent: Intent) -> Iterable[str]:
    return (text for text in intent.element.options[:_MOST_OPTIONS] if text.strip())


def _space() -> Space | None:
    embedder = current_embedder()
    return None if embedder is None else space_of(embedder)


@cache
def space_of(embedder: Embedder) -> Space | None:
    """The trained space of an embedder's model; None, after a line in the log, when none was trained for it."""
    file = files("engine.local").joinpath("spaces", f"{embedder.model.rsplit('/', 1)[-1]}.npz")
    if not file.is_file():
        _log.warning("embeddings: no space was trained for %s (make train-ranker)", embedder.model)
        return None
    import numpy as np

    with file.open("rb") as opened:
        data = np.load(opened, allow_pickle=False)
        return Space(embedder, {name: data[name] for name in ("mean", "map", "keys", "vectors")})
