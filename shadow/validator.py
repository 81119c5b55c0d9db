"""What somebody says of the understood steps, applied if it makes sense; kept either way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from engine.masking import mask
from organizations.masks import mask_rules
from organizations.models import User
from shadow import understanding
from shadow.cleaning import MAX_SEQUENCE
from shadow.models import Feedback, ObservationSession, UnderstoodStep
from shadow.observer import segmenter
from shadow.observer.events import Event
from skills.config import engine_locale
from tours.steps import plain

Action = Feedback.Action
Status = ObservationSession.Status
State = UnderstoodStep.State


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing said: steps count from 1, ``at_event_index`` is the sequence number of an event."""

    action: Feedback.Action
    step_index: int | None = None
    new_intent: str | None = None
    at_event_index: int | None = None


class _SenselessError(Exception):
    """Why what was asked makes no sense, in a sentence."""


def apply(session: ObservationSession, asked: Asked) -> str:
    """Change the steps of a locked session as asked; return "", or why it makes no sense. Then nothing is changed."""
    try:
        _require_open(session, asked.action)
        rows = understanding.steps_of(session)
        _ACTIONS[asked.action](session, rows, asked)
    except _SenselessError as why:
        return str(why)
    return ""


def record(session: ObservationSession, asked: Asked, *, by: User | None, reason: str) -> Feedback:
    """Keep what was said, and whether it was applied."""
    return Feedback.objects.create(
        organization_id=session.organization_id,
        session=session,
        recording=session.recording,
        action=asked.action,
        step_index=_kept_number(asked.step_index, 2**31 - 1),
        new_intent=_said(session, asked)[: understanding.LONGEST_INTENT],
        at_event_index=_kept_number(asked.at_event_index, MAX_SEQUENCE),
        applied=not reason,
        reason=reason[:300],
        by=by,
    )


def _require_open(session: ObservationSession, action: Feedback.Action) -> None:
    match session.status:
        case Status.CANCELLED:
            raise _SenselessError(_("This demonstration was cancelled: nothing more can be said of it."))
        case Status.BUILT:
            raise _SenselessError(_("This demonstration was learnt already: its steps no longer change."))
        case Status.ACTIVE:
            raise _SenselessError(_("Nothing was watched yet."))
        case Status.RECORDING if action != Action.CANCEL:
            raise _SenselessError(_("I am still watching: tell me when you are done, then we go through the steps."))


def _validate(session: ObservationSession, rows: list[UnderstoodStep], asked: Asked) -> None:
    meant = rows if asked.step_index is None else [_step(rows, asked.step_index)]
    if not meant:
        raise _SenselessError(_("There is no step to validate."))
    # What somebody put into words of their own stays marked as such.
    open_ones = [row.pk for row in meant if row.state == State.PROPOSED]
    UnderstoodStep.objects.filter(session=session, pk__in=open_ones).update(state=State.VALIDATED)


def _correct(session: ObservationSession, rows: list[UnderstoodStep], asked: Asked) -> None:
    row = _step(rows, asked.step_index)
    intent = _said(session, asked)
    if not intent:
        raise _SenselessError(_("Say what the step is about."))
    if len(intent) > understanding.LONGEST_INTENT:
        raise _SenselessError(_("Say it in at most %(max)d characters.") % {"max": understanding.LONGEST_INTENT})
    row.intent, row.state = intent, State.CORRECTED
    row.save(update_fields=["intent", "state"])


def _said(session: ObservationSession, asked: Asked) -> str:
    return mask(plain(asked.new_intent), mask_rules(session.organization))


def _undo(session: ObservationSession, rows: list[UnderstoodStep], asked: Asked) -> None:
    row = _step(rows, asked.step_index)
    row.state = State.REMOVED
    understanding.steps_replace(session, [*rows, *_removed_before(session)])


def _cancel(session: ObservationSession, _rows: list[UnderstoodStep], _asked: Asked) -> None:
    now = timezone.now()
    session.status, session.closed_at = Status.CANCELLED, now
    if session.recorded_until is None:
        session.recorded_until, session.stopped_at = session.last_sequence, now
    session.save(update_fields=["status", "closed_at", "recorded_until", "stopped_at"])


def _merge_next(session: ObservationSession, rows: list[UnderstoodStep], asked: Asked) -> None:
    row = _step(rows, asked.step_index)
    place = rows.index(row)
    if place + 1 >= len(rows):
        raise _SenselessError(
            _("Step %(number)d is the last one: there is none to merge it with.") % {"number": place + 1}
        )
    following = rows[place + 1]
    first, second = (understanding.events_named(session, one.events) for one in (row, following))
    _require_events(first and second)
    merged = segmenter.merge(first, second, engine_locale(session.locale))
    _replace(session, rows, place, 2, [understanding.step_row(session, merged)])


def _split(session: ObservationSession, rows: list[UnderstoodStep], asked: Asked) -> None:
    row = _step(rows, asked.step_index)
    if asked.at_event_index is None:
        raise _SenselessError(_("Say at which event to split the step."))
    if asked.at_event_index not in row.events:
        raise _SenselessError(
            _("Event %(event)d is no part of step %(number)d: it is made of %(events)s.")
            % {
                "event": asked.at_event_index,
                "number": row.index or 0,
                "events": ", ".join(str(number) for number in row.events[:20]),
            }
        )
    place = sorted(row.events).index(asked.at_event_index)
    if place == 0:
        raise _SenselessError(_("The step begins with this event: nothing would be left before it."))
    events = understanding.events_named(session, row.events)
    _require_events(events)
    parts = segmenter.split(events, place, engine_locale(session.locale))
    if len(parts) < 2:
        raise _SenselessError(_("Step %(number)d cannot be split there.") % {"number": row.index or 0})
    fresh = [understanding.step_row(session, part) for part in parts]
    _replace(session, rows, rows.index(row), 1, fresh)


def _require_events(events: Sequence[Event]) -> None:
    if not events:
        raise _SenselessError(_("What this step was understood from was deleted meanwhile: it is too old."))


def _replace(
    session: ObservationSession, rows: list[UnderstoodStep], place: int, count: int, fresh: list[UnderstoodStep]
) -> None:
    standing = [*rows[:place], *fresh, *rows[place + count :]]
    understanding.steps_replace(session, [*standing, *_removed_before(session)])


def _removed_before(session: ObservationSession) -> list[UnderstoodStep]:
    return [row for row in understanding.steps_of(session, removed=True) if row.index is None]


def _step(rows: list[UnderstoodStep], number: int | None) -> UnderstoodStep:
    if number is None:
        raise _SenselessError(_("Say which step."))
    if not rows:
        raise _SenselessError(_("There is no step any more."))
    if not 1 <= number <= len(rows):
        raise _SenselessError(
            _("There is no step %(number)d: they go from 1 to %(last)d.") % {"number": number, "last": len(rows)}
        )
    return rows[number - 1]


def _kept_number(number: int | None, most: int) -> int | None:
    return None if number is None else max(-most, min(number, most))


_ACTIONS: dict[Feedback.Action, Callable[[ObservationSession, list[UnderstoodStep], Asked], None]] = {
    Action.VALIDATE: _validate,
    Action.CORRECT: _correct,
    Action.UNDO: _undo,
    Action.CANCEL: _cancel,
    Action.MERGE_NEXT: _merge_next,
    Action.SPLIT: _split,
}
