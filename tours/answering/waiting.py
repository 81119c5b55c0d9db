"""What a worker tells, over Valkey, to whoever waits in a web process: each step as it is made, and that all is there.

The row in the database is the truth; this is a bell and a look over the shoulder: losing it costs time, no answer.
Each question has a Valkey stream of its own, which any number of readers follow and which ends by itself.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from organizations.valkey import TIMEOUT_S, attempt, patient_valkey, valkey

LIFETIME_S = 60
_MOST_ENTRIES = 64
# Shorter than any client's patience: who waits longer asks again.
_SLICE_S = TIMEOUT_S / 2


def ring(question_id: uuid.UUID) -> None:
    """Tell whoever waits that the question now has its answer in the database."""
    _add(question_id, {"done": "1"}, f"nobody could be told that {question_id} is answered")


def tell_step(question_id: uuid.UUID, index: int, step: Mapping[str, Any]) -> None:
    """Let whoever waits have a step that is made, as a guide runs it, before the others are."""
    said = json.dumps({"index": index, **step}, ensure_ascii=False)
    _add(question_id, {"step": said}, f"a step of {question_id} is told with the others")


def wait(question_id: uuid.UUID, timeout_ms: int) -> bool:
    """Wait at most ``timeout_ms`` for the bell; return whether it rang."""
    if timeout_ms <= 0:
        return False
    return any(told is DONE for told in Follower(question_id).follow(timeout_ms / 1000))


@dataclass(frozen=True, slots=True)
class ToldStep:
    """A step as it was told: its place in the answer, and JSON with that place as ``index``."""

    index: int
    said: str


@dataclass(frozen=True, slots=True)
class Done:
    """The answer is in the database."""


DONE = Done()


@dataclass(slots=True)
class Follower:
    """Reads what is told of a question from its beginning, and then as it comes.

    Steps are read from ``leader``'s as well: the question with the same words that is being answered for both.
    """

    question: uuid.UUID
    leader: uuid.UUID | None = None
    _read: dict[str, str] = field(default_factory=dict)

    def follow(self, seconds: float) -> Iterator[ToldStep | Done]:
        """Give what is told within this time, at once when it was told before. Ends early after ``DONE``."""
        until = time.monotonic() + seconds
        own = _key(self.question)
        keys = {own, _key(self.leader or self.question)}
        while (left := until - time.monotonic()) > 0:
            cursor = {key: self._read.get(key, "0") for key in keys}
            for key, entry_id, said in _entries(cursor, min(left, _SLICE_S), self.question):
                self._read[key] = entry_id
                if "step" in said:
                    yield ToldStep(int(json.loads(said["step"])["index"]), said["step"])
                elif key == own:
                    yield DONE
                    return


def _entries(
    cursor: Mapping[str, str], block_s: float, question_id: uuid.UUID
) -> list[tuple[str, str, dict[str, str]]]:
    """Wait a moment for entries after ``cursor``: their key, id and content. None when Valkey is away."""
    began = time.monotonic()
    replied = attempt(
        f"not following {question_id}",
        lambda: patient_valkey().xread(cast("Any", dict(cursor)), block=max(1, int(block_s * 1000))),
    )
    if replied is None:
        # Away: who asks again at once would ask a thousand times.
        time.sleep(max(0.0, block_s - (time.monotonic() - began)))
    found = []
    for key, entries in cast("list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]]", replied or []):
        for entry_id, said in entries:
            content = {name.decode(): value.decode() for name, value in said.items()}
            found.append((key.decode(), entry_id.decode(), content))
    return found


def _add(question_id: uuid.UUID, entry: dict[str, str], without_it: str) -> None:
    pipeline = valkey().pipeline(transaction=False)
    pipeline.xadd(_key(question_id), cast("Any", entry), maxlen=_MOST_ENTRIES)
    pipeline.expire(_key(question_id), LIFETIME_S)
    attempt(without_it, pipeline.execute)


def _key(question_id: uuid.UUID) -> str:
    return f"circuy:answer:{question_id}"
