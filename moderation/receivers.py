"""What follows for messages from a decision on their subject, and from time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from moderation.models import Decision, Notification, Reviewable
from moderation.notifications.announcing import follow_up
from moderation.signals import decided
from organizations.models import Organization
from organizations.signals import retention_due


def connect() -> None:
    """Subscribe at start-up."""
    decided.connect(on_decided)
    retention_due.connect(on_retention_due, sender=Organization)


def on_decided(*, subject: Reviewable, decision: Decision, **_kwargs: Any) -> None:
    """Messages that are out there say what became of their subject, wherever it was decided."""
    follow_up(subject=subject, decision=decision)


def on_retention_due(*, before: datetime, **_kwargs: Any) -> None:
    """Old messages, which quote visitors and name members, are deleted; those still to be sent are sent first."""
    Notification.objects.filter(created_at__lt=before).exclude(state=Notification.State.WAITING).delete()
