"""Reads of the inbox."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from moderation.models import Decision, Reviewable
from moderation.registry import Card, Kind, Mark, kinds
from moderation.states import Status, Verb

# One more than is ever said.
MANY = 101


# What the inbox can be narrowed by, besides the kind; each kind says what that means for it.
FACETS = ("page", "origin", "health")


@dataclass(frozen=True, slots=True)
class InboxItem:
    """One line of the inbox. ``reason`` says why something is out of date, or why Circuy changed it."""

    kind: Kind
    subject: Reviewable
    card: Card
    url: str
    reason: str = ""


def inbox(limit: int = 100, wanted: Mapping[str, str] | None = None) -> list[InboxItem]:
    """Return what waits for a review in the current scope: most demanded first, then the oldest.

    ``wanted`` narrows it: ``kind`` to one kind, and any of ``FACETS`` to what a kind's facet of that name keeps.
    """
    items = []
    for kind, waiting in _narrowed(Status.PENDING_REVIEW, wanted):
        for subject in kind.for_cards(waiting)[:limit]:
            reason = subject.last_reason if subject.last_verb == Verb.EDIT and not subject.last_actor else ""
            items.append(InboxItem(kind, subject, kind.describe(subject), kind.review_url(subject), reason))
    items.sort(key=lambda item: (-item.card.demand, item.subject.submitted_at))
    return items[:limit]


def out_of_date(limit: int = 20, wanted: Mapping[str, str] | None = None) -> list[InboxItem]:
    """Return what nobody gets any more because what it rests on changed, most demanded first, with the reason why.

    What was left unreviewed for too long is not among it: it was taken out of the inbox on purpose.
    """
    items = []
    for kind, stale in _narrowed(Status.STALE, wanted):
        for subject in kind.for_cards(stale.filter(last_verb=Verb.EXPIRE))[:limit]:
            card = kind.describe(subject)
            items.append(InboxItem(kind, subject, card, kind.review_url(subject), subject.last_reason))
    items.sort(key=lambda item: -item.card.demand)
    return items[:limit]


def _narrowed(status: Status, wanted: Mapping[str, str] | None) -> Iterator[tuple[Kind, QuerySet[Any]]]:
    """Yield each kind that is wanted with its subjects in a status, each with what happened to it last."""
    chosen = {name: value for name, value in (wanted or {}).items() if value}
    for kind in kinds():
        if chosen.get("kind", kind.name) != kind.name or not {*chosen} - {"kind"} <= {*kind.facets}:
            continue
        manager: Any = kind.model._default_manager
        last = Decision.objects.filter(kind=kind.name, subject_id=OuterRef("pk")).order_by("-id")
        subjects: QuerySet[Any] = manager.filter(status=status).annotate(
            last_verb=Subquery(last.values("verb")[:1]),
            last_actor=Subquery(last.values("actor")[:1]),
            last_reason=Subquery(last.values("reason")[:1]),
        )
        for name, value in chosen.items():
            if name != "kind":
                subjects = kind.facets[name].narrow(subjects, value)
        yield kind, subjects


def facet_choices(name: str) -> dict[str, Any]:
    """Return what the inbox can be narrowed to by one facet: every kind's choices, by value."""
    return {value: label for kind in kinds() if name in kind.facets for value, label in kind.facets[name].choices()}


def marks_of(items: Sequence[InboxItem]) -> dict[uuid.UUID, list[Mark]]:
    """Return by subject what to look at before deciding, in a number of queries that does not grow with the items."""
    found: dict[uuid.UUID, list[Mark]] = {}
    for kind in kinds():
        found |= kind.marks([item.subject for item in items if item.kind == kind])
    return found


def inbox_count() -> int:
    """Return how many things wait for a review in the current scope; ``MANY`` stands for that many and any more.

    Nobody needs the exact length of a long list, and counting it would read all of it on every page.
    """
    found = 0
    for kind in kinds():
        manager: Any = kind.model._default_manager
        found += manager.filter(status=Status.PENDING_REVIEW)[: MANY - found].count()
    return found


def history(subject_id: uuid.UUID) -> list[Decision]:
    """Return the decisions on a subject, newest first."""
    return list(Decision.objects.filter(subject_id=subject_id).select_related("actor"))
