"""Embeddings of a server that speaks OpenAI's protocol (`POST …/embeddings`): in batches, bounded in time and size."""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.deadline import Deadline
from engine.embedding import ASKED_WAIT_S, EmbeddingServer
from engine.errors import EngineError
from engine.remote.wire import RefusedError, events
from engine.types import EngineConfig

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

# What the strictest of the known servers takes at once.
_BATCH = 32
# A label or a question; no server's model reads less.
_LONGEST = 300
# Thirty-two vectors of 4,096 numbers, each written out in full.
_MOST_BYTES = 8_000_000
_LONGEST_WAIT_S = 5.0
_PAUSES_S = (0.3, 1.0)
_RETRIED = frozenset(("provider_rate_limited", "provider_unavailable"))
# What a server may say that does not know `encoding_format`; some say 500, but then name it.
_NOT_UNDERSTOOD = frozenset((400, 415, 422))
# Models that were trained with a word before each text, which their servers leave to who asks. Both sides are read as
# queries: on texts as short as these that ranks better.
_BEFORE = {"nomic-embed": "search_query: ", "multilingual-e5": "query: "}


class ServerEmbedder:
    """Fills `engine.embedding.Embedder` with a model on a server. Vectors have length 1, and its count of numbers."""

    is_far = True

    def __init__(self, server: EmbeddingServer, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.model = server.model
        self._config = EngineConfig("openai", server.base_url, server.api_key, server.model)
        self._before = next((before for name, before in _BEFORE.items() if name in server.model.lower()), "")
        self._sleep = sleep
        # Base64 is a quarter of the same numbers written out; given up where a server does not take it.
        self._is_packed = True

    def embed(self, texts: Sequence[str], *, wait_s: float = ASKED_WAIT_S) -> Sequence[Sequence[float]]:
        """One unit vector a text, 32 to a request. A server that is busy is asked again while `wait_s` allows."""
        deadline = Deadline(wait_s)
        found: list[list[float]] = []
        for start in range(0, len(texts), _BATCH):
            found += self._patiently(texts[start : start + _BATCH], deadline).tolist()
        if len({len(vector) for vector in found}) > 1:
            raise EngineError("provider_invalid", "vectors of several lengths")
        return found

    def _patiently(self, texts: Sequence[str], deadline: Deadline) -> Matrix:
        for pause in _PAUSES_S:
            try:
                return self._once(texts, deadline)
            except EngineError as error:
                wait = pause if error.retry_after_s is None else error.retry_after_s
                if error.code not in _RETRIED or wait > min(_LONGEST_WAIT_S, deadline.left_to_start()):
                    raise
            self._sleep(wait)
        return self._once(texts, deadline)

    def _once(self, texts: Sequence[str], deadline: Deadline) -> Matrix:
        body: dict[str, Any] = {"model": self.model, "input": [self._before + _readable(text) for text in texts]}
        if self._is_packed:
            try:
                return self._asked({**body, "encoding_format": "base64"}, len(texts), deadline)
            except RefusedError as refused:
                refusal = refused.refusal
                if refusal.status not in _NOT_UNDERSTOOD and "encoding" not in refusal.said.lower():
                    raise refused.error from refused
        try:
            found = self._asked(body, len(texts), deadline)
        except RefusedError as refused:
            raise refused.error from refused
        self._is_packed = False
        return found

    def _asked(self, body: Mapping[str, Any], count: int, deadline: Deadline) -> Matrix:
        replies = list(events(self._config, "/embeddings", body, deadline, most_bytes=_MOST_BYTES))
        return _vectors(replies[0].get("data") if len(replies) == 1 else None, count)


def _readable(text: str) -> str:
    """What every server takes: valid, short, and something. Some refuse an empty text, and the batch with it."""
    valid = text.replace("\0", " ").encode("utf-8", "ignore").decode()
    return valid.strip()[:_LONGEST] or "-"


def _vectors(data: Any, count: int) -> Matrix:
    """The vectors of a reply in the order of their `index`, each of length 1."""
    import numpy as np

    if not isinstance(data, list) or len(data) != count or not all(isinstance(one, dict) for one in data):
        raise EngineError("provider_invalid", f"not {count} vectors")
    rows = {str(one.get("index", place)): _row(one.get("embedding")) for place, one in enumerate(data)}
    if rows.keys() != set(map(str, range(count))) or len({len(row) for row in rows.values()}) != 1:
        raise EngineError("provider_invalid", "vectors without their places, or of several lengths")
    found = np.stack([rows[str(place)] for place in range(count)])
    unit: Matrix = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
    return unit


def _row(given: Any) -> NDArray[np.float32]:
    import numpy as np

    try:
        packed = base64.b64decode(given, validate=True) if isinstance(given, str) else None
        with np.errstate(over="ignore"):
            row = np.asarray(given, np.float32) if packed is None else np.frombuffer(packed, "<f4").astype(np.float32)
    except (ValueError, TypeError, OverflowError, binascii.Error) as error:
        raise EngineError("provider_invalid", "what should be a vector is none") from error
    if row.ndim != 1 or not row.size or not np.isfinite(row).all():
        raise EngineError("provider_invalid", "a vector that is empty or no numbers")
    return row
