"""What end users asked."""

from __future__ import annotations

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from organizations.admin_base import TenantModelAdmin, badge, moment
from tours.models import Question

OUTCOME_TONES = {
    Question.Outcome.WAITING: "quiet",
    Question.Outcome.PUBLISHED: "good",
    Question.Outcome.HISTORY: "info",
    Question.Outcome.GENERATED: "info",
    Question.Outcome.NOTHING: "warn",
    Question.Outcome.UNKNOWN_PAGE: "warn",
    Question.Outcome.FAILED: "bad",
}


def outcome_badge(question: Question) -> SafeString:
    """Return a question's outcome as a small label."""
    outcome = Question.Outcome(question.outcome)
    return badge(OUTCOME_TONES[outcome], outcome.label)


@admin.register(Question)
class QuestionAdmin(TenantModelAdmin):
    list_display = ["text", "outcome_label", "guide", moment("asked_at", _("Asked")), "route", "end_user", "time_taken"]
    list_filter = ["outcome", "page_skill", "locale", "asked_at"]
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
        "fell_back",
        "prompt_tokens",
        "completion_tokens",
        "asked_at",
    ]
    readonly_fields = ["outcome_label", "guide", "time_taken"]

    @admin.display(description=_("Outcome"), ordering="outcome")
    def outcome_label(self, question: Question) -> SafeString:
        return outcome_badge(question)

    @admin.display(description=_("Tour"))
    def guide(self, question: Question) -> SafeString | str:
        if question.tour is None:
            return "–"
        url = reverse("admin:tours_tour_review", args=[question.tour.pk])
        return format_html('<a href="{}">{}</a>', url, question.tour)

    @admin.display(description=_("Time"), ordering="latency_ms")
    def time_taken(self, question: Question) -> str:
        return "–" if question.latency_ms is None else f"{question.latency_ms} ms"
