"""Django's cache over the embedded Valkey, which is started before the first connection."""

from typing import Any

from django.conf import settings
from redis import UnixDomainSocketConnection
from redis.exceptions import ConnectionError as RedisConnectionError

from circuy.embedded.client import ensure_running
from circuy.embedded.errors import EmbeddedError
from circuy.forgiving_cache import ForgivingCache


class EmbeddedConnection(UnixDomainSocketConnection):
    """A connection that has Valkey started on demand."""

    def connect(self) -> None:
        try:
            ensure_running(settings.PLACES, scratch=not settings.EMBEDDED_DURABLE)
        except EmbeddedError as error:
            raise RedisConnectionError(str(error)) from error
        super().connect()  # type: ignore[no-untyped-call]


class EmbeddedCache(ForgivingCache):
    """The cache with such connections."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {**params.get("OPTIONS", {}), "connection_class": EmbeddedConnection}
        super().__init__(server, {**params, "OPTIONS": options})
