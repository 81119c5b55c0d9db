"""The short wait of the web process for a worker's answer, over Valkey.

The row in the database is the truth; this is only a bell. Losing it costs time, never an answer.
"""

from __future__ import annotations

import logging
import uuid

import redis

from organizations.ratelimit import valkey

log = logging.getLogger(__name__)

BELL_LIFETIME_S = 60


def ring(question_id: uuid.UUID) -> None:
    """Tell whoever waits that the question now has its answer in the database."""
    try:
        pipeline = valkey().pipeline(transaction=False)
        pipeline.lpush(_key(question_id), "1")
        pipeline.expire(_key(question_id), BELL_LIFETIME_S)
        pipeline.execute()
    except redis.RedisError as error:
        log.warning("nobody could be told that %s is answered: %s", question_id, error)


def wait(question_id: uuid.UUID, timeout_ms: int) -> bool:
    """Wait at most ``timeout_ms`` for the bell; return whether it rang."""
    if timeout_ms <= 0:
        return False
    try:
        return valkey().blpop([_key(question_id)], timeout=timeout_ms / 1000) is not None
    except redis.RedisError as error:
        log.warning("not waiting for %s: %s", question_id, error)
        return False


def _key(question_id: uuid.UUID) -> str:
    return f"circuy:answer:{question_id}"
