"""A step while it is still being understood."""

from __future__ import annotations

from dataclasses import dataclass, field

from shadow.observer.events import Event, Target
from shadow.observer.steps import StepKind

INTERACTIONS = frozenset({"click", "dblclick", "fill", "select", "check", "key", "submit", "upload"})


@dataclass(eq=False)
class Draft:
    """What became of some events so far. `acted` is the event that says most about the step."""

    kind: StepKind
    acted: Event
    events: list[Event] = field(default_factory=list)
    value: str | None = None
    option: str | None = None
    options: tuple[str, ...] = ()
    checked: bool | None = None
    files: tuple[str, ...] = ()
    secret: bool = False
    key: str = ""
    clicks: int = 1
    effect: str | None = None
    is_submitted: bool = False
    after_idle: bool = False
    after_unseen: bool = False
    # The box of a net state was the other way before its first event.
    began_checked: bool | None = None

    @classmethod
    def of(cls, event: Event, kind: StepKind) -> Draft:
        return cls(
            kind,
            event,
            [event],
            value=event.value,
            option=event.option,
            options=event.options,
            checked=event.checked,
            files=event.files,
            secret=event.secret,
            key=event.key,
        )

    @property
    def target(self) -> Target | None:
        return self.acted.target

    @property
    def cause(self) -> str:
        return self.acted.cause if self.kind == "navigate" else ""

    @property
    def url(self) -> str:
        return self.events[0].url if self.kind != "navigate" else self.acted.url

    @property
    def title(self) -> str:
        return self.events[0].title if self.kind != "navigate" else self.acted.title

    @property
    def frame(self) -> str:
        return self.acted.frame

    @property
    def last_action_at(self) -> float:
        """When somebody last did something in it; for a `navigate` step, when the page came."""
        actions = [event.at for event in self.events if event.kind in INTERACTIONS]
        return max(actions) if actions else self.events[-1].at

    def absorb(self, other: Draft) -> None:
        """Take in what came before and is a part of this step."""
        self.events[:0] = other.events
        self.after_idle |= other.after_idle
        self.after_unseen |= other.after_unseen
