"""Reads of the inbox."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery

from moderation.models import Decision, Reviewable
from moderation.registry import Card, Kind, kinds
from moderation.states import Status, Verb

# One more than is ever said.
MANY = 101


@dataclass(frozen=True, slots=True)
class InboxItem:
    """One line of the inbox. ``reason`` says why something is out of date."""

    kind: Kind
    subject: Reviewable
    card: Card
    url: str
    reason: str = ""


def inbox(limit: int = 100) -> list[InboxItem]:
    """Return what waits for a review in the current scope: most demanded first, then the oldest."""
    items = []
    for kind in kinds():
        manager: Any = kind.model._default_manager
        waiting = kind.for_cards(manager.filter(status=Status.PENDING_REVIEW))
        for subject in waiting[:limit]:
            items.append(InboxItem(kind, subject, kind.describe(subject), kind.review_url(subject)))
    items.sort(key=lambda item: (-item.card.demand, item.subject.submitted_at))
    return items[:limit]


def out_of_date(limit: int = 20) -> list[InboxItem]:
    """Return what nobody gets any more because what it rests on changed, most demanded first, with the reason why.

    What was left unreviewed for too long is not among it: it was taken out of the inbox on purpose.
    """
    items = []
    for kind in kinds():
        manager: Any = kind.model._default_manager
        last = Decision.objects.filter(kind=kind.name, subject_id=OuterRef("pk")).order_by("-id")
        stale = manager.filter(status=Status.STALE).annotate(
            last_verb=Subquery(last.values("verb")[:1]), last_reason=Subquery(last.values("reason")[:1])
        )
        for subject in kind.for_cards(stale.filter(last_verb=Verb.EXPIRE))[:limit]:
            card = kind.describe(subject)
            items.append(InboxItem(kind, subject, card, kind.review_url(subject), subject.last_reason))
    items.sort(key=lambda item: -item.card.demand)
    return items[:limit]


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
