"""What is different between two versions of a tour: steps added, removed, moved and changed, down to the words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from skills.selectors import engine_page
from tours.models import Tour, TourVersion
from tours.steps import Step

# Texts that share less of their words have nothing to do with each other: they are shown whole, one after the other.
ALIKE = 0.35
# More than any likeness of words: a step that points at the same element is the same step.
SAME_TARGET = 2.0
_WORD = re.compile(r"\S+\s*|\s+")


class Mark(StrEnum):
    """What became of a run of words."""

    KEPT = "kept"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Words:
    """Words that follow each other and share their fate."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Swap:
    """Something that is now something else."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class StepChange:
    """One step in either version: without ``before`` it was added, without ``after`` removed. Numbers start at 1.

    ``target`` holds the names of what it points at when that is another element, ``found_by`` the selectors when the
    same one is found otherwise. ``moved``: its place among the steps that stayed is another.
    """

    before: int | None
    after: int | None
    title: list[Words]
    text: list[Words]
    target: Swap | None = None
    found_by: Swap | None = None
    placement: Swap | None = None
    moved: bool = False

    @property
    def kind(self) -> str:
        """Return ``added``, ``removed``, ``changed``, ``moved`` (and nothing else) or ``same``."""
        if self.before is None:
            return "added"
        if self.after is None:
            return "removed"
        if self.target or self.found_by or self.placement or _differ(self.title) or _differ(self.text):
            return "changed"
        return "moved" if self.moved else "same"


@dataclass(frozen=True, slots=True)
class VersionChanges:
    """All that is different between two versions; the steps in the order of the later one, the removed in between."""

    title: list[Words]
    steps: list[StepChange]

    @property
    def retitled(self) -> bool:
        return _differ(self.title)

    @property
    def are_none(self) -> bool:
        return not self.retitled and all(step.kind == "same" for step in self.steps)


def versions_compare(before: TourVersion, after: TourVersion, name_of: Callable[[Step], str]) -> VersionChanges:
    """Return what ``after`` changes; ``name_of`` says in words what a step points at."""
    pairs = _paired(before.steps, after.steps)
    moved = _moved(pairs)
    became = dict(pairs)
    came_from = {new: old for old, new in pairs}
    steps: list[StepChange] = []
    told = 0
    for new, step in enumerate(after.steps):
        old = came_from.get(new)
        if old is None:
            steps.append(StepChange(None, new + 1, _all(Mark.ADDED, step["title"]), _all(Mark.ADDED, step["text"])))
            continue
        steps.extend(_removed(before.steps, became, told, old))
        told = max(told, old + 1)
        steps.append(_change(before.steps[old], step, old, new, name_of, moved=old in moved))
    steps.extend(_removed(before.steps, became, told, len(before.steps)))
    return VersionChanges(words_compare(before.title, after.title), steps)


def changes_to_live(tour: Tour) -> VersionChanges | None:
    """Return what an approval would change for everybody; None when nothing else is live."""
    live, now = tour.published_version, tour.current_version
    if live is None or now is None or live.pk == now.pk:
        return None
    return versions_compare(live, now, target_names(tour))


def target_names(tour: Tour) -> Callable[[Step], str]:
    """Return what says in words what a step points at, as the page is known now."""
    intents = engine_page(tour.page_skill).intents if tour.page_skill is not None else ()
    goals = {intent.intent_id: intent.user_goal for intent in intents}
    return lambda step: step["picked"] or goals.get(step["intent_id"], step["intent_id"])


def words_compare(before: str, after: str) -> list[Words]:
    """Return one text as the words that stayed, went and came."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    matcher = SequenceMatcher(None, [word.strip() for word in old], [word.strip() for word in new], autojunk=False)
    if matcher.ratio() < ALIKE:
        return [*_all(Mark.REMOVED, before), *_all(Mark.ADDED, after)]
    found: list[Words] = []
    for what, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if what == "equal":
            found += _all(Mark.KEPT, "".join(new[new_from:new_to]))
            continue
        found += _all(Mark.REMOVED, "".join(old[old_from:old_to]))
        found += _all(Mark.ADDED, "".join(new[new_from:new_to]))
    return found


def _change(
    old_step: Step, new_step: Step, old: int, new: int, name_of: Callable[[Step], str], *, moved: bool
) -> StepChange:
    same_target = _target(old_step) == _target(new_step)
    old_way, new_way = (f"{step['selector']} {step['fallback_selector']}".strip() for step in (old_step, new_step))
    return StepChange(
        before=old + 1,
        after=new + 1,
        title=words_compare(old_step["title"], new_step["title"]),
        text=words_compare(old_step["text"], new_step["text"]),
        target=None if same_target else Swap(name_of(old_step), name_of(new_step)),
        found_by=Swap(old_way, new_way) if same_target and old_way != new_way else None,
        placement=(
            None
            if old_step["placement"] == new_step["placement"]
            else Swap(old_step["placement"], new_step["placement"])
        ),
        moved=moved,
    )


def _removed(steps: Sequence[Step], became: dict[int, int], start: int, end: int) -> Iterator[StepChange]:
    for index in range(start, end):
        if index not in became:
            step = steps[index]
            title, text = _all(Mark.REMOVED, step["title"]), _all(Mark.REMOVED, step["text"])
            yield StepChange(index + 1, None, title, text)


def _paired(before: Sequence[Step], after: Sequence[Step]) -> list[tuple[int, int]]:
    """Return which step became which, the likeliest pairs first taken."""
    scored = sorted(
        ((_likeness(old, new), -abs(i - j), i, j) for i, old in enumerate(before) for j, new in enumerate(after)),
        reverse=True,
    )
    pairs: dict[int, int] = {}
    for likeness, _nearness, i, j in scored:
        if likeness >= ALIKE and i not in pairs and j not in pairs.values():
            pairs[i] = j
    return list(pairs.items())


def _likeness(old: Step, new: Step) -> float:
    said = [f"{step['title']} {step['text']}".split() for step in (old, new)]
    words = SequenceMatcher(None, said[0], said[1], autojunk=False).ratio()
    return words + (SAME_TARGET if _target(old) == _target(new) else 0.0)


def _target(step: Step) -> str:
    return f"@{step['selector']}" if step["picked"] else step["intent_id"]


def _moved(pairs: Sequence[tuple[int, int]]) -> set[int]:
    """Return the old places of the fewest steps that have to move to make the new order of the old one."""
    order = [old for old, _new in sorted(pairs, key=lambda pair: pair[1])]
    in_order: list[list[int]] = [[]]
    for old in order:
        before = [run for run in in_order if not run or run[-1] < old]
        longest: list[int] = max(before, key=len)
        in_order.append([*longest, old])
    stay: list[int] = max(in_order, key=len)
    return set(order) - set(stay)


def _all(mark: Mark, text: str) -> list[Words]:
    """Return a text as one run; the space after words that came or went is no part of what is marked."""
    if mark == Mark.KEPT or not text.strip():
        return [Words(Mark.KEPT, text)] if text else []
    said = text.rstrip()
    return [Words(mark, said), *([Words(Mark.KEPT, text[len(said) :])] if said != text else [])]


def _differ(words: Sequence[Words]) -> bool:
    return any(run.mark != Mark.KEPT for run in words)
