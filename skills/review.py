"""How page-skills appear in the inbox and in notifications."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from moderation.registry import Card, Facet, Kind, Mark
from moderation.registry import register as register_kind
from moderation.states import Status
from skills.locators import Strength, strength_of
from skills.models import PageScan, PageSkill

# More pages than anybody looks through in a list of choices.
MOST_PAGES = 200


def describe(skill: PageSkill) -> Card:
    """Return the page and what its users can do there."""
    return Card(
        title=skill.name,
        page=skill.route_pattern,
        lines=[intent["user_goal"] for intent in skill.actions_json["intents"]],
    )


def for_cards(skills: QuerySet[PageSkill]) -> QuerySet[PageSkill]:
    """Complete page-skills with all that ``describe`` shows, the oldest first."""
    return skills.select_related("organization").order_by("submitted_at")


def marks(skills: Sequence[PageSkill]) -> dict[uuid.UUID, list[Mark]]:
    """Return how many actions of each page are found by nothing but their rank among others."""
    found = {}
    for skill in skills:
        fragile = sum(_is_fragile(intent, skill.fingerprints_json) for intent in skill.actions_json["intents"])
        if fragile:
            label = ngettext("one fragile locator", "%(n)d fragile locators", fragile) % {"n": fragile}
            found[skill.pk] = [Mark("warn", label)]
    return found


def _is_fragile(intent: dict[str, str], fingerprints: dict[str, str]) -> bool:
    mark = fingerprints.get(intent["selector"], "")
    return strength_of(intent["selector"], intent["fallback_selector"], mark) == Strength.FRAGILE


def pages() -> list[tuple[str, Any]]:
    """Return the learnt pages of the current scope, by their route pattern."""
    known = PageSkill.objects.filter(status__in=(Status.PUBLISHED, Status.PENDING_REVIEW)).order_by("name")
    return [
        (pattern, f"{name} ({pattern})") for name, pattern in known.values_list("name", "route_pattern")[:MOST_PAGES]
    ]


FACETS = {
    "page": Facet(pages, lambda skills, pattern: skills.filter(route_pattern=pattern)),
    "origin": Facet(lambda: list(PageScan.Source.choices), lambda skills, source: skills.filter(scan__source=source)),
}


def review_url(skill: PageSkill) -> str:
    """Return the path of the page where this skill is reviewed."""
    return reverse("admin:skills_pageskill_review", args=[skill.pk])


def register() -> None:
    """Add the kind at start-up."""
    register_kind(
        Kind(
            name="page_skill",
            model=PageSkill,
            label=_("Learnt page"),
            describe=describe,
            review_url=review_url,
            for_cards=for_cards,
            facets=FACETS,
            marks=marks,
        )
    )
