"""A page-skill as the engine reads it."""

from __future__ import annotations

from engine.types import ElementContext, Intent, Page
from skills.config import engine_locale
from skills.models import PageSkill


def page_of(skill: PageSkill) -> Page:
    """Return the specification's intents, each with what the scan knew of its element."""
    intents = []
    for intent in skill.actions_json["intents"]:
        known = skill.elements_json.get(intent["intent_id"], {})
        intents.append(
            Intent(
                intent_id=intent["intent_id"],
                user_goal=intent["user_goal"],
                selector=intent["selector"],
                fallback_selector=intent["fallback_selector"],
                action_type=intent["action_type"],
                element=ElementContext.from_json(known.get("element", {})),
                synonyms=tuple(known.get("synonyms", ())),
                fingerprint=skill.fingerprints_json.get(intent["selector"], ""),
            )
        )
    return Page(
        name=skill.name,
        summary=skill.summary,
        route_pattern=skill.route_pattern,
        locale=engine_locale(skill.locale),
        intents=tuple(intents),
    )
