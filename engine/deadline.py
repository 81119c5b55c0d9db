"""The time that one answer may take. All times are in seconds of a monotonic clock."""

from __future__ import annotations

import time

from engine.errors import EngineError

# The share of its time after which an answer of which nothing is on screen yet is given by the local provider.
HEDGE_AT = 0.8


class Deadline:
    """A moment that no call may pass, and an earlier one after which none is worth starting."""

    def __init__(self, seconds: float) -> None:
        now = time.monotonic()
        self._end = now + seconds
        self._hedge = now + seconds * HEDGE_AT

    def left(self) -> float:
        """Seconds left; raises `provider_timeout` when there are none."""
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise EngineError("provider_timeout", "the time for this answer is over")
        return seconds

    def left_to_start(self) -> float:
        """Seconds within which another call still makes sense; 0 or less when there are none."""
        return self._hedge - time.monotonic()
