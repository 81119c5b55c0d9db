"""Rate limits, counted atomically in Valkey."""

from __future__ import annotations

import logging
from functools import lru_cache

import redis
from django.conf import settings
from django.utils.translation import gettext as _

from organizations.errors import ServiceError

log = logging.getLogger(__name__)

# One round trip: the counter and its expiry are set together, so a crash cannot leave a counter that never ends.
_COUNT = """
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('PTTL', KEYS[1])}
"""


class RateLimitedError(ServiceError):
    """Refusal with the seconds to wait before the next attempt."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(
            "rate_limited", _("Too many requests. Try again in %(seconds)d s.") % {"seconds": retry_after}, status=429
        )
        self.retry_after = retry_after


@lru_cache(maxsize=1)
def valkey() -> redis.Redis:
    """Return this process's client; connections are pooled and time out instead of hanging a worker."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1)


def allow(*, bucket: str, limit: int, window_s: int = 60) -> None:
    """Count one use of ``bucket``; raise ``RateLimitedError`` beyond ``limit`` uses in ``window_s`` seconds.

    Valkey is a hint, not the truth: when it cannot be reached the request goes through.
    """
    try:
        count, left_ms = valkey().eval(_COUNT, 1, f"circuy:rate:{bucket}", str(window_s * 1000))
    except redis.RedisError as error:
        log.warning("rate limits are off, Valkey does not answer: %s", error)
        return
    if int(count) > limit:
        raise RateLimitedError(max(1, -(-int(left_ms) // 1000)))
