"""How tours appear in the inbox and in notifications."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from moderation.registry import Card, Kind
from moderation.registry import register as register_kind
from tours.models import Tour


def describe(tour: Tour) -> Card:
    """Return the question, the page and the steps of the version under review."""
    question = tour.questions.order_by("id").values_list("text", flat=True).first()
    version = tour.current_version
    steps = version.steps if version else []
    return Card(
        title=tour.title,
        page=f"{tour.page_skill.name} ({tour.page_skill.route_pattern})",
        question=question or "",
        lines=[f"{step['title']} — {step['text']}" for step in steps],
        demand=tour.asked_count,
    )


def review_url(tour: Tour) -> str:
    """Return the path of the page where this tour is reviewed."""
    return reverse("admin:tours_tour_review", args=[tour.pk])


def register() -> None:
    """Add the kind at start-up."""
    register_kind(Kind(name="tour", model=Tour, label=_("Tour"), describe=describe, review_url=review_url))
