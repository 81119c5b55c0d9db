"""The kinds of things that can be reviewed: each room above registers its own."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet
from django.utils.functional import Promise

from moderation.models import Reviewable


@dataclass(frozen=True, slots=True)
class Card:
    """What a reviewer is shown about a subject, on any channel. Plain text throughout."""

    title: str
    page: str
    question: str = ""
    lines: list[str] = field(default_factory=list)
    demand: int = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to look at before one decides. ``tone`` is good, warn, bad, info or quiet; ``detail`` explains."""

    tone: str
    label: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Facet:
    """One way of narrowing the inbox: what can be chosen, by value, and what a choice leaves of a queryset."""

    choices: Callable[[], list[tuple[str, Any]]]
    narrow: Callable[[QuerySet[Any], str], QuerySet[Any]]


Marks = Mapping[uuid.UUID, list[Mark]]


def no_marks(_subjects: Sequence[Any]) -> Marks:
    """Nothing to look at."""
    return {}


@dataclass(frozen=True, slots=True)
class Kind:
    """A reviewable model, and how to speak of it.

    ``for_cards`` completes a queryset so that ``describe`` asks the database nothing more, and orders it by
    demand, then age. ``facets`` are by name: what has none of a name is not shown when it is chosen. ``marks`` looks
    at many subjects completed by ``for_cards`` in a number of queries that does not grow with them.
    """

    name: str
    model: type[Reviewable]
    label: str | Promise
    describe: Callable[[Any], Card]
    review_url: Callable[[Any], str]
    for_cards: Callable[[QuerySet[Any]], QuerySet[Any]]
    facets: Mapping[str, Facet] = field(default_factory=dict)
    marks: Callable[[Sequence[Any]], Marks] = no_marks


_kinds: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Add a kind at start-up."""
    _kinds[kind.name] = kind


def kinds() -> list[Kind]:
    """Return every registered kind, in order of registration."""
    return list(_kinds.values())


def kind_of(subject: Reviewable) -> Kind:
    """Return the kind that ``subject`` is an instance of."""
    return next(kind for kind in _kinds.values() if isinstance(subject, kind.model))


def content_digest(content: Any) -> str:
    """Return the SHA-256 (hexadecimal) of a JSON value, the same for the same content whatever its key order."""
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
