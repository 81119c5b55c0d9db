"""Bodies of requests: JSON within bounds, refused before anything else looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser

from organizations.errors import ServiceError

MAX_DEPTH = 32
MAX_VALUES = 60_000


class StrictJsonParser(BaseParser):
    """JSON, at most 32 levels deep, without NUL characters or lone surrogates.

    Raises ``ServiceError``: ``invalid_json`` or ``invalid_text`` (400), ``json_too_deep`` (413). The size
    of the body was bounded before, by ``ApiGuardMiddleware``.
    """

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:  # noqa: ARG002
        raw = stream.read()
        try:
            value = orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            raise ServiceError(
                "invalid_json", _("The body is not valid JSON: %(why)s.") % {"why": str(error)}, status=400
            ) from error
        _check(value)
        return value


def _check(root: Any) -> None:
    """Walk a parsed value without recursion and refuse what the database or a reader would choke on."""
    level: list[Any] = [root]
    depth = seen = 0
    while level:
        depth += 1
        seen += len(level)
        if depth > MAX_DEPTH or seen > MAX_VALUES:
            raise ServiceError(
                "json_too_deep",
                _("The body is nested too deeply or holds too many values (at most %(depth)d levels).")
                % {"depth": MAX_DEPTH},
                status=413,
            )
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below.extend(value.keys())
                below.extend(value.values())
            elif isinstance(value, list):
                below.extend(value)
            elif isinstance(value, str) and "\x00" in value:
                raise ServiceError(
                    "invalid_text", _("A text in the body holds the character U+0000. Remove it."), status=400
                )
        level = below
