"""Reads of demonstrations that the API, Léa and the administration share."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from organizations.errors import ServiceError
from organizations.models import Organization, User
from shadow.identifiers import ID
from shadow.models import Machine, ObservationSession

# Longer than any recorder's token lives: whoever was silent for so long has closed the page.
OVER_AFTER = timedelta(hours=8)
MOST_LISTED = 100
CLOSED = (ObservationSession.Status.BUILT, ObservationSession.Status.CANCELLED)


def machines(organization: Organization, member: User | None = None) -> list[dict[str, Any]]:
    """Return the machines that were heard of lately, the last first."""
    rows = Machine.objects.filter(organization=organization, last_seen_at__gt=timezone.now() - OVER_AFTER)
    if member is not None:
        rows = rows.filter(Q(member=member) | Q(member=None))
    return [
        {
            "machine_id": row.machine_id,
            "name": row.name or row.machine_id,
            "last_seen_at": row.last_seen_at.isoformat(),
        }
        for row in rows.order_by("-last_seen_at")[:MOST_LISTED]
    ]


def sessions(
    organization: Organization, machine_id: str | None = None, member: User | None = None
) -> list[dict[str, Any]]:
    """Return sessions, the last active first. One is ``finalized`` when it was built or cancelled and nothing happened
    since, or when nothing happened for hours: Léa takes the first that is not."""
    rows = visible(organization, member).select_related("machine")
    if machine_id is not None:
        # What is no id is nobody's, and a database may not even be able to compare it.
        rows = rows.filter(machine__machine_id=machine_id) if ID.fullmatch(machine_id) else rows.none()
    return [
        {
            "session_id": row.session_id,
            "machine_id": row.machine.machine_id,
            "status": row.status,
            "recording": row.status == ObservationSession.Status.RECORDING,
            "finalized": is_finalized(row),
            "events_count": row.events_count,
            "started_at": row.started_at.isoformat() if row.started_at else None,
            "last_event_at": row.last_event_at.isoformat(),
        }
        for row in rows.order_by("-last_event_at")[:MOST_LISTED]
    ]


def is_finalized(session: ObservationSession) -> bool:
    """Whether nothing more is to be expected of a session."""
    if session.last_event_at < timezone.now() - OVER_AFTER:
        return True
    closed = session.status in CLOSED and session.closed_at is not None
    return closed and session.closed_at is not None and session.last_event_at <= session.closed_at


def visible(organization: Organization, member: User | None) -> QuerySet[ObservationSession]:
    """Return the sessions that a caller may know of: a member's own and the organization's; all, without a member."""
    rows = ObservationSession.objects.filter(organization=organization)
    return rows if member is None else rows.filter(Q(member=member) | Q(member=None))


def session_get(
    *, organization: Organization, session_id: str, member: User | None = None, lock: bool = False
) -> ObservationSession:
    """Return a session, or raise ``ServiceError`` (``session_not_found``, 404); locked if asked."""
    rows = visible(organization, member)
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    session = rows.filter(session_id=session_id).first() if ID.fullmatch(session_id) else None
    if session is None:
        raise ServiceError(
            "session_not_found",
            _("I find no active session. Begin with an action, so that I have something to watch."),
            status=404,
        )
    return session
