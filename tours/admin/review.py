"""The page on which a tour is reviewed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from moderation.admin_review import ReviewPage
from organizations.admin_base import may, signed_in
from organizations.models import Role, SdkKey
from organizations.script_tag import origin_for_pages
from skills.locators import Strength, strength_of
from skills.selectors import engine_page
from tours.admin.draft import StepDraft, TourDraft, choice_of
from tours.evaluation.references import references_offer
from tours.insight.health import health_of
from tours.insight.periods import DEFAULT_DAYS, Period
from tours.models import Question, Tour, TourVersion
from tours.selectors import most_steps, picked_in
from tours.services import tour_edit
from tours.steps import MAX_TEXT, MAX_TITLE, PLACEMENTS, Step
from tours.versions import changes_to_live

QUESTIONS_SHOWN = 8
PLACEMENT_LABELS = dict(
    zip(
        PLACEMENTS,
        (
            gettext_lazy("Below the element"),
            gettext_lazy("Above it"),
            gettext_lazy("To its left"),
            gettext_lazy("To its right"),
        ),
        strict=True,
    )
)


@dataclass(frozen=True, slots=True)
class Target:
    """An element that a step can point at; ``key`` is how ``StepDraft.intent_id`` names it."""

    key: str
    goal: str
    label: str
    selector: str
    fallback_selector: str
    fingerprint: str = ""

    def __str__(self) -> str:
        said = self.label.casefold() in self.goal.casefold()
        return self.goal if said else f"{self.goal} ({self.label})"


@dataclass(frozen=True, slots=True)
class StepCard:
    """A step's fields, with the element they point at; ``target`` is None when it left the page."""

    draft: StepDraft
    target: Target | None

    @property
    def is_fragile(self) -> bool:
        """Whether nothing but its rank among others finds the element."""
        target = self.target
        strength = strength_of(target.selector, target.fallback_selector, target.fingerprint) if target else None
        return strength == Strength.FRAGILE


class TourReview(ReviewPage[Tour, TourDraft]):
    model = Tour
    template = "admin/tours/tour/review.html"
    related = ("page_skill", "current_version__author", "published_version")

    def draft_of(self, subject: Tour) -> TourDraft:
        return TourDraft.of(subject)

    def draft_from(self, request: HttpRequest, subject: Tour) -> TourDraft:
        return TourDraft.read(request.POST, subject)

    def save(self, request: HttpRequest, subject: Tour, draft: TourDraft) -> tuple[Tour, bool]:
        version = tour_edit(
            tour=subject,
            actor=signed_in(request),
            seen_digest=draft.seen_digest,
            title=draft.title,
            steps=draft.contents(),
        )
        return subject, version is not None

    def context(self, request: HttpRequest, subject: Tour, draft: TourDraft) -> dict[str, Any]:
        targets = targets_of(subject)
        by_key = {target.key: target for target in targets}
        questions = questions_of(subject)
        return {
            "tour": subject,
            "cards": [StepCard(step, by_key.get(step.intent_id)) for step in draft.steps],
            "blank": StepCard(StepDraft(), None),
            "targets": targets,
            "placements": PLACEMENT_LABELS,
            "questions": questions,
            "askers": Question.objects.filter(tour=subject).aggregate(n=Count("end_user", distinct=True))["n"],
            "page_url": page_url_of(subject, questions),
            "references": references_offer(subject) if may(request, Role.REVIEWER, subject.organization_id) else None,
            "may_try": subject.current_version is not None and may(request, Role.AUTHOR, subject.organization_id),
            "changes": changes_to_live(subject),
            "health": health_of([subject], Period.of(DEFAULT_DAYS).since)[subject.pk],
            "health_days": DEFAULT_DAYS,
            "versions": TourVersion.objects.filter(tour=subject).select_related("author"),
            "max_steps": most_steps(subject),
            "max_title": MAX_TITLE,
            "max_text": MAX_TEXT,
        }


def targets_of(tour: Tour) -> list[Target]:
    """Return what a step of this tour can point at: the page's actions, and what was picked on the page for it."""
    known = [
        Target(
            intent.intent_id,
            intent.user_goal,
            intent.element.label or intent.element.placeholder,
            intent.selector,
            intent.fallback_selector,
            intent.fingerprint,
        )
        for intent in (engine_page(tour.page_skill).intents if tour.page_skill is not None else ())
    ]
    picked = [
        Target(
            choice_of(step),
            _picked_goal(step),
            step["picked"],
            step["selector"],
            step["fallback_selector"],
            step["fingerprint"],
        )
        for step in picked_in(tour).values()
    ]
    return [*known, *picked]


def _picked_goal(step: Step) -> str:
    route = step.get("route", "")
    if route:
        return _("%(name)s, on %(route)s") % {"name": step["picked"], "route": route}
    return _("%(name)s, picked on the page") % {"name": step["picked"]}


def questions_of(tour: Tour) -> list[dict[str, Any]]:
    """Return the words in which a tour was asked for, most askers first."""
    rows: QuerySet[Any, Any] = (
        Question.objects.filter(tour=tour)
        .order_by()
        .values("text")
        .annotate(askers=Count("end_user", distinct=True), last=Max("asked_at"), route=Max("route"))
        .order_by("-askers", "-last")
    )
    return list(rows[:QUESTIONS_SHOWN])


def page_url_of(tour: Tour, questions: list[dict[str, Any]]) -> str:
    """Return where the page can be seen: the last place it was asked on, on an origin of the organization.

    Empty without an origin, and where all that is known of the place is a pattern, or has something masked in it.
    """
    route = questions[0]["route"] if questions else tour.first_route
    origin = origin_of(tour)
    return origin + route if origin and not {"*", "["} & {*route} else ""


def origin_of(tour: Tour) -> str:
    """Return an origin of the organization's application, or an empty string when no key names one."""
    keys = list(
        SdkKey.objects.filter(
            organization=tour.organization_id, kind=SdkKey.Kind.PUBLISHABLE, revoked_at=None
        ).order_by("created_at")
    )
    return origin_for_pages(keys)
