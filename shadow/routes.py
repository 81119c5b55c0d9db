"""The pages of a demonstration: from the addresses that were seen to the patterns of the pages they are of."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from organizations.errors import ServiceError
from skills.routes import ONE, path_clean
from skills.selectors import skills_for_path

# As the scanner proposes patterns (sdk/src/core/routes.ts): numbers, UUIDs, hashes and references name one record.
_RECORD = re.compile(
    r"\*|[0-9]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=.*[0-9])[0-9a-f]{12,}|"
    r"[A-Za-z]{1,6}[-_]?(?:[0-9]{2,4}[-_])?[0-9]{2,}",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"(?=.*[0-9])(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9_-]{16,}")
# What a pattern cannot hold.
_UNFIT = re.compile(r"[\s*?#]")


def route_of(url: str) -> str:
    """Return the route pattern of a page: that of the learnt page it is, else one in which ids are ``*``.

    A page of an application that keeps its route behind the ``#`` is named with it (``/app#/orders/*``). ``/`` for an
    address that is none.
    """
    try:
        parts = urlsplit(url)
        path = path_clean(parts.path or "/")
    except (ValueError, ServiceError):
        return "/"
    if parts.fragment.startswith("/"):
        return f"{_pattern(path)}#{_pattern(parts.fragment.split('?', 1)[0])}"[:512]
    known = skills_for_path(path)
    return known[0].route_pattern if known else _pattern(path)


def _pattern(path: str) -> str:
    segments = [segment for segment in path.split("/") if segment]
    return "/" + "/".join(ONE if _names_a_record(segment) else segment for segment in segments)


def _names_a_record(segment: str) -> bool:
    return bool(_RECORD.fullmatch(segment) or _TOKEN.fullmatch(segment) or _UNFIT.search(segment))
