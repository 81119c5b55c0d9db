"""Reads of the inbox."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from moderation.models import Decision, Reviewable
from moderation.registry import Card, Kind, kinds
from moderation.states import Status


@dataclass(frozen=True, slots=True)
class InboxItem:
    """One line of the inbox."""

    kind: Kind
    subject: Reviewable
    card: Card
    url: str


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


def inbox_count() -> int:
    """Return how many things wait for a review in the current scope."""
    managers: list[Any] = [kind.model._default_manager for kind in kinds()]
    return sum(manager.filter(status=Status.PENDING_REVIEW).count() for manager in managers)


def history(subject_id: uuid.UUID) -> list[Decision]:
    """Return the decisions on a subject, newest first."""
    return list(Decision.objects.filter(subject_id=subject_id).select_related("actor"))
