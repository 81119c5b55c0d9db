"""The corpus's recordings as demonstrations: their steps are known; what people do beside them is put in between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from bench.segmenter.truth import Deed, Episode
from shadow.importing import read_recordings
from shadow.observer import Event, Target

_WRITTEN = ("fill", "select")
_NOISE = ("scroll", "hover", "focus")
_NOTHING = Target(tag="body", selector="body", interactive=False)


def recorded(folder: Path, plays: int) -> Iterator[Episode]:
    """Play each recording of the folder a number of times, with other noise each time."""
    for file in sorted(folder.glob("*.*")):
        if file.suffix not in (".json", ".side"):
            continue
        for place, recording in enumerate(read_recordings(file.read_bytes()).recordings):
            events = [Event.from_wire(event) for event in recording.events]
            if not events:
                continue
            for play in range(plays):
                name = f"{file.stem[-40:]} {place}.{play}"
                yield _played(name, events, Random(name))  # noqa: S311 - the same noise every time


def _played(name: str, events: list[Event], chance: Random) -> Episode:
    stream: list[Event] = []
    for event in events:
        stream += _around(event, chance)
    now, played = 0.0, []
    for number, (event, wait) in enumerate(_timed(stream, chance)):
        now += wait
        played.append(replace(event, sequence=number, at=now))
    return Episode(name, played, _meant(events), {event.sequence: _element(event) for event in played})


def _around(event: Event, chance: Random) -> list[Event]:
    """An event with what a person may do beside it."""
    stream = []
    if chance.random() < 0.3:
        stream.append(replace(event, kind=chance.choice(_NOISE)))
    if chance.random() < 0.15:
        stream.append(replace(event, kind="click", target=_NOTHING))
    if event.kind in _WRITTEN and chance.random() < 0.5:
        stream.append(replace(event, kind="click", value=None, option=None, detail=1))
    if event.kind == "fill" and event.value and chance.random() < 0.5:
        stream.append(replace(event, value=event.value[: len(event.value) // 2]))
    stream.append(event)
    if event.kind == "click" and chance.random() < 0.2:
        # Two recorders in one frame.
        stream.append(event)
    return stream


def _timed(stream: list[Event], chance: Random) -> Iterator[tuple[Event, float]]:
    before: Event | None = None
    for event in stream:
        effect = event.kind == "navigate" and event.cause == "link"
        wait = 0.02 if event is before else 0.3 if effect else chance.uniform(0.6, 3)
        yield event, wait + (chance.uniform(5, 12) if chance.random() < 0.05 and event is not before else 0)
        before = event


def _meant(events: list[Event]) -> list[Deed]:
    """The steps of a recording: what is done to one field in one go is one."""
    deeds: list[Deed] = []
    for event in events:
        if event.kind == "navigate" and event.cause == "link":
            continue
        deed = _deed(event)
        last = deeds[-1] if deeds else None
        if last is not None and last.element == deed.element is not None:
            if deed.kind in _WRITTEN and last.kind in (deed.kind, "click"):
                deeds.pop()
            elif deed.kind == "click" and last.kind in _WRITTEN:
                continue
            elif deed.kind == last.kind == "check" and deed.said != last.said:
                # Ticked and unticked again.
                deeds.pop()
                continue
        deeds.append(deed)
    return deeds


def _deed(event: Event) -> Deed:
    if event.kind == "dblclick":
        return Deed("click", _element(event), 2)
    said = {"fill": event.value, "select": event.option, "check": event.checked, "click": 1, "navigate": event.url}
    return Deed(event.kind, _element(event), {**said, "key": event.key}.get(event.kind))


def _element(event: Event) -> object:
    target = event.target
    return None if target is None or event.kind == "navigate" else (event.frame, target.selector or target.name)
