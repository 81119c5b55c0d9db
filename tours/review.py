"""How tours appear in the inbox and in notifications."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from moderation.registry import Card, Facet, Kind, Mark
from moderation.registry import register as register_kind
from skills.locators import Strength, strength_of
from tours.insight.health import LABELS, events_since, health_of
from tours.insight.periods import DEFAULT_DAYS, Period
from tours.models import Question, Tour
from tours.steps import Step

# Of the tours that people ran lately, the most asked for: enough for any inbox that somebody reads.
MOST_RUN = 500


def describe(tour: Tour) -> Card:
    """Return the question, the page and the steps of the version under review."""
    question = first_question_of(tour)
    return Card(
        title=tour.title,
        page=f"{tour.place} ({tour.first_route})" if tour.page_skill is not None else tour.place,
        question=question,
        lines=[f"{step['title']} — {step['text']}" for step in steps_of(tour)],
        demand=tour.asked_count,
    )


def for_cards(tours: QuerySet[Tour]) -> QuerySet[Tour]:
    """Complete tours with all that ``describe`` shows, most demanded first, then the oldest."""
    first = Question.objects.filter(tour=OuterRef("pk")).order_by("id").values("text")[:1]
    return (
        tours.select_related("organization", "page_skill", "current_version", "published_version")
        .annotate(first_question=Subquery(first))
        .order_by("-asked_count", "submitted_at")
    )


def first_question_of(tour: Tour) -> str:
    """Return the words that a tour was first made for, from the annotation of ``for_cards`` where there is one."""
    if hasattr(tour, "first_question"):
        return tour.first_question or ""
    return tour.questions.order_by("id").values_list("text", flat=True).first() or ""


def marks(tours: Sequence[Tour]) -> dict[uuid.UUID, list[Mark]]:
    """Return which tours rest on fragile locators, change what is live, or do ill with the people who run them."""
    health = health_of(tours, Period.of(DEFAULT_DAYS).since)
    found: dict[uuid.UUID, list[Mark]] = {}
    for tour in tours:
        of_tour = []
        if tour.published_version is not None:
            number = tour.published_version.number
            of_tour.append(Mark("info", str(_("changes version %(n)d, which is live")) % {"n": number}))
        if health[tour.pk].complaint:
            of_tour.append(Mark(health[tour.pk].verdict, str(health[tour.pk].label), health[tour.pk].complaint))
        fragile = [index + 1 for index, step in enumerate(steps_of(tour)) if is_fragile(step)]
        if fragile:
            label = ngettext("fragile locator: step %(steps)s", "fragile locators: steps %(steps)s", len(fragile))
            of_tour.append(Mark("warn", label % {"steps": ", ".join(map(str, fragile))}))
        found[tour.pk] = of_tour
    return found


def steps_of(tour: Tour) -> list[Step]:
    """Return the steps of the version under review."""
    return list(tour.current_version.steps) if tour.current_version else []


def is_fragile(step: Step) -> bool:
    """Whether a step finds its element by nothing but its rank among others."""
    return strength_of(step["selector"], step["fallback_selector"], step["fingerprint"]) == Strength.FRAGILE


def of_page(tours: QuerySet[Tour], pattern: str) -> QuerySet[Tour]:
    """Keep the tours of a page, and those that somebody showed across it."""
    return tours.filter(Q(page_skill__route_pattern=pattern) | Q(routes__contains=[pattern]))


def of_health(tours: QuerySet[Tour], verdict: str) -> QuerySet[Tour]:
    """Keep the tours that do as a verdict of ``TourHealth`` says; ``quiet`` has also those that nobody ran."""
    since = Period.of(DEFAULT_DAYS).since
    run = tours.filter(pk__in=events_since(since).values("tour")).select_related("current_version", "published_version")
    verdicts = {pk: one.verdict for pk, one in health_of(run.order_by("-asked_count")[:MOST_RUN], since).items()}
    if verdict == "quiet":
        return tours.exclude(pk__in=[pk for pk, said in verdicts.items() if said != verdict])
    return tours.filter(pk__in=[pk for pk, said in verdicts.items() if said == verdict])


def _nothing() -> list[tuple[str, Any]]:
    """Pages are offered by the room that learns them."""
    return []


FACETS = {
    "page": Facet(_nothing, of_page),
    "origin": Facet(lambda: list(Tour.Origin.choices), lambda tours, origin: tours.filter(origin=origin)),
    "health": Facet(lambda: list(LABELS.items()), of_health),
}


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
            facets=FACETS,
            marks=marks,
        )
    )
