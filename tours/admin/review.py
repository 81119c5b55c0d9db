"""The page on which a tour is reviewed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from moderation.admin_review import ReviewPage
from organizations.admin_base import signed_in
from organizations.models import SdkKey
from organizations.script_tag import origin_for_pages
from skills.selectors import engine_page
from tours.admin.draft import StepDraft, TourDraft
from tours.models import Question, Tour, TourVersion
from tours.services import tour_edit
from tours.steps import MAX_STEPS, MAX_TEXT, MAX_TITLE, PLACEMENTS

QUESTIONS_SHOWN = 8
PLACEMENT_LABELS = dict(
    zip(PLACEMENTS, (_("Below the element"), _("Above it"), _("To its left"), _("To its right")), strict=True)
)


@dataclass(frozen=True, slots=True)
class Target:
    """An element of the learnt page that a step can point at."""

    intent_id: str
    goal: str
    label: str
    selector: str
    fallback_selector: str

    def __str__(self) -> str:
        said = self.label.casefold() in self.goal.casefold()
        return self.goal if said else f"{self.goal} ({self.label})"


@dataclass(frozen=True, slots=True)
class StepCard:
    """A step's fields, with the element they point at; ``target`` is None when it left the page."""

    draft: StepDraft
    target: Target | None


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

    def context(self, request: HttpRequest, subject: Tour, draft: TourDraft) -> dict[str, Any]:  # noqa: ARG002
        targets = [
            Target(
                intent.intent_id,
                intent.user_goal,
                intent.element.label or intent.element.placeholder,
                intent.selector,
                intent.fallback_selector,
            )
            for intent in engine_page(subject.page_skill).intents
        ]
        by_id = {target.intent_id: target for target in targets}
        questions = questions_of(subject)
        return {
            "tour": subject,
            "cards": [StepCard(step, by_id.get(step.intent_id)) for step in draft.steps],
            "blank": StepCard(StepDraft(), None),
            "targets": targets,
            "placements": PLACEMENT_LABELS,
            "questions": questions,
            "askers": Question.objects.filter(tour=subject).aggregate(n=Count("end_user", distinct=True))["n"],
            "page_url": _page_url(subject, questions),
            "versions": TourVersion.objects.filter(tour=subject).select_related("author"),
            "max_steps": MAX_STEPS,
            "max_title": MAX_TITLE,
            "max_text": MAX_TEXT,
        }


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


def _page_url(tour: Tour, questions: list[dict[str, Any]]) -> str:
    """Return where the page can be seen: the last place it was asked on, on an origin of the organization."""
    route = questions[0]["route"] if questions else tour.page_skill.route_pattern
    keys = list(
        SdkKey.objects.filter(
            organization=tour.organization_id, kind=SdkKey.Kind.PUBLISHABLE, revoked_at=None
        ).order_by("created_at")
    )
    origin = origin_for_pages(keys)
    return origin + route if origin and "*" not in route else ""
