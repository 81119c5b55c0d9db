"""Circuit breakers: a provider that keeps failing is left alone for a while, so that nobody waits for it in vain.

Their state is this process's own. A worker asks a few calls more than one that heard of the others' failures would;
in exchange nothing has to be reached to know it, and a network that only this worker cannot pass stops only this one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from engine.errors import EngineError, ErrorCode
from engine.types import EngineConfig

log = logging.getLogger(__name__)

MOST_FAILURES = 4
REST_S = 30.0
_LONGEST_REST_S = 300.0
_MOST_KEPT = 512
# What says that the next call would fail as well. A bad answer does not: the next question may get a good one.
_COUNTED: frozenset[ErrorCode] = frozenset(
    ("provider_unavailable", "provider_timeout", "provider_rate_limited", "provider_denied")
)


class Breaker:
    """Lets calls through until several in a row have failed; then one at a time, to see, after each rest."""

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._rests_until = 0.0
        self._is_trying = False

    def check(self) -> None:
        """Let a call through, or raise `provider_paused` with the seconds until another may try."""
        with self._lock:
            now = self._clock()
            if now < self._rests_until:
                raise EngineError("provider_paused", "it failed a moment ago", retry_after_s=self._rests_until - now)
            if self._failures >= MOST_FAILURES or self._rests_until:
                if self._is_trying:
                    raise EngineError("provider_paused", "one call tries whether it is back", retry_after_s=1)
                self._is_trying = True

    def succeeded(self) -> None:
        """Count a call that the server answered, well or badly."""
        with self._lock:
            if self._rests_until:
                log.warning("%s answers again", self.name)
            self._failures, self._rests_until, self._is_trying = 0, 0.0, False

    def failed(self, error: EngineError) -> None:
        """Count a call that failed. A server that names a wait gets it at once."""
        if error.code not in _COUNTED:
            self.succeeded()
            return
        with self._lock:
            self._is_trying = False
            self._failures += 1
            asked = error.retry_after_s if error.code == "provider_rate_limited" else None
            if asked is None and self._failures < MOST_FAILURES:
                return
            rest = min(max(REST_S if asked is None else asked, 1.0), _LONGEST_REST_S)
            self._rests_until = self._clock() + rest
            log.warning("%s is left alone for %.0f s: %s", self.name, rest, error)


_breakers: OrderedDict[tuple[str, str, str], Breaker] = OrderedDict()
_breakers_lock = threading.Lock()


def breaker_for(config: EngineConfig) -> Breaker:
    """This process's breaker for a server, as one organization uses it."""
    key = (config.base_url, config.account, config.api_key)
    with _breakers_lock:
        breaker = _breakers.get(key)
        if breaker is None:
            breaker = _breakers[key] = Breaker(f"{config.base_url or 'OpenAI'} ({config.account or 'no account'})")
            while len(_breakers) > _MOST_KEPT:
                _breakers.popitem(last=False)
        _breakers.move_to_end(key)
        return breaker
