"""How tours appear in the inbox and in notifications."""

from __future__ import annotations

from django.db.models import OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from moderation.registry import Card, Kind
from moderation.registry import register as register_kind
from tours.models import Question, Tour


def describe(tour: Tour) -> Card:
    """Return the question, the page and the steps of the version under review."""
    question = first_question_of(tour)
    version = tour.current_version
    steps = version.steps if version else []
    return Card(
        title=tour.title,
        page=f"{tour.page_skill.name} ({tour.page_skill.route_pattern})",
        question=question,
        lines=[f"{step['title']} — {step['text']}" for step in steps],
        demand=tour.asked_count,
    )


def for_cards(tours: QuerySet[Tour]) -> QuerySet[Tour]:
    """Complete tours with all that ``describe`` shows, most demanded first, then the oldest."""
    first = Question.objects.filter(tour=OuterRef("pk")).order_by("id").values("text")[:1]
    return (
        tours.select_related("organization", "page_skill", "current_version")
        .annotate(first_question=Subquery(first))
        .order_by("-asked_count", "submitted_at")
    )


def first_question_of(tour: Tour) -> str:
    """Return the words that a tour was first made for, from the annotation of ``for_cards`` where there is one."""
    if hasattr(tour, "first_question"):
        return tour.first_question or ""
    return tour.questions.order_by("id").values_list("text", flat=True).first() or ""


def review_url(tour: Tour) -> str:
    """Return the path of the page where this tour is reviewed."""
    return reverse("admin:tours_tour_review", args=[tour.pk])


def register() -> None:
    """Add the kind at start-up."""
    register_kind(
        Kind(
            name="tour",
            model=Tour,
            label=_("Tour"),
            describe=describe,
            review_url=review_url,
            for_cards=for_cards,
        )
    )
