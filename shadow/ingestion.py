"""Events as browsers send them: kept once each, in their own order, from any worker.

The session's row is locked while a batch is kept: two batches of one session are kept one after the other, and a
start or a stop falls before or after a batch, never inside one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from organizations.errors import ServiceError
from organizations.masks import mask_rules
from organizations.models import Organization, Role, User
from organizations.permissions import require_role
from shadow import understanding
from shadow.cleaning import CleanEvent, UnfitEventError, event_clean, presence_only, sequence_of, without_values
from shadow.identifiers import id_clean
from shadow.models import Machine, ObservationSession, ObservedEvent

MOST_IN_A_BATCH = 200
MOST_IN_A_SESSION = 10_000
LONGEST_MACHINE_NAME = 120
Status = ObservationSession.Status


@dataclass(frozen=True, slots=True)
class Dropped:
    """An event that was not kept, and why: ``invalid``, ``too_long``, ``untrusted``, ``session_full``, ``too_late``.

    ``sequence`` is None where the event had no number.
    """

    sequence: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of a batch. ``recording``: whether the session is being observed."""

    session_id: str
    received: int
    duplicates: int
    last_sequence: int
    recording: bool
    dropped: list[Dropped] = field(default_factory=list)
    status: str = "accepted"


def events_ingest(
    *,
    organization: Organization,
    member: User | None,
    session_id: str,
    machine_id: str,
    events: Sequence[Any],
    machine_name: str = "",
    user_agent: str = "",
    locale: str = "",
) -> Ingested:
    """Keep a batch of events; a session and a machine that are new register themselves.

    The same number again is a duplicate, and nothing is kept twice. An event that cannot be kept is left out and named;
    the others are kept. While nobody said that a session may be watched, only that something happened is kept of its
    events. Raises ``ServiceError``: ``invalid_input`` (422) for ids or a batch that cannot be, ``session_taken`` (409)
    for another member's session, ``forbidden``.
    """
    if member is not None:
        require_role(member, organization, Role.AUTHOR)
    id_clean("session_id", session_id)
    id_clean("machine_id", machine_id)
    if not 0 < len(events) <= MOST_IN_A_BATCH:
        raise ServiceError(
            "invalid_input",
            _("This batch of events cannot be kept."),
            status=422,
            fields={"events": _("between 1 and %(max)d events are expected") % {"max": MOST_IN_A_BATCH}},
        )
    clean, dropped = _cleaned(organization, events)
    with transaction.atomic():
        machine = _machine(organization, member, machine_id, machine_name, user_agent)
        session = _session(organization, member, session_id, machine, locale)
        fresh, duplicates, late = _fresh(session, clean)
        dropped += late
        _forget_secrets(session, fresh)
        ObservedEvent.objects.bulk_create(_row(session, event) for event in fresh)
        _note(session, fresh)
    return Ingested(
        session_id=session_id,
        received=len(fresh),
        duplicates=duplicates,
        last_sequence=session.last_sequence,
        recording=session.status == Status.RECORDING,
        dropped=dropped,
    )


def _cleaned(organization: Organization, events: Iterable[Any]) -> tuple[list[CleanEvent], list[Dropped]]:
    masks = mask_rules(organization)
    clean: list[CleanEvent] = []
    dropped: list[Dropped] = []
    for event in events:
        try:
            clean.append(event_clean(event, masks))
        except UnfitEventError as unfit:
            dropped.append(Dropped(sequence_of(event), unfit.reason))
    return clean, dropped


def _machine(organization: Organization, member: User | None, machine_id: str, name: str, user_agent: str) -> Machine:
    said = {"name": name.strip()[:LONGEST_MACHINE_NAME], "user_agent": user_agent[:300], "member": member}
    known = {key: value for key, value in said.items() if value}
    machine, is_new = Machine.objects.get_or_create(organization=organization, machine_id=machine_id, defaults=known)
    if not is_new:
        Machine.objects.filter(pk=machine.pk).update(**known, last_seen_at=timezone.now())
    return machine


def _session(
    organization: Organization, member: User | None, session_id: str, machine: Machine, locale: str
) -> ObservationSession:
    """Return the session, made now if need be, locked until the transaction ends."""
    known = locale if locale in Organization.Locale.values else organization.locale
    ObservationSession.objects.get_or_create(
        organization=organization,
        session_id=session_id,
        defaults={"machine": machine, "member": member, "locale": known},
    )
    session = ObservationSession.objects.select_for_update(of=("self",), no_key=True).get(
        organization=organization, session_id=session_id
    )
    if member is not None and session.member_id not in (None, member.pk):
        raise ServiceError("session_taken", _("This session is somebody else's: begin one of your own."), status=409)
    return session


def _fresh(session: ObservationSession, clean: Sequence[CleanEvent]) -> tuple[list[CleanEvent], int, list[Dropped]]:
    """Return the events that are new, how many are known, and those that there is no room or no time for."""
    known = set(
        ObservedEvent.objects.filter(session=session, sequence__in=[event.sequence for event in clean]).values_list(
            "sequence", flat=True
        )
    )
    room = MOST_IN_A_SESSION - session.events_count
    is_settled = understanding.is_settled(session)
    fresh: dict[int, CleanEvent] = {}
    dropped: list[Dropped] = []
    duplicates = 0
    for event in clean:
        if event.sequence in known or event.sequence in fresh:
            duplicates += 1
        elif len(fresh) >= room:
            dropped.append(Dropped(event.sequence, "session_full"))
        elif is_settled and _was_shown(session, event):
            dropped.append(Dropped(event.sequence, "too_late"))
        else:
            fresh[event.sequence] = event if _was_shown(session, event) else presence_only(event)
    return list(fresh.values()), duplicates, dropped


def _was_shown(session: ObservationSession, event: CleanEvent) -> bool:
    """Whether an event happened while its session was being observed.

    What happened before the end and comes after it belongs to what was shown: the clock of the browser says so, or
    its number.
    """
    if session.recorded_from is None or event.sequence < session.recorded_from:
        return False
    if session.status == Status.RECORDING:
        return True
    if session.recorded_until is None or session.stopped_at is None:
        return False
    return event.sequence <= session.recorded_until or (
        session.status == Status.STOPPED and event.at <= session.stopped_at.timestamp()
    )


def _forget_secrets(session: ObservationSession, fresh: list[CleanEvent]) -> None:
    """Leave out of ``fresh``, and of what is kept already, the values of elements that held a secret at any time."""
    secret = set(session.secret_targets).union(*(event.target_keys for event in fresh if event.is_secret))
    while more := {key for event in fresh if event.target_keys & secret for key in event.target_keys} - secret:
        secret |= more
    for place, event in enumerate(fresh):
        if not event.is_secret and event.target_keys & secret:
            payload = without_values(event.payload)
            fresh[place] = CleanEvent(event.sequence, event.kind, event.at, event.target_keys, True, payload)
    found = secret - set(session.secret_targets)
    if not found:
        return
    session.secret_targets = sorted(secret)
    told = ObservedEvent.objects.filter(session=session, target_keys__overlap=sorted(found))
    rows = [row for row in told if not row.payload.get("secret")]
    # An event is never changed: one that said too much is another one from now on.
    ObservedEvent.objects.filter(pk__in=[row.pk for row in rows]).delete()
    for row in rows:
        row.payload = without_values(row.payload)
    ObservedEvent.objects.bulk_create(rows)


def _row(session: ObservationSession, event: CleanEvent) -> ObservedEvent:
    return ObservedEvent(
        organization_id=session.organization_id,
        session=session,
        sequence=event.sequence,
        kind=event.kind,
        at=datetime.fromtimestamp(event.at, UTC),
        target_keys=sorted(event.target_keys),
        payload=event.payload,
    )


def _note(session: ObservationSession, fresh: Sequence[CleanEvent]) -> None:
    """Write down how far the session is, and understand anew what was shown before it ended."""
    session.last_event_at = timezone.now()
    session.events_count += len(fresh)
    session.last_sequence = max([session.last_sequence, *(event.sequence for event in fresh)])
    belated = session.status == Status.STOPPED and any(_was_shown(session, event) for event in fresh)
    if belated and session.recorded_until is not None:
        shown = [event.sequence for event in fresh if _was_shown(session, event)]
        session.recorded_until = max(session.recorded_until, *shown)
    session.save(update_fields=["last_event_at", "events_count", "last_sequence", "recorded_until", "secret_targets"])
    if belated:
        understanding.steps_keep(session)
