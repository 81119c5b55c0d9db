"""How page-skills appear in the inbox and in notifications."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from moderation.registry import Card, Kind
from moderation.registry import register as register_kind
from skills.models import PageSkill


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
        )
    )
