"""Takes the events of a demonstration one after the other, in the client's order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from shadow.observer import filling, moving, pressing
from shadow.observer.cleaning import Duplicates
from shadow.observer.drafts import Draft
from shadow.observer.events import Event
from shadow.observer.story import Story

_RULES: dict[str, Callable[[Story, Event], None]] = {
    "click": pressing.click,
    "dblclick": pressing.double_click,
    "key": pressing.press,
    "submit": pressing.submit,
    "upload": pressing.upload,
    "fill": filling.fill,
    "select": filling.select,
    "check": filling.check,
    "navigate": moving.navigate,
}


@dataclass
class Folding:
    """What the events so far amount to. Kinds without a rule (scroll, hover, focus) are noise."""

    _story: Story = field(default_factory=Story)
    _duplicates: Duplicates = field(default_factory=Duplicates)

    @property
    def drafts(self) -> list[Draft]:
        return self._story.drafts

    @property
    def unseen(self) -> list[Event]:
        return self._story.unseen

    def take(self, event: Event) -> None:
        """Take the next event. The order of sequence numbers is the caller's care."""
        match event.kind:
            case "pause" | "resume":
                self._story.pause()
                return
            case "unseen":
                self._story.miss(event)
                return
            case "undo":
                if not event.undone and self.drafts:
                    self.drafts.pop()
                return
        self._story.pass_time(event)
        rule = _RULES.get(event.kind)
        if rule is not None and not self._duplicates.knows(event):
            rule(self._story, event)
