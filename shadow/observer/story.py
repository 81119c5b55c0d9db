"""What is known of a demonstration after some of its events: the state that the rules work on."""

from __future__ import annotations

from dataclasses import dataclass, field

from shadow.observer.drafts import Draft
from shadow.observer.events import Event, Target, same_element
from shadow.observer.steps import StepKind

IDLE_S = 5.0
# One act of a person makes several events within this time: nobody acts twice as fast.
AT_ONCE_S = 0.25


@dataclass
class Story:
    """The steps so far, in order; only the last one may still grow, and the boxes of its group may still change."""

    drafts: list[Draft] = field(default_factory=list)
    # Boxes that were ticked since the last thing that may have acted on them, by what they are.
    boxes: dict[tuple[str, ...], Draft] = field(default_factory=dict)
    # A click on what does not look interactive: it counts when the page moves after it.
    unproven: Event | None = None
    unseen: list[Event] = field(default_factory=list)
    _secrets: set[tuple[str, ...]] = field(default_factory=set)
    _last_at: float | None = None
    _is_after_idle: bool = False
    _is_after_unseen: bool = False

    @property
    def last(self) -> Draft | None:
        return self.drafts[-1] if self.drafts else None

    def pass_time(self, event: Event) -> None:
        """Note how long nothing happened before an event."""
        if self._last_at is not None and event.at - self._last_at >= IDLE_S:
            self._is_after_idle = True
        self._last_at = event.at

    def pause(self) -> None:
        """What happened before a pause, or is over with it, has no idle time after it."""
        self._last_at = None
        self._is_after_idle = False

    def miss(self, event: Event) -> None:
        """Remember that something was done where nobody can look."""
        self.unseen.append(event)
        self._is_after_unseen = True

    def begin(self, event: Event, kind: StepKind) -> Draft:
        """Open a step."""
        draft = Draft.of(event, kind)
        if draft.secret or self.is_secret(event):
            self._hide(draft, event)
        self._mark(draft)
        self.drafts.append(draft)
        self.unproven = None
        return draft

    def grow(self, draft: Draft, event: Event) -> None:
        """Add an event to a step that is there."""
        draft.events.append(event)
        self._mark(draft)
        self.unproven = None

    def turn(self, draft: Draft, event: Event, kind: StepKind) -> None:
        """Make what was understood so far of a step a part of what `event` says."""
        self.drafts.remove(draft)
        self.begin(event, kind).absorb(draft)

    def retell(self, draft: Draft, event: Event) -> None:
        """Let an event say anew what was put into a field or chosen."""
        self.grow(draft, event)
        draft.acted = event
        draft.value, draft.option, draft.options = event.value, event.option, event.options
        if event.secret or draft.secret or self.is_secret(event):
            self._hide(draft, event)

    def is_secret(self, event: Event) -> bool:
        """Whether the element ever held a secret, whatever its type is now."""
        return event.target is not None and _identity(event, event.target) in self._secrets

    def close_group(self) -> None:
        """From here on a box that is ticked is another step than before."""
        self.boxes.clear()

    def box_key(self, event: Event) -> tuple[str, ...]:
        """What is one choice: a box, or all the radio buttons of a group."""
        target = event.target or Target()
        if not target.is_radio:
            return _identity(event, target)
        name = target.choice or _radio_name(target.selector) or _radio_name(target.fallback_selector)
        shared = name or target.group
        return (event.page, event.frame, target.form, "radio", shared) if shared else _identity(event, target)

    def drop_stray_focus(self, event: Event) -> None:
        """A click into one field, then work in another: the first was looked at, not used."""
        last = self.last
        if (
            last is not None
            and last.kind == "click"
            and last.effect is None
            and last.target is not None
            and last.target.is_editable
            and last.target.role != "combobox"
            and last.acted.page == event.page
            and not same_element(last.acted, event)
        ):
            self.drafts.pop()

    def _hide(self, draft: Draft, event: Event) -> None:
        draft.secret = True
        draft.value = draft.option = None
        draft.options = ()
        if event.target is not None:
            self._secrets.add(_identity(event, event.target))

    def _mark(self, draft: Draft) -> None:
        draft.after_idle |= self._is_after_idle
        draft.after_unseen |= self._is_after_unseen
        self._is_after_idle = self._is_after_unseen = False


def soon_after(draft: Draft, event: Event, seconds: float) -> bool:
    """Whether an event came at most so long after the last thing that was done in a step."""
    return event.at - draft.last_action_at <= seconds


def _identity(event: Event, target: Target) -> tuple[str, ...]:
    known_by = target.selector or target.fingerprint or f"{target.role} {target.name}"
    return (event.page, event.frame, known_by)


def _radio_name(selector: str) -> str:
    _before, found, rest = selector.partition("[name=")
    return rest.partition("]")[0].strip("\"'") if found else ""
