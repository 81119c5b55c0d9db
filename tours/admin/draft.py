"""What stands in the fields of a tour's review page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from organizations.errors import ServiceError
from tours.models import Tour
from tours.steps import MAX_STEPS, MAX_TEXT, MAX_TITLE, PLACEMENTS, Step, picked_key

FIELDS = ("intent_id", "title", "text", "placement")
_STEP_ERROR = re.compile(r"^steps\[(\d+)\]\.(\w+)$")
_MOVE = re.compile(r"^(up|down):(\d{1,3})$")
_LONGEST = {"title": 4 * MAX_TITLE, "text": 4 * MAX_TEXT, "intent_id": 1_550, "placement": 20}
# Before the key of an element that somebody picked on the page, where an intent's id stands otherwise.
PICKED = "@"


@dataclass(slots=True)
class StepDraft:
    """One step's fields. A removed step stays on the page until it is saved, so that it can be taken back.

    ``intent_id`` is what the step points at, as the list of choices names it: see ``choice_of``.
    """

    intent_id: str = ""
    title: str = ""
    text: str = ""
    placement: str = PLACEMENTS[0]
    order: int = 0
    removed: bool = False
    errors: dict[str, str] = field(default_factory=dict)

    def values(self) -> dict[str, str]:
        """Return what stands in the fields."""
        return {name: getattr(self, name) for name in FIELDS}

    def content(self) -> dict[str, str]:
        """Return what the service reads."""
        if not self.intent_id.startswith(PICKED):
            return self.values()
        return {**self.values(), "picked": self.intent_id, "selector": self.intent_id.removeprefix(PICKED)}


@dataclass(slots=True)
class TourDraft:
    """A title and steps as typed, the digest they were opened on, and what is wrong with them."""

    title: str
    steps: list[StepDraft]
    seen_digest: str
    opened: tuple[str, list[dict[str, str]]]
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, tour: Tour) -> TourDraft:
        """Return the version under review, ready to be edited."""
        title, steps = _opened(tour)
        drafts = [_step(step, "", index) for index, step in enumerate(steps)]
        return cls(title=title, steps=drafts, seen_digest=tour.digest, opened=(title, steps))

    @classmethod
    def read(cls, data: Mapping[str, str], tour: Tour) -> TourDraft:
        """Return what was typed, in the order asked for."""
        count = min(_number(data.get("steps-count")), 2 * MAX_STEPS)
        steps = [_step(data, f"steps-{index}-", index) for index in range(count)]
        steps.sort(key=lambda step: step.order)
        # A viewer of a read-only page sends no fields: what is decided on is then what the page showed.
        title, opened = _opened(tour)
        if "title" not in data:
            draft = cls.of(tour)
            draft.seen_digest = data.get("seen_digest", "")
            return draft
        typed = data["title"][: _LONGEST["title"]]
        return cls(title=typed, steps=steps, seen_digest=data.get("seen_digest", ""), opened=(title, opened))

    def kept(self) -> list[StepDraft]:
        """Return the steps that are not removed, in order."""
        return [step for step in self.steps if not step.removed]

    def contents(self) -> list[dict[str, str]]:
        """Return what the service reads."""
        return [step.content() for step in self.kept()]

    def differs(self) -> bool:
        return (_plain(self.title), [_plain_step(step.values()) for step in self.kept()]) != (
            _plain(self.opened[0]),
            [_plain_step(step) for step in self.opened[1]],
        )

    def rearrange(self, button: str) -> bool:
        if button == "add":
            if len(self.steps) < 2 * MAX_STEPS:
                self.steps.append(StepDraft())
            self._number()
            return True
        move = _MOVE.match(button)
        if move is None:
            return False
        index = int(move[2])
        other = index - 1 if move[1] == "up" else index + 1
        if 0 <= index < len(self.steps) and 0 <= other < len(self.steps):
            self.steps[index], self.steps[other] = self.steps[other], self.steps[index]
        self._number()
        return True

    def show(self, error: ServiceError) -> bool:
        kept = self.kept()
        placed = False
        for name, text in error.fields.items():
            step_error = _STEP_ERROR.match(name)
            if step_error and int(step_error[1]) < len(kept):
                kept[int(step_error[1])].errors[step_error[2]] = text
                placed = True
            elif name in ("title", "steps"):
                self.errors[name] = text
                placed = True
        return placed

    def _number(self) -> None:
        for index, step in enumerate(self.steps):
            step.order = index + 1


def _opened(tour: Tour) -> tuple[str, list[dict[str, str]]]:
    version = tour.current_version
    if version is None:
        return tour.title, []
    return version.title, [
        {**{name: step.get(name, "") for name in FIELDS}, "intent_id": choice_of(step)} for step in version.steps
    ]


def choice_of(step: Step) -> str:
    """Return how the list of choices names what a stored step points at."""
    return PICKED + picked_key(step) if step["picked"] else step["intent_id"]


def _step(data: Mapping[str, str], prefix: str, index: int) -> StepDraft:
    values: dict[str, Any] = {name: data.get(prefix + name, "")[: _LONGEST[name]] for name in FIELDS}
    return StepDraft(**values, order=_number(data.get(prefix + "order"), index + 1), removed=prefix + "remove" in data)


def _number(text: str | None, default: int = 0) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 5 else default


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _plain_step(step: Mapping[str, str]) -> dict[str, str]:
    return {name: _plain(value) for name, value in step.items()}
