"""What somebody meant to do, what was understood of it, and how far the two agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from shadow.observer import Event, UnderstoodStep


class Deed(NamedTuple):
    """One step: what was done, to which element, and what was put into it or became of it.

    `element` is any name that is the same for the same element.
    """

    kind: str
    element: object
    said: object = None


@dataclass(frozen=True)
class Episode:
    """A demonstration: the events of it, and what was meant. `elements` says of an event which element it is about."""

    name: str
    events: list[Event]
    meant: list[Deed]
    elements: Mapping[int, object]

    def understood(self, steps: Sequence[UnderstoodStep]) -> list[Deed]:
        return [self._deed(step) for step in steps]

    def naive(self) -> list[Deed]:
        """One step for each event, which is what a recorder gives that does not think."""
        return [
            Deed(event.kind, self.elements.get(event.sequence), _said_in(event))
            for event in self.events
            if event.trusted
        ]

    def _deed(self, step: UnderstoodStep) -> Deed:
        # The element of the step is that of the event which it was taken from.
        about = next(
            (event for event in self.events if event.sequence in step.events and event.target == step.target), None
        )
        element = None if about is None or step.target is None else self.elements.get(about.sequence)
        return Deed(step.kind, element, _said(step))


@dataclass
class Score:
    """How many episodes are exactly right, and how many steps."""

    episodes: int = 0
    exact: int = 0
    naive_exact: int = 0
    meant: int = 0
    understood: int = 0
    found: int = 0
    misses: list[tuple[str, list[Deed], list[Deed]]] = field(default_factory=list)

    def count(self, episode: Episode, steps: Sequence[UnderstoodStep]) -> None:
        understood = episode.understood(steps)
        self.episodes += 1
        self.naive_exact += episode.naive() == episode.meant
        self.meant += len(episode.meant)
        self.understood += len(understood)
        self.found += _in_common(episode.meant, understood)
        if understood == episode.meant:
            self.exact += 1
        else:
            self.misses.append((episode.name, episode.meant, understood))

    def add(self, other: Score) -> None:
        for name in ("episodes", "exact", "naive_exact", "meant", "understood", "found"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.misses += other.misses

    @property
    def precision(self) -> float:
        return self.found / self.understood if self.understood else 1.0

    @property
    def recall(self) -> float:
        return self.found / self.meant if self.meant else 1.0

    def cells(self) -> list[str]:
        shares = (self.share(self.exact), self.precision, self.recall, self.share(self.naive_exact))
        return [str(self.episodes), *(f"{100 * share:.1f} %" for share in shares)]

    def share(self, count: int) -> float:
        return count / self.episodes if self.episodes else 0.0


def _said(step: UnderstoodStep) -> object:
    return _of_kind(step.kind, step, step.clicks)


def _said_in(event: Event) -> object:
    return None if event.secret else _of_kind(event.kind, event, 1)


def _of_kind(kind: str, one: UnderstoodStep | Event, clicks: int) -> object:
    """What counts in a step of a kind."""
    said: dict[str, object] = {
        "fill": one.value,
        "select": one.option,
        "check": one.checked,
        "click": clicks,
        "navigate": one.url,
        "key": one.key,
    }
    return said.get(kind)


def _in_common(one: Sequence[Deed], other: Sequence[Deed]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for a in one:
        before = 0
        for index, b in enumerate(other, start=1):
            kept = row[index]
            row[index] = before + 1 if a == b else max(row[index], row[index - 1])
            before = kept
    return row[-1]
