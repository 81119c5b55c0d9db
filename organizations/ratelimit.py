"""Rate limits, counted atomically in Valkey."""

from __future__ import annotations

from django.utils.translation import gettext as _

from organizations.errors import ServiceError
from organizations.valkey import attempt, valkey

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


def allow(*, bucket: str, limit: int, window_s: int = 60) -> None:
    """Count one use of ``bucket``; raise ``RateLimitedError`` beyond ``limit`` uses in ``window_s`` seconds.

    Valkey is a hint, not the truth: when it cannot be reached the request goes through.
    """
    counted = attempt("rate limits are off", lambda: valkey().eval(_COUNT, 1, _key(bucket), str(window_s * 1000)))
    if counted is None:
        return
    count, left_ms = counted
    if int(count) > limit:
        raise RateLimitedError(max(1, -(-int(left_ms) // 1000)))


def forget(*, bucket: str) -> None:
    """Start a bucket's count anew."""
    attempt("a count stays", lambda: valkey().delete(_key(bucket)))


def _key(bucket: str) -> str:
    return f"circuy:rate:{bucket}"
