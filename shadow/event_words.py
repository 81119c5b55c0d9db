"""What happened at single events, in a few words: so that people can say after which one to split a step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shadow.models import ObservedEvent, UnderstoodStep
from shadow.observer.events import Event
from shadow.observer.segmenter import segment
from skills.config import engine_locale


def words_of_steps(rows: Iterable[UnderstoodStep], locale: str) -> Mapping[int, str]:
    """Return, for each event of steps that are made of several, what it was. One query; no secret is in it."""
    several = [row for row in rows if len(row.events) > 1]
    if not several:
        return {}
    sequences = {sequence for row in several for sequence in row.events}
    kept = ObservedEvent.objects.filter(session_id=several[0].session_id, sequence__in=sequences)
    events = [Event.from_wire(payload) for payload in kept.values_list("payload", flat=True)]
    return {event.sequence: event_words(event, locale) for event in events}


def event_words(event: Event, locale: str) -> str:
    """Return what an event would be called if it were a step, else the name of its element."""
    alone = segment([event], engine_locale(locale))
    if alone:
        return alone[0].intent
    return (event.target.name or event.target.text) if event.target is not None else ""
