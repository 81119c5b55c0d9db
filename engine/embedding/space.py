"""The trained space of an embedding model, in which a question and what a page offers are compared.

A model knows what words mean, but not that *get rid of* stands for a button *Delete*. A small map, trained on the
lexicon's wordings and sayings (`engine.embedding.fitting`), turns its space so that they meet. The lexicon's texts are
in the data file already turned, so that a page costs the model only the labels that are none of them. Any model will
do: in its trained space vectors have `MEANING_DIMENSIONS` numbers.
"""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from engine.embedding import ASKED_WAIT_S, Embedder, spaces_folder
from engine.embedding.kept import kept_rows, vectors_kept
from engine.errors import EngineError
from engine.local.lexicon import lexicon
from engine.types import MEANING_DIMENSIONS, TextVectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]
    Numbers = NDArray[np.float32]

_log = logging.getLogger(__name__)
_KEPT_TEXTS = 20_000
# A release may bring the lexicon a few texts that a space was not trained on; without more of them it is another one.
_FEW_NEW = 0.02
_PARTS = ("mean", "map", "keys", "vectors")


class Space:
    """The trained space of one model: its map, and the texts of the lexicon in it.

    `name` is another one after every training: vectors compare within one name only.
    """

    def __init__(self, embedder: Embedder, data: Any, name: str) -> None:
        import numpy as np

        self.name = name
        self.is_far = embedder.is_far
        self._embedder = embedder
        self._mean: Matrix = data["mean"].astype(np.float32)
        self._map: Matrix = data["map"].astype(np.float32)
        if self._map.shape != (*self._mean.shape, MEANING_DIMENSIONS):
            raise ValueError(f"a map of {self._map.shape} numbers")
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
        known = self._known(keys)
        missing = {key: plain(text) for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            fresh = dict(zip(missing, self.turned(self._read(list(missing.values()))), strict=True))
            self._keep(fresh)
            # What was found stays found: keeping these may have pushed it out.
            known |= fresh
        return np.stack([known[key] for key in keys]) if keys else np.zeros((0, self._map.shape[1]), np.float32)

    def knows(self, texts: Iterable[str]) -> bool:
        """Whether no model has to read any of these."""
        keys = [key for text in texts if (key := text_key(text)) not in self._row_of]
        with self._lock:
            return all(key in self._kept for key in keys)

    def recall(self, kept: TextVectors | None) -> None:
        """Take in what the model made of some texts before, if it was this model."""
        if known := self._made_before(kept):
            self._keep(dict(zip(known, self.turned(list(known.values())), strict=True)))

    def to_keep(self, texts: Iterable[str], before: Iterable[TextVectors | None], *, wait_s: float) -> TextVectors:
        """What the model makes of these texts, without those of the lexicon; only what is not in `before` is read by
        it, within `wait_s` seconds if it is far. Raises `EngineError` when it cannot."""
        wanted = {key: plain(text) for text in texts if (key := text_key(text)) not in self._row_of}
        known: dict[int, Any] = {key: row for kept in before for key, row in self._made_before(kept).items()}
        missing = {key: text for key, text in wanted.items() if key not in known}
        if missing:
            known.update(zip(missing, self._read(list(missing.values()), wait_s), strict=True))
        return vectors_kept(self._embedder.model, {key: known[key] for key in wanted})

    def _read(self, texts: Sequence[str], wait_s: float = ASKED_WAIT_S) -> Sequence[Sequence[float]]:
        vectors = self._embedder.embed(texts, wait_s=wait_s)
        if {len(vector) for vector in vectors} - {len(self._mean)}:
            raise EngineError("provider_invalid", f"vectors of {len(vectors[0])} numbers instead of {len(self._mean)}")
        return vectors

    def _made_before(self, kept: TextVectors | None) -> dict[int, Numbers]:
        if kept is None or kept.model != self._embedder.model:
            return {}
        keys, rows = kept_rows(kept)
        return dict(zip(keys, rows, strict=True)) if rows.shape[1:] == self._mean.shape else {}

    def turned(self, vectors: Sequence[Sequence[float]] | Sequence[Numbers]) -> Matrix:
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

    def _keep(self, turned: dict[int, Numbers]) -> None:
        with self._lock:
            for key, row in turned.items():
                self._kept[key] = row
                self._kept.move_to_end(key)
            while len(self._kept) > _KEPT_TEXTS:
                self._kept.popitem(last=False)

    def _known(self, keys: Iterable[int]) -> dict[int, Numbers]:
        """The vectors of those of the texts that nobody has to read."""
        known: dict[int, Numbers] = {}
        with self._lock:
            for key in keys:
                if (row := self._row_of.get(key)) is not None:
                    known[key] = self._rows[row]
                elif key in self._kept:
                    self._kept.move_to_end(key)
                    known[key] = self._kept[key]
        return known

    def _index_concepts(self) -> None:
        import numpy as np

        rows: list[int] = []
        starts: list[int] = []
        usual: list[Numbers] = []
        count = known = 0
        for concept, (names, sayings) in lexicon().texts().items():
            named = [self._row_of[key] for key in map(text_key, names) if key in self._row_of]
            said = [self._row_of[key] for key in map(text_key, sayings) if key in self._row_of]
            count, known = count + len(names) + len(sayings), known + len(named) + len(said)
            if named:
                self.number_of[concept] = len(starts)
                starts.append(len(rows))
                rows += [*named, *said]
                mean = self._rows[named].mean(axis=0)
                usual.append(mean / (np.linalg.norm(mean) + 1e-9))
        self.missing = 1 - known / count
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


@cache
def _warn_once(text: str) -> None:
    _log.warning("embeddings: %s", text)


def space_of(embedder: Embedder) -> Space | None:
    """The trained space of an embedder's model as it is on disk now; None, after one line in the log, without one."""
    file = space_file(embedder.model)
    try:
        stamp = file.stat().st_mtime_ns
    except OSError:
        _warn_once(f"no space was trained for {embedder.model}, words alone answer; run {trained_by(embedder)}")
        return None
    return _loaded(embedder, file, stamp)


def space_file(model: str) -> Path:
    """Where the trained space of a model is, or will be."""
    return spaces_folder() / f"{_file_name(model)}.npz"


def trained_by(embedder: Embedder) -> str:
    """The command that trains the space of an embedder's model."""
    return "manage.py fit_embeddings" if embedder.is_far else "make train-ranker"


def _file_name(model: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", model).strip(".-")


# One that is trained anew takes the place of the last.
@lru_cache(maxsize=4)
def _loaded(embedder: Embedder, file: Path, stamp: int) -> Space | None:  # noqa: ARG001
    import numpy as np

    try:
        packed = file.read_bytes()
        with np.load(BytesIO(packed), allow_pickle=False) as data:
            parts = {part: data[part] for part in _PARTS}
        name = f"{_file_name(embedder.model)}/{blake2b(packed, digest_size=4).hexdigest()}"
        space = Space(embedder, parts, name)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        _log.error("embeddings: %s cannot be used (%s); run %s", file, error, trained_by(embedder))
        return None
    if space.missing > _FEW_NEW:
        by = trained_by(embedder)
        _log.warning("embeddings: %.0f %% of the lexicon is new to %s; run %s", 100 * space.missing, file.name, by)
    return space
