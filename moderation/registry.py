"""The kinds of things that can be reviewed: each room above registers its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
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
class Kind:
    """A reviewable model, and how to speak of it.

    ``for_cards`` completes a queryset so that ``describe`` asks the database nothing more, and orders it by
    demand, then age.
    """

    name: str
    model: type[Reviewable]
    label: str | Promise
    describe: Callable[[Any], Card]
    review_url: Callable[[Any], str]
    for_cards: Callable[[QuerySet[Any]], QuerySet[Any]]


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
