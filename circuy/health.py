"""Whether this process lives, and whether what it needs does."""

from __future__ import annotations

import redis
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from organizations.valkey import valkey


def healthz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001
    """Answer as long as the process can."""
    return JsonResponse({"ok": True})


def readyz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001
    """Answer 200 when the database and Valkey answer, else 503 that names what does not."""
    parts = {"database": _database_answers(), "valkey": _valkey_answers()}
    return JsonResponse({"ok": all(parts.values()), **parts}, status=200 if all(parts.values()) else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _valkey_answers() -> bool:
    try:
        return bool(valkey().ping())
    except redis.RedisError:
        return False
