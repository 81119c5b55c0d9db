"""What end users asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from organizations.admin_base import TenantModelAdmin, badge, moment, organizations_where
from organizations.models import Role
from tours.models import Question, ReferenceQuestion

OUTCOME_TONES = {
    Question.Outcome.WAITING: "quiet",
    Question.Outcome.PUBLISHED: "good",
    Question.Outcome.HISTORY: "info",
    Question.Outcome.GENERATED: "info",
    Question.Outcome.NOTHING: "warn",
    Question.Outcome.UNKNOWN_PAGE: "warn",
    Question.Outcome.FAILED: "bad",
}


# Why the local engine answered in a model's place.
FELL_BACK = {
    "budget_spent": _("This month's tokens are spent."),
    "provider_paused": _("The server failed several times in a row: it is left alone for a moment."),
    "provider_timeout": _("The server took too long."),
    "provider_unavailable": _("The server was out of reach, or out of order."),
    "provider_rate_limited": _("The server asked to wait: too many calls."),
    "provider_denied": _("The server refused the key."),
    "provider_refused": _("The model declined to answer."),
    "provider_truncated": _("The answer was cut."),
    "provider_invalid": _("The answer could not be used, even repaired."),
}


class WhyLocal(admin.SimpleListFilter):
    """Questions that a model should have answered, by what kept it from it."""

    title = _("why the local engine answered")
    parameter_name = "fell_back"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002
        return list(FELL_BACK.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Question]) -> QuerySet[Question]:  # noqa: ARG002
        return queryset.filter(fell_back=self.value()) if self.value() in FELL_BACK else queryset


def outcome_badge(question: Question) -> SafeString:
    """Return a question's outcome as a small label."""
    outcome = Question.Outcome(question.outcome)
    return badge(OUTCOME_TONES[outcome], outcome.label)


def keep_column(request: HttpRequest) -> Callable[[Any], SafeString | str]:
    """Return a column that offers to keep a question without an answer as a reference, to those who may."""
    own = {organization.pk for organization in organizations_where(request, Role.REVIEWER)}
    filters = request.GET.urlencode()

    @admin.display(description=_("Reference"))
    def reference(question: Any) -> SafeString | str:
        if question.is_reference:
            return badge("good", _("kept"))
        unanswered = question.outcome in (Question.Outcome.NOTHING, Question.Outcome.FAILED)
        if not unanswered or question.page_skill_id is None or question.organization_id not in own:
            return "–"
        # The list stands in a form, which has the token that a button's own address needs.
        return format_html(
            '<button type="submit" class="button button-small" formaction="{}?{}">{}</button>',
            reverse("admin:evaluation_absent", args=[question.pk]),
            filters,
            _("Nothing here answers it"),
        )

    return reference


@admin.register(Question)
class QuestionAdmin(TenantModelAdmin):
    list_display = ["text", "outcome_label", "guide", moment("asked_at", _("Asked")), "route", "end_user", "time_taken"]
    list_filter = ["outcome", WhyLocal, "page_skill", "locale", "asked_at"]
    search_fields = ["text", "route", "tour__title"]
    search_help_text = _("Search in questions, pages and tours")
    list_select_related = ["tour", "end_user"]
    fields = [
        "text",
        "outcome_label",
        "guide",
        "route",
        "page_title",
        "end_user",
        "locale",
        "time_taken",
        "provider",
        "model",
        "why_local",
        "prompt_tokens",
        "completion_tokens",
        "cost",
        "asked_at",
    ]
    readonly_fields = ["outcome_label", "guide", "time_taken", "why_local"]

    def get_list_display(self, request: HttpRequest) -> Any:
        columns = list(super().get_list_display(request))
        if organizations_where(request, Role.REVIEWER):
            columns.insert(columns.index("guide") + 1, keep_column(request))
        return columns

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        kept = ReferenceQuestion.objects.filter(
            organization=OuterRef("organization"),
            route_pattern=OuterRef("page_skill__route_pattern"),
            locale=OuterRef("locale"),
            normalized=OuterRef("normalized"),
        )
        queryset: QuerySet[Any] = super().get_queryset(request).annotate(is_reference=Exists(kept))
        return queryset

    @admin.display(description=_("Outcome"), ordering="outcome")
    def outcome_label(self, question: Question) -> SafeString:
        return outcome_badge(question)

    @admin.display(description=_("Tour"))
    def guide(self, question: Question) -> SafeString | str:
        if question.tour is None:
            return "–"
        url = reverse("admin:tours_tour_review", args=[question.tour.pk])
        return format_html('<a href="{}">{}</a>', url, question.tour)

    @admin.display(description=_("why the local engine answered"))
    def why_local(self, question: Question) -> str:
        return str(FELL_BACK.get(question.fell_back, question.fell_back or "–"))

    @admin.display(description=_("Time"), ordering="latency_ms")
    def time_taken(self, question: Question) -> str:
        return "–" if question.latency_ms is None else f"{question.latency_ms} ms"
