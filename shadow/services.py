"""Writes on demonstrations: observing, putting right what was understood, building, keeping.

The API, Léa and the administration call these. ``member`` is who shows, or None for the organization's own server
(a secret key), which speaks for all of its sessions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from organizations.errors import ServiceError
from organizations.models import Organization, Role, User
from organizations.permissions import require_role
from organizations.scoping import tenant_scope
from shadow import building, competences, understanding, validator
from shadow.ingestion import MOST_IN_A_BATCH, Ingested, events_ingest
from shadow.models import Conversation, Feedback, ObservationSession, UnderstoodStep
from shadow.selectors import session_get
from shadow.workflow_ir import WorkflowIR

__all__ = [
    "Ingested",
    "Started",
    "Stopped",
    "competence_persist",
    "events_ingest",
    "feedback_apply",
    "observations_purge",
    "session_delete",
    "session_import",
    "session_learn",
    "session_start",
    "session_stop",
    "session_understanding",
    "workflow_build",
]

Status = ObservationSession.Status
CLOSED = (Status.BUILT, Status.CANCELLED)


@dataclass(frozen=True, slots=True)
class Started:
    """Observing began, or (``already``) was going on."""

    session_id: str
    message: str
    already: bool
    status: str = "shadow_started"


@dataclass(frozen=True, slots=True)
class Stopped:
    """Observing ended; ``understanding`` is the steps as ``session_understanding`` gives them."""

    session_id: str
    steps_count: int
    understanding: list[dict[str, Any]]
    status: str = "shadow_stopped"


@transaction.atomic
def session_start(*, organization: Organization, member: User | None, session_id: str) -> Started:
    """Observe a session from its next event on.

    What was observed of it before is over: its steps are those of an earlier recording. Of two starts at once one
    begins, the other is told ``already``. Raises ``ServiceError``: ``session_not_found`` (404) for one without a
    single event yet, ``forbidden``.
    """
    session = _locked(organization, member, session_id)
    if session.status == Status.RECORDING:
        return Started(session_id, _("I am already watching this session."), already=True)
    session.status = Status.RECORDING
    session.recording += 1
    session.recorded_from, session.recorded_until = session.last_sequence + 1, None
    session.started_at, session.stopped_at, session.closed_at = timezone.now(), None, None
    session.save(
        update_fields=[
            "status",
            "recording",
            "recorded_from",
            "recorded_until",
            "started_at",
            "stopped_at",
            "closed_at",
        ]
    )
    return Started(session_id, _("I am watching. Do your task."), already=False)


@transaction.atomic
def session_stop(*, organization: Organization, member: User | None, session_id: str) -> Stopped:
    """End the observing of a session, and keep the steps that were understood.

    Raises ``ServiceError``: ``session_not_found`` (404), ``not_observing`` (409).
    """
    session = _locked(organization, member, session_id)
    if session.status != Status.RECORDING:
        raise ServiceError("not_observing", _("I was not watching."), status=409)
    session.status = Status.STOPPED
    session.recorded_until = session.last_sequence
    session.stopped_at = timezone.now()
    session.save(update_fields=["status", "recorded_until", "stopped_at"])
    rows = understanding.steps_keep(session)
    return Stopped(session_id, len(rows), understanding.steps_public(rows, session.locale))


def session_understanding(
    *, organization: Organization, session_id: str, since_ts: float | None = None, member: User | None = None
) -> dict[str, Any]:
    """Return what is understood of a session now: ``steps``, the ``current_step`` that may still change, and the
    ``notifications`` after ``since_ts`` (seconds since 1970, as the events say it).

    Raises ``ServiceError`` (``session_not_found``, 404).
    """
    session = session_get(organization=organization, session_id=session_id, member=member)
    return understanding.understood(session, since_ts)


def feedback_apply(
    *,
    organization: Organization,
    member: User | None,
    session_id: str,
    action: str,
    step_index: int | None = None,
    new_intent: str | None = None,
    at_event_index: int | None = None,
) -> dict[str, Any]:
    """Put right what was understood: ``validate`` (all steps without ``step_index``), ``correct``, ``undo``,
    ``cancel``, ``merge_next``, ``split``.

    ``at_event_index`` is the sequence number of the event that a split's second step begins with. What makes no sense
    changes nothing and is answered ``feedback_rejected`` with the reason; either way the feedback is kept. Raises
    ``ServiceError``: ``session_not_found`` (404), ``invalid_input`` (422) for an action that does not exist.
    """
    if action not in Feedback.Action.values:
        raise ServiceError(
            "invalid_input",
            _("This is nothing that can be said of a step."),
            status=422,
            fields={"action": ", ".join(Feedback.Action.values)},
        )
    asked = validator.Asked(Feedback.Action(action), step_index, new_intent, at_event_index)
    with transaction.atomic():
        session = _locked(organization, member, session_id)
        reason = validator.apply(session, asked)
        validator.record(session, asked, by=member, reason=reason)
        rows = understanding.steps_of(session)
    result: dict[str, Any] = {
        "action": action,
        "understanding": understanding.steps_public(rows, session.locale),
        **({"reason": reason} if reason else {}),
    }
    return {"status": "feedback_rejected" if reason else "feedback_applied", "result": result}


def workflow_build(
    *,
    organization: Organization,
    member: User | None,
    session_id: str,
    name: str,
    domain: str = "generic",
    require_all_validated: bool = False,
    parameters: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Make the workflow of the steps that stand: ``{"status": "workflow_built", "workflow_ir": …}``.

    ``parameters`` says of values found in steps whether they change from time to time: ``[{"step": 2, "confirmed":
    true, "name": "montant"}]``; one that is not confirmed (``false``) is a value like any other. A session that was
    cancelled answers ``{"status": "cancelled"}``. Building again gives the same workflow. Raises ``ServiceError``:
    ``nothing_validated`` or ``not_all_validated`` (400), ``too_many_steps`` (400), ``invalid_input`` (422),
    ``not_observed`` (409) while or before it is observed, ``session_not_found`` (404).
    """
    wanted = building.wish_clean(name, domain, parameters)
    with transaction.atomic():
        session = _locked(organization, member, session_id)
        if session.status == Status.CANCELLED:
            return {"status": "cancelled"}
        if session.status not in (Status.STOPPED, Status.BUILT):
            raise ServiceError("not_observed", _("Nothing was watched to the end yet."), status=409)
        rows = understanding.steps_of(session)
        _require_validated(rows, all_of_them=require_all_validated)
        ir = building.build(session, rows, wanted)
        if session.status != Status.BUILT:
            session.status, session.closed_at = Status.BUILT, timezone.now()
            session.save(update_fields=["status", "closed_at"])
    return {"status": "workflow_built", "workflow_ir": ir.to_json()}


def competence_persist(
    *, organization: Organization, member: User | None, workflow_ir: Any, machine_id: str
) -> dict[str, Any]:
    """Keep a built workflow as a candidate competence: in the database, as a YAML file, and as a tour that waits for
    its review. The same workflow is kept once: asking again gives the same answer.

    Raises ``ServiceError``: ``invalid_workflow`` (422) naming what is wrong, ``machine_not_found`` (404),
    ``storage_unavailable`` (503) when the file cannot be written, ``forbidden``.
    """
    _require_author(organization, member)
    ir = WorkflowIR.read(workflow_ir)
    kept = competences.persist(organization=organization, member=member, ir=ir, machine_id=machine_id)
    return competences.public(kept)


@transaction.atomic
def session_learn(*, session: ObservationSession, member: User, name: str) -> dict[str, Any]:
    """Validate what is understood of a session as it stands, build it, and keep it: all or nothing.

    Returns what ``competence_persist`` does. Raises ``ServiceError`` as ``workflow_build`` and ``competence_persist``
    do, and ``cancelled`` (409).
    """
    organization, session_id = session.organization, session.session_id
    feedback_apply(organization=organization, member=member, session_id=session_id, action=Feedback.Action.VALIDATE)
    built = workflow_build(organization=organization, member=member, session_id=session_id, name=name)
    if "workflow_ir" not in built:
        why = _("This demonstration was cancelled: nothing more can be said of it.")
        raise ServiceError("cancelled", why, status=409)
    return competence_persist(
        organization=organization,
        member=member,
        workflow_ir=built["workflow_ir"],
        machine_id=session.machine.machine_id,
    )


@transaction.atomic
def session_import(
    *, organization: Organization, member: User | None, session_id: str, machine_id: str, events: Sequence[Any]
) -> Stopped:
    """Observe a recording that was made elsewhere: its events, from the first to the last.

    Secrets and personal data are taken out as for any event. Raises ``ServiceError``: ``session_taken`` (409) when
    there is a session of this id, ``invalid_input`` (422).
    """
    session = ObservationSession.objects.filter(organization=organization, session_id=session_id).first()
    if session is not None:
        raise ServiceError("session_taken", _("There is a session with this id already."), status=409)
    send = partial(
        events_ingest, organization=organization, member=member, session_id=session_id, machine_id=machine_id
    )
    send(events=[{"sequence": 0, "kind": "focus", "at": 0, "url": "/"}])
    session_start(organization=organization, member=member, session_id=session_id)
    shifted = [{**event, "sequence": number} for number, event in enumerate(events, start=1)]
    for begin in range(0, len(shifted), MOST_IN_A_BATCH):
        send(events=shifted[begin : begin + MOST_IN_A_BATCH])
    return session_stop(organization=organization, member=member, session_id=session_id)


@transaction.atomic
def session_delete(*, session: ObservationSession, actor: User) -> None:
    """Delete a session with its events, steps and feedback; what was learnt of it stays.

    Whoever showed it may, and an administrator. Raises ``ServiceError`` (``forbidden``, ``not_found``).
    """
    with tenant_scope(session.organization_id):
        own = session.member_id == actor.pk
        require_role(actor, session.organization, Role.AUTHOR if own else Role.ADMIN)
        ObservationSession.objects.filter(pk=session.pk).delete()


def observations_purge(*, before: datetime) -> None:
    """Delete what the current organization showed and said before ``before``: sessions and conversations that nothing
    was added to since, and older events."""
    Conversation.objects.filter(spoken_at__lt=before).delete()
    ObservationSession.objects.filter(last_event_at__lt=before).delete()
    understanding.events_purge(before)


def _locked(organization: Organization, member: User | None, session_id: str) -> ObservationSession:
    """Return the session, locked until the transaction ends: what is asked of it happens one after the other."""
    _require_author(organization, member)
    return session_get(organization=organization, session_id=session_id, member=member, lock=True)


def _require_author(organization: Organization, member: User | None) -> None:
    if member is not None:
        require_role(member, organization, Role.AUTHOR)


def _require_validated(rows: Sequence[UnderstoodStep], *, all_of_them: bool) -> None:
    said = (UnderstoodStep.State.VALIDATED, UnderstoodStep.State.CORRECTED)
    open_steps = [row for row in rows if row.state not in said]
    if len(open_steps) == len(rows):
        raise ServiceError("nothing_validated", _("The workflow cannot be built: no step was validated."), status=400)
    if all_of_them and open_steps:
        raise ServiceError(
            "not_all_validated",
            _("The workflow cannot be built: these steps are not validated yet: %(steps)s.")
            % {"steps": ", ".join(str(row.index) for row in open_steps)},
            status=400,
        )
