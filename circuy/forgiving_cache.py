"""Django's cache over a Valkey or Redis that may be gone: then nothing is found in it, and nothing waits for it."""

from __future__ import annotations

from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache

from organizations.valkey import TIMEOUT_S, attempt

GONE = "the cache is off"


class ForgivingCache(RedisCache):
    """What sign-in counts by and locks with. A dead server takes the limits away, and not the sign-in."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, {**params, "OPTIONS": {"socket_timeout": TIMEOUT_S, **params.get("OPTIONS", {})}})

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Return whether the key was new; without a server, every key is."""
        added = attempt(GONE, lambda: super(ForgivingCache, self).add(key, value, timeout, version))
        return True if added is None else bool(added)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        found = attempt(GONE, lambda: (super(ForgivingCache, self).get(key, default, version),))
        return found[0] if found else default

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        attempt(GONE, lambda: super(ForgivingCache, self).set(key, value, timeout, version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(attempt(GONE, lambda: super(ForgivingCache, self).delete(key, version)))
