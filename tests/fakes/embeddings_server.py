"""A server that speaks OpenAI's protocol for embeddings, in which texts that share letters are near each other."""

from __future__ import annotations

import base64
import json
import time
import unicodedata
import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from tests.fakes.http_server import Fault, HttpServer, Received

Reply = dict[str, Any]


class EmbeddingsServer(HttpServer):
    """Vectors of hashed pieces of words, ``length`` numbers each; out of their order, as the protocol allows.

    ``packs`` says whether it knows ``encoding_format``: else it refuses what has it, or (None) does as if it were not
    there. ``spoil`` changes the replies from then on.
    """

    def __init__(self, length: int = 256, *, packs: bool | None = True, slow_s: float = 0.0) -> None:
        super().__init__()
        self.length = length
        self.packs = packs
        self.slow_s = slow_s
        self.forget()

    def forget(self) -> None:
        """Be as at the start: nothing received, nothing wrong."""
        self.received.clear()
        self._faults.clear()
        self.spoil: Callable[[Reply], Reply] = lambda reply: reply

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def read(self) -> list[str]:
        """The texts that were sent, one after the other."""
        return [text for asked in self.received for text in json.loads(asked.body)["input"]]

    def usual(self, asked: Received) -> Fault:
        time.sleep(self.slow_s)
        body = json.loads(asked.body)
        if asked.path != "/v1/embeddings":
            return Fault(404)
        form = body.get("encoding_format", "float")
        if self.packs is False and form != "float":
            return Fault(400, body=b'{"error":{"message":"extra field not permitted"}}')
        rows = [_vector(text, self.length) for text in body["input"]]
        given = [_packed(row) if form == "base64" and self.packs else row.tolist() for row in rows]
        data = [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(given)]
        usage = {"prompt_tokens": len(data), "total_tokens": len(data)}
        reply = {"object": "list", "data": data[::-1], "model": body["model"], "usage": usage}
        return Fault(200, {"Content-Type": "application/json"}, json.dumps(self.spoil(reply)).encode())


def _packed(row: np.ndarray) -> str:
    return base64.b64encode(row.astype("<f4").tobytes()).decode()


@lru_cache(maxsize=50_000)
def _vector(text: str, length: int) -> np.ndarray:
    folded = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    padded = " ".join(f"<{word}>" for word in folded.split())
    row = np.zeros(length, np.float32)
    for size in (3, 4):
        for start in range(len(padded) - size + 1):
            number = zlib.crc32(padded[start : start + size].encode())
            row[number % length] += 1.0 if number & 1 << 20 else -1.0
    return row
