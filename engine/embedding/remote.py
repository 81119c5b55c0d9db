"""Embeddings of any OpenAI-compatible server (`POST /embeddings`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.deadline import Deadline
from engine.errors import EngineError
from engine.types import EngineConfig

_AT_ONCE = 64


class RemoteEmbedder:
    """Fills `engine.embedding.Embedder` by asking the server and model that `config` names."""

    def __init__(self, config: EngineConfig) -> None:
        self._config = config

    @property
    def model(self) -> str:
        return self._config.model

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector a text. All texts share the configuration's timeout; raises `EngineError` past it."""
        deadline = Deadline(self._config.timeout_s)
        vectors: list[Sequence[float]] = []
        for start in range(0, len(texts), _AT_ONCE):
            vectors += self._some(texts[start : start + _AT_ONCE], deadline)
        return vectors

    def _some(self, texts: Sequence[str], deadline: Deadline) -> list[Sequence[float]]:
        # Imported here: the client takes half a second that a purely local process need not spend.
        from engine.remote.wire import RefusedError, events

        body = {"model": self._config.model, "input": list(texts), "encoding_format": "float"}
        try:
            reply = next(iter(events(self._config, "/embeddings", body, deadline)), {})
        except RefusedError as refused:
            raise refused.error from refused
        vectors = list(_vectors(reply.get("data")))
        if len(vectors) != len(texts) or len({len(one) for one in vectors}) != 1:
            raise EngineError("provider_invalid", f"{len(vectors)} vectors for {len(texts)} texts")
        return vectors


def _vectors(data: object) -> Iterator[Sequence[float]]:
    """The vectors of a reply in the order of the texts; what is no list of numbers is left out."""
    rows = [row for row in data if isinstance(row, dict)] if isinstance(data, list) else []
    for row in sorted(rows, key=lambda one: one["index"] if isinstance(one.get("index"), int) else 0):
        vector = row.get("embedding")
        if isinstance(vector, list) and vector and all(isinstance(one, int | float) for one in vector):
            yield vector
