"""The short wait of the web process for a worker's answer, over Valkey.

The row in the database is the truth; this is only a bell. Losing it costs time, never an answer.
"""

from __future__ import annotations

import uuid

from organizations.valkey import attempt, patient_valkey, valkey

BELL_LIFETIME_S = 60


def ring(question_id: uuid.UUID) -> None:
    """Tell whoever waits that the question now has its answer in the database."""
    pipeline = valkey().pipeline(transaction=False)
    pipeline.lpush(_key(question_id), "1")
    pipeline.expire(_key(question_id), BELL_LIFETIME_S)
    attempt(f"nobody could be told that {question_id} is answered", pipeline.execute)


def wait(question_id: uuid.UUID, timeout_ms: int) -> bool:
    """Wait at most ``timeout_ms`` for the bell; return whether it rang."""
    if timeout_ms <= 0:
        return False
    rang = attempt(
        f"not waiting for {question_id}",
        lambda: patient_valkey().blpop([_key(question_id)], timeout=timeout_ms / 1000),
    )
    return rang is not None


def _key(question_id: uuid.UUID) -> str:
    return f"circuy:answer:{question_id}"
