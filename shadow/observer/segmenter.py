"""From the events of a demonstration to its steps, while they come or all at once: the same steps either way."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from shadow.observer.confidence import weigh
from shadow.observer.drafts import Draft
from shadow.observer.events import Event
from shadow.observer.folding import Folding
from shadow.observer.naming import intent_of
from shadow.observer.steps import Notice, Reason, UnderstoodStep
from shadow.observer.vocabulary import vocabulary

__all__ = ["Notice", "Reason", "Segmenter", "UnderstoodStep", "merge", "segment", "split"]


@dataclass
class Segmenter:
    """Understands events in whatever order they arrive. The same sequence number twice counts once.

    An event that is the newest so far costs the same however many there were; one that arrives late, or takes others
    back, has all of them read again.
    """

    locale: str = "fr"
    _events: list[Event] = field(default_factory=list)
    _known: set[int] = field(default_factory=set)
    _undone: set[int] = field(default_factory=set)
    _folding: Folding = field(default_factory=Folding)
    _is_finished: bool = False

    def observe(self, event: Event) -> None:
        if event.sequence in self._known:
            return
        self._known.add(event.sequence)
        self._is_finished = False
        is_newest = not self._events or event.sequence > self._events[-1].sequence
        insort(self._events, event, key=lambda known: known.sequence)
        if event.undone:
            self._undone.update(event.undone)
        if is_newest and not event.undone:
            self._take(event)
        else:
            self._folding = Folding()
            for known in self._events:
                self._take(known)

    def finish(self) -> None:
        """Say that nothing more will come: the last step is closed."""
        self._is_finished = True

    @property
    def steps(self) -> list[UnderstoodStep]:
        """The steps that are closed; a correction of a choice, or an event that arrives late, may still change one."""
        drafts = self._folding.drafts
        closed = drafts if self._is_finished else drafts[:-1]
        return [self._step(index) for index in range(len(closed))]

    @property
    def current(self) -> UnderstoodStep | None:
        """The step that the next event may still be a part of; None when there is none, and once finished."""
        return None if self._is_finished or not self._folding.drafts else self._step(len(self._folding.drafts) - 1)

    @property
    def notices(self) -> list[Notice]:
        """What there is to tell, oldest first."""
        words = vocabulary(self.locale)
        unseen = [
            Notice(event.at, "unseen", words.unseen.get(event.reason, words.unseen[""]))
            for event in self._folding.unseen
        ]
        understood = [
            Notice(step.until, "step_understood", words.understood.format(number=number, intent=step.intent))
            for number, step in enumerate(self.steps, start=1)
        ]
        return sorted([*unseen, *understood], key=lambda notice: notice.at)

    def _take(self, event: Event) -> None:
        if event.trusted and event.sequence not in self._undone:
            self._folding.take(event)

    def _step(self, index: int) -> UnderstoodStep:
        drafts = self._folding.drafts
        return step_of(drafts[index], self.locale, is_last=index == len(drafts) - 1)


def segment(events: Iterable[Event], locale: str = "fr") -> list[UnderstoodStep]:
    """Return the steps of a demonstration that is over, whatever the order of `events`."""
    segmenter = Segmenter(locale)
    for event in sorted(events, key=lambda event: event.sequence):
        segmenter.observe(event)
    segmenter.finish()
    return segmenter.steps


def split(step_events: Sequence[Event], at_event_index: int, locale: str = "fr") -> list[UnderstoodStep]:
    """Return two steps of a step's events: those before the place `at_event_index` (from 0), and those from it on.

    When one side alone is nothing that anybody does, the whole comes back as one step.
    """
    events = sorted(step_events, key=lambda event: event.sequence)
    before, after = events[:at_event_index], events[at_event_index:]
    if not before or not after or not segment(before, locale) or not segment(after, locale):
        return [merge(events, (), locale)]
    return [merge(before, (), locale), merge(after, (), locale)]


def merge(a_events: Iterable[Event], b_events: Iterable[Event], locale: str = "fr") -> UnderstoodStep:
    """Return ONE step of the events of two. What is more than one action keeps its actions in `parts`.

    Raises `ValueError` when nothing in them is anything that somebody does.
    """
    first, second = list(a_events), list(b_events)
    parts = segment([*first, *second], locale) or [*segment(first, locale), *segment(second, locale)]
    if not parts:
        raise ValueError("no event of these is a step")
    if len(parts) == 1:
        return parts[0]
    joint = vocabulary(locale).then
    intents = [parts[0].intent, *(part.intent[:1].lower() + part.intent[1:] for part in parts[1:])]
    events = sorted({number for part in parts for number in part.events})
    reasons = {reason.code: reason for part in parts for reason in part.reasons}
    return replace(
        parts[-1],
        intent=joint.join(intents),
        confidence=min(part.confidence for part in parts),
        reasons=tuple(reasons.values()),
        first=events[0],
        last=events[-1],
        events=tuple(events),
        at=parts[0].at,
        url=parts[0].url,
        title=parts[0].title,
        parts=tuple(parts),
    )


def step_of(draft: Draft, locale: str, *, is_last: bool) -> UnderstoodStep:
    """Name and weigh a draft. Of the `is_last` one nobody knows yet what it leads to."""
    confidence, reasons = weigh(draft, locale, is_last=is_last)
    events = draft.events
    return UnderstoodStep(
        kind=draft.kind,
        intent=intent_of(draft, locale),
        confidence=confidence,
        reasons=reasons,
        first=min(event.sequence for event in events),
        last=max(event.sequence for event in events),
        events=tuple(sorted(event.sequence for event in events)),
        at=min(event.at for event in events),
        until=max(event.at for event in events),
        target=draft.target,
        value=None if draft.secret else draft.value,
        option=None if draft.secret else draft.option,
        options=draft.options,
        checked=draft.checked,
        files=draft.files,
        secret=draft.secret,
        key=draft.key,
        cause=draft.cause,
        clicks=draft.clicks,
        url=draft.url,
        title=draft.title,
        frame=draft.frame,
        effect=draft.effect,
    )
