"""What stands in the fields of a page-skill's review page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy as _

from engine.types import ACTION_TYPES, ElementContext
from organizations.errors import ServiceError
from skills.models import PageSkill
from skills.payload import MAX_TEXT

# What people call an element of a page, by its role; other roles are shown as they are.
_KINDS = {
    "button": _("button"),
    "checkbox": _("checkbox"),
    "combobox": _("list of choices"),
    "link": _("link"),
    "listbox": _("list of choices"),
    "radio": _("choice"),
    "searchbox": _("search field"),
    "spinbutton": _("field"),
    "switch": _("switch"),
    "tab": _("tab"),
    "textbox": _("field"),
    "input": _("field"),
}
_INTENT_ERROR = re.compile(r"^intents\[(\d+)\]\.(\w+)$")


@dataclass(slots=True)
class IntentDraft:
    """One action: what can be typed (goal, kind), and what the page said about its element."""

    intent_id: str
    user_goal: str
    action_type: str
    selector: str
    fallback_selector: str
    element: ElementContext
    synonyms: tuple[str, ...] = ()
    removed: bool = False
    errors: dict[str, str] = field(default_factory=dict)

    def content(self) -> dict[str, str]:
        """Return the specification's intent."""
        return {
            "intent_id": self.intent_id,
            "user_goal": self.user_goal,
            "selector": self.selector,
            "fallback_selector": self.fallback_selector,
            "action_type": self.action_type,
        }

    @property
    def kind(self) -> Any:
        """Return what people call the element: a field, a button."""
        role = self.element.role or self.element.tag
        return _KINDS.get(role, role)

    @property
    def place(self) -> str:
        """Return the part of the page the element stands in."""
        return self.element.form or self.element.group or self.element.heading


@dataclass(slots=True)
class SkillDraft:
    """A page-skill as typed, the digest it was opened on, and what is wrong with it."""

    name: str
    route_pattern: str
    summary: str
    intents: list[IntentDraft]
    seen_digest: str
    opened: tuple[Any, ...]
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, skill: PageSkill) -> SkillDraft:
        """Return the content as it is, ready to be edited."""
        draft = cls(
            name=skill.name,
            route_pattern=skill.route_pattern,
            summary=skill.summary,
            intents=[_intent(row, skill.elements_json) for row in skill.actions_json["intents"]],
            seen_digest=skill.digest,
            opened=(),
        )
        draft.opened = draft.values()
        return draft

    @classmethod
    def read(cls, data: Mapping[str, str], skill: PageSkill) -> SkillDraft:
        """Return what was typed over the actions that the page-skill holds now."""
        draft = cls.of(skill)
        draft.seen_digest = data.get("seen_digest", "")
        if "name" not in data:
            return draft
        draft.name = data["name"][:255]
        draft.route_pattern = data.get("route_pattern", "")[:600]
        draft.summary = data.get("summary", "")[:4000]
        for intent in draft.intents:
            intent.user_goal = data.get(f"goal.{intent.intent_id}", intent.user_goal)[: 2 * MAX_TEXT]
            intent.action_type = data.get(f"type.{intent.intent_id}", intent.action_type)
            intent.removed = f"remove.{intent.intent_id}" in data
        return draft

    def kept(self) -> list[IntentDraft]:
        """Return the actions that are not removed."""
        return [intent for intent in self.intents if not intent.removed]

    def contents(self) -> list[dict[str, str]]:
        """Return what the service reads."""
        return [intent.content() for intent in self.kept()]

    def values(self) -> tuple[Any, ...]:
        """Return everything that can be typed, to compare."""
        intents = [(intent.intent_id, intent.user_goal.strip(), intent.action_type) for intent in self.kept()]
        summary = self.summary.replace("\r\n", "\n").strip()
        return self.name.strip(), self.route_pattern.strip(), summary, intents

    def differs(self) -> bool:
        return self.values() != self.opened

    def rearrange(self, button: str) -> bool:  # noqa: ARG002
        """Actions keep the page's order: no button moves them."""
        return False

    def show(self, error: ServiceError) -> bool:
        kept = self.kept()
        placed = False
        for name, text in error.fields.items():
            intent_error = _INTENT_ERROR.match(name)
            if intent_error and int(intent_error[1]) < len(kept):
                kept[int(intent_error[1])].errors[intent_error[2]] = text
            elif name == "urlPattern":
                self.errors["route_pattern"] = error.detail
            elif name in ("name", "summary", "intents"):
                self.errors[name] = text
            else:
                continue
            placed = True
        return placed


def _intent(row: Mapping[str, str], elements: Mapping[str, Any]) -> IntentDraft:
    known = elements.get(row["intent_id"], {})
    return IntentDraft(
        intent_id=row["intent_id"],
        user_goal=row["user_goal"],
        action_type=row["action_type"] if row["action_type"] in ACTION_TYPES else ACTION_TYPES[0],
        selector=row["selector"],
        fallback_selector=row["fallback_selector"],
        element=ElementContext.from_json(known.get("element", {})),
        synonyms=tuple(known.get("synonyms", ())),
    )
