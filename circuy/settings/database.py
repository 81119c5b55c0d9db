"""Turns a PostgreSQL URL into what Django wants."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit


def database_from_url(url: str, *, pool_size: int, engine: str) -> dict[str, Any]:
    """Django's description of the database at `url`; query parameters become libpq options (`sslmode=require`…).

    A `host` parameter that is a folder means a Unix socket. Connections are pooled per process.
    """
    parts = urlsplit(url)
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    host = parts.hostname or options.pop("host", "")
    options["pool"] = {"min_size": 1, "max_size": pool_size, "timeout": 10.0}
    return {
        "ENGINE": engine,
        "NAME": unquote(parts.path.lstrip("/")) or "circuy",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }
