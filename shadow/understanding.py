"""What is understood of a session: live from its events, or as the steps that were kept when observing ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import F

from shadow.event_words import words_of_steps
from shadow.models import Feedback, ObservationSession, ObservedEvent, UnderstoodStep
from shadow.observer.events import Event
from shadow.observer.segmenter import Segmenter, segment
from shadow.observer.segmenter import UnderstoodStep as Observed
from shadow.parameters import parameter_of
from skills.config import engine_locale

Status = ObservationSession.Status
State = UnderstoodStep.State
LONGEST_INTENT = 300


def understood(session: ObservationSession, since_ts: float | None) -> dict[str, Any]:
    """Return the steps, the one that may still change, and what there is to tell since ``since_ts``."""
    answer = {"session_id": session.session_id, "status": session.status}
    live = session.status == Status.RECORDING
    if not live:
        rows = steps_of(session)
        steps, current = steps_public(rows, session.locale), None
        notices = _segmenter(session, finished=True).notices if session.recorded_from is not None else []
    else:
        segmenter = _segmenter(session, finished=False)
        open_step = segmenter.current
        closed = [step for step in segmenter.steps if step != open_step]
        steps = [
            _public(number, step_row(session, step), session.locale) for number, step in enumerate(closed, start=1)
        ]
        current = (
            _public(len(steps) + 1, step_row(session, open_step), session.locale) if open_step is not None else None
        )
        notices = segmenter.notices
    told = [
        {"at": notice.at, "kind": notice.kind, "message": notice.message}
        for notice in notices
        if since_ts is None or notice.at > since_ts
    ]
    return {**answer, "recording": live, "steps": steps, "current_step": current, "notifications": told}


def steps_keep(session: ObservationSession) -> list[UnderstoodStep]:
    """Understand what was shown anew, and keep its steps in the place of those there were. The session is locked."""
    steps = segment(events_of(session), engine_locale(session.locale))
    return steps_replace(session, [step_row(session, step) for step in steps])


def steps_replace(session: ObservationSession, rows: Iterable[UnderstoodStep]) -> list[UnderstoodStep]:
    """Put steps, in their order, in the place of those of the recording; they are numbered anew. The session is locked.

    Returns those that stand.
    """
    number, fresh = 0, []
    for row in rows:
        stands = row.state != State.REMOVED
        number += stands
        row.index = number if stands else None
        fresh.append(row)
    UnderstoodStep.objects.filter(session=session, recording=session.recording).delete()
    UnderstoodStep.objects.bulk_create(fresh)
    return [row for row in fresh if row.index is not None]


def steps_of(session: ObservationSession, *, removed: bool = False) -> list[UnderstoodStep]:
    """Return the steps of the last recording in their order; those that were removed only if asked for."""
    rows = UnderstoodStep.objects.filter(session=session, recording=session.recording)
    if not removed:
        rows = rows.filter(index__isnull=False)
    return list(rows.order_by(F("index").asc(nulls_last=True), "id"))


def step_row(session: ObservationSession, step: Observed) -> UnderstoodStep:
    """Return a step of the observer's as a row that is not saved."""
    return UnderstoodStep(
        organization_id=session.organization_id,
        session=session,
        recording=session.recording,
        kind=step.kind,
        intent=step.intent[:LONGEST_INTENT],
        confidence=Decimal(str(round(min(max(step.confidence, 0.0), 1.0), 3))),
        events=list(step.events),
        data=step_json(step),
    )


def step_json(step: Observed) -> dict[str, Any]:
    """Return all that the observer says of a step, as JSON keeps it; what is absent is left out."""
    known: dict[str, Any] = asdict(step)
    if step.secret:
        known.pop("value", None)
    return {key: value for key, value in known.items() if value not in (None, "", [], ())}


def steps_public(rows: Iterable[UnderstoodStep], locale: str) -> list[dict[str, Any]]:
    """Return steps as the API gives them; ``locale`` names their parameters."""
    known = list(rows)
    happened = words_of_steps(known, locale)
    words = [[happened[number] for number in row.events if number in happened] for row in known]
    return [
        {**_public(row.index or 0, row, locale), **({"event_words": said} if said else {})}
        for row, said in zip(known, words, strict=True)
    ]


def events_of(session: ObservationSession) -> list[Event]:
    """Return what was shown in the last recording, in the order in which it happened."""
    if session.recorded_from is None:
        return []
    rows = ObservedEvent.objects.filter(session=session, sequence__gte=session.recorded_from)
    if session.recorded_until is not None:
        rows = rows.filter(sequence__lte=session.recorded_until)
    return [Event.from_wire(payload) for payload in rows.order_by("sequence").values_list("payload", flat=True)]


def is_settled(session: ObservationSession) -> bool:
    """Whether what was shown can change no more: somebody has said something of it, or it was built or cancelled."""
    if session.status in (Status.BUILT, Status.CANCELLED):
        return True
    return (
        session.status == Status.STOPPED
        and Feedback.objects.filter(session=session, recording=session.recording, applied=True).exists()
    )


def events_purge(before: datetime) -> None:
    """Delete the current organization's events that were received before a time."""
    ObservedEvent.objects.filter(received_at__lt=before).delete()


def _segmenter(session: ObservationSession, *, finished: bool) -> Segmenter:
    segmenter = Segmenter(engine_locale(session.locale))
    for event in events_of(session):
        segmenter.observe(event)
    if finished:
        segmenter.finish()
    return segmenter


def _public(number: int, row: UnderstoodStep, locale: str) -> dict[str, Any]:
    data: Mapping[str, Any] = row.data
    target = data.get("target") or {}
    parameter = parameter_of(data, locale)
    optional = {key: data[key] for key in ("value", "option", "checked", "secret", "files") if data.get(key)}
    return {
        "step": number,
        "intent": row.intent,
        "confidence": float(row.confidence),
        "kind": row.kind,
        "reasons": [reason["sentence"] for reason in data.get("reasons", ())],
        "state": row.state,
        "events": list(row.events),
        "url": data.get("url", ""),
        "title": data.get("title", ""),
        "target": {"name": target.get("name", ""), "role": target.get("role", "")} if target else None,
        **optional,
        **({"parameter": {"name": parameter.name, "example": parameter.example}} if parameter else {}),
    }


def events_named(session: ObservationSession, sequences: Sequence[int]) -> list[Event]:
    """Return some of a session's events by their numbers, in their order."""
    rows = ObservedEvent.objects.filter(session=session, sequence__in=list(sequences)).order_by("sequence")
    return [Event.from_wire(payload) for payload in rows.values_list("payload", flat=True)]
