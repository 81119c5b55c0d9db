"""Route patterns: which learnt page a path belongs to.

A pattern is a path whose variable segments are ``*`` (exactly one segment) or, at the very end, ``**``
(any number of segments): ``/finance/invoices/*``, ``/docs/**``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from django.utils.translation import gettext as _

from engine.masking import Rule, mask
from organizations.errors import ServiceError

MAX_LENGTH = 512
ONE, MANY = "*", "**"
_SEGMENT = re.compile(r"^[^\s*?#/]+$")


def path_clean(route: str) -> str:
    """Return the path of a route: no query, no fragment, no doubled or trailing slash.

    Raises ``ServiceError`` (``invalid_route``, 422) when it is not an absolute path.
    """
    path = route.split("?", 1)[0].split("#", 1)[0]
    if not path.startswith("/") or path.startswith("//") or len(path) > MAX_LENGTH:
        raise ServiceError(
            "invalid_route",
            _("“%(route)s” is not the path of a page. Send location.pathname, for example /invoices/new.")
            % {"route": route[:80]},
            status=422,
            fields={"route": _("an absolute path is expected")},
        )
    return "/" + "/".join(segment for segment in path.split("/") if segment)


def pattern_clean(pattern: str) -> str:
    """Return a route pattern in its one written form.

    Raises ``ServiceError`` (``invalid_route_pattern``, 422) when it could never match a path as meant.
    """
    segments = [segment for segment in pattern.strip().split("/") if segment]
    body, last = segments[:-1], segments[-1:]
    wellformed = (
        pattern.strip().startswith("/")
        and len(pattern) <= MAX_LENGTH
        and all(segment == ONE or _SEGMENT.match(segment) for segment in body)
        and all(segment in (ONE, MANY) or _SEGMENT.match(segment) for segment in last)
    )
    if not wellformed:
        raise ServiceError(
            "invalid_route_pattern",
            _("“%(pattern)s” is not a route pattern. Write a path in which * stands for one segment: /invoices/*.")
            % {"pattern": pattern[:80]},
            status=422,
            fields={"urlPattern": _("a path such as /invoices/* is expected")},
        )
    return "/" + "/".join(segments)


def pattern_masked(pattern: str, masks: Sequence[Rule] = ()) -> str:
    """Return a clean ``pattern`` with ``*`` for each segment that the masks would change; when they would only change
    several together (``/06/12/34/56/78``), for each of those that holds a digit or an at sign."""
    segments = [ONE if _is_personal(segment, masks) else segment for segment in pattern.split("/")]
    if _is_personal("/".join(segments), masks):
        segments = [ONE if re.search(r"[\d@]", unquote(segment)) else segment for segment in segments]
    return "/".join(segments)


def _is_personal(text: str, masks: Sequence[Rule]) -> bool:
    return any(mask(form, masks) != form for form in (text, unquote(text)))


def matches(pattern: str, path: str) -> bool:
    """Whether a clean ``path`` belongs to a clean ``pattern``."""
    wanted = [segment for segment in pattern.split("/") if segment]
    given = [segment for segment in path.split("/") if segment]
    if wanted[-1:] == [MANY]:
        wanted = wanted[:-1]
        given = given[: len(wanted)]
    return len(wanted) == len(given) and all(want in (ONE, have) for want, have in zip(wanted, given, strict=True))


def is_one_page(pattern: str) -> bool:
    """Whether a clean pattern is the address of one page."""
    return not {ONE, MANY} & set(pattern.split("/"))


def static_prefix(pattern: str) -> str:
    """Return the part of a pattern before its first ``*``: what the database index is searched with."""
    literal: list[str] = []
    for segment in pattern.split("/"):
        if segment in (ONE, MANY):
            break
        literal.append(segment)
    return "/".join(literal) or "/"


def prefixes(path: str) -> list[str]:
    """Return every static prefix that a pattern matching ``path`` can have: ``/``, ``/a``, ``/a/b``."""
    segments = [segment for segment in path.split("/") if segment]
    return ["/", *("/" + "/".join(segments[: count + 1]) for count in range(len(segments)))]


def specificity(pattern: str) -> tuple[int, int, int]:
    """Return a key that sorts more specific patterns higher: literal segments, then length, ``**`` last."""
    segments = [segment for segment in pattern.split("/") if segment]
    literal = sum(segment not in (ONE, MANY) for segment in segments)
    return (literal, 0 if MANY in segments else 1, len(segments))
