"""Vectors that are kept beside what they were made of: packed for a database's column, and read from it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine.types import TextVectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KEY_BYTES = 8


def vectors_kept(model: str, vectors: Mapping[int, Sequence[float]]) -> TextVectors:
    """Pack a model's vectors by the numbers of their texts. Half precision: a thousandth is less than a model knows."""
    import numpy as np

    rows = np.asarray(list(vectors.values()), "<f2")
    return TextVectors(model, np.asarray(list(vectors), "<u8").tobytes(), rows.tobytes())


def kept_rows(kept: TextVectors) -> tuple[list[int], NDArray[np.float32]]:
    """Read the numbers of the texts and a vector each; none at all when the two do not go together."""
    import numpy as np

    count = len(kept.keys) // _KEY_BYTES
    if not count or len(kept.keys) % _KEY_BYTES or not kept.rows or len(kept.rows) % (2 * count):
        return [], np.zeros((0, 0), np.float32)
    keys: list[int] = np.frombuffer(kept.keys, "<u8").tolist()
    return keys, np.frombuffer(kept.rows, "<f2").reshape(count, -1).astype(np.float32)
