"""This process's way to Valkey, which is a hint and never the truth: nobody hangs on it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

import redis
from django.conf import settings

log = logging.getLogger(__name__)

TIMEOUT_S = 1.0
# After a failure it is left alone for this long: a dead Valkey costs one request its patience, not every request.
REST_S = 5.0

Answer = TypeVar("Answer")
_resting_until = 0.0


@lru_cache(maxsize=1)
def valkey() -> redis.Redis:
    """Return this process's client; connections are pooled and time out instead of hanging a worker."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S)


@lru_cache(maxsize=1)
def patient_valkey() -> redis.Redis:
    """Return a client for commands that block on purpose, up to ``ASK_WAIT_MS``."""
    patience = settings.ASK_WAIT_MS / 1000 + TIMEOUT_S
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=patience, socket_connect_timeout=TIMEOUT_S)


def attempt(what: str, work: Callable[[], Answer]) -> Answer | None:
    """Return what ``work`` gets from Valkey, or None when it cannot be reached now; ``what`` is for the log."""
    if is_resting():
        return None
    try:
        return work()
    except redis.RedisError as error:
        let_rest()
        log.warning("Valkey does not answer, %s: %s", what, error)
        return None


def is_resting() -> bool:
    """Whether Valkey failed a moment ago."""
    return time.monotonic() < _resting_until


def let_rest() -> None:
    """Leave Valkey alone for a moment: it failed."""
    global _resting_until  # noqa: PLW0603
    _resting_until = time.monotonic() + REST_S
