"""What follows for demonstrations from a decision on their tour, and from retention."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from moderation.models import Decision
from moderation.signals import decided
from moderation.states import Verb
from organizations.models import Organization
from organizations.signals import retention_due
from shadow.models import Competence
from tours.models import Tour

_BECOMES = {
    Verb.APPROVE: Competence.Status.APPROVED,
    Verb.ARCHIVE: Competence.Status.CANDIDATE,
    Verb.EXPIRE: Competence.Status.CANDIDATE,
}


def connect() -> None:
    """Subscribe at start-up."""
    decided.connect(on_decided, sender=Tour)
    retention_due.connect(on_retention_due, sender=Organization)


def on_decided(*, subject: Tour, decision: Decision, **_kwargs: Any) -> None:
    """A competence is approved while its tour is in use."""
    status = _BECOMES.get(Verb(decision.verb))
    if status is not None and subject.is_demonstration:
        Competence.objects.filter(tour=subject).update(status=status)


def on_retention_due(*, before: datetime, **_kwargs: Any) -> None:
    """Old sessions and events are deleted; the competences that came of them stay."""
    # Imported late: services import the rooms' models, which are not loaded when signals are connected.
    from shadow.services import observations_purge

    observations_purge(before=before)
