"""What a version of a page changes for those who get it, against the one that is live."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from skills.models import PageSkill
from skills.signals import replacement_weighed


@dataclass(frozen=True, slots=True)
class Change:
    """One action that is not what it was. ``before`` and ``after`` are selectors of one that moved, goals of one that
    was reworded, empty for others."""

    goal: str
    before: str = ""
    after: str = ""

    @property
    def is_reworded(self) -> bool:
        return self.after == self.goal


@dataclass(frozen=True, slots=True)
class Broken:
    """Something that works today and would not any more: what, where to look at it, and what it would miss."""

    title: str
    url: str
    missing: list[str]


@dataclass(frozen=True, slots=True)
class Changes:
    """The differences between two versions, each list in the order of the page.

    ``gone`` is what the page no longer has, ``removed`` what it has and a reviewer took away. ``moved`` is found by
    other selectors than before, ``reworded`` has another goal.
    """

    new: list[Change] = field(default_factory=list)
    gone: list[Change] = field(default_factory=list)
    removed: list[Change] = field(default_factory=list)
    moved: list[Change] = field(default_factory=list)
    reworded: list[Change] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)

    @property
    def are_none(self) -> bool:
        return not (self.new or self.gone or self.removed or self.moved or self.reworded)


def changes_between(live: PageSkill, skill: PageSkill) -> Changes:
    """Return what an approval of ``skill`` would change for users who get ``live`` now."""
    before = {row["intent_id"]: row for row in live.actions_json["intents"]}
    after = {row["intent_id"]: row for row in skill.actions_json["intents"]}
    lost = [row for intent_id, row in before.items() if intent_id not in after]
    both = [(before[intent_id], row) for intent_id, row in after.items() if intent_id in before]
    answers: Any = replacement_weighed.send(sender=PageSkill, skill=skill, replaced=live)
    return Changes(
        new=[Change(row["user_goal"]) for intent_id, row in after.items() if intent_id not in before],
        gone=[Change(row["user_goal"]) for row in lost if row["intent_id"] not in skill.elements_json],
        removed=[Change(row["user_goal"]) for row in lost if row["intent_id"] in skill.elements_json],
        moved=[
            Change(row["user_goal"], was["selector"], row["selector"])
            for was, row in both
            if was["selector"] != row["selector"]
        ],
        reworded=[
            Change(row["user_goal"], was["user_goal"], row["user_goal"])
            for was, row in both
            if was["user_goal"] != row["user_goal"]
        ],
        broken=[broken for _receiver, found in answers for broken in found],
    )
