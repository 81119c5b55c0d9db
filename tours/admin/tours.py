"""The list of tours; each leads to its review."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from moderation.admin_review import ReviewChangeList
from organizations.admin_base import TenantModelAdmin, badge, moment
from tours.admin.preview import preview_view
from tours.admin.review import TourReview
from tours.admin.versions import versions_view
from tours.insight.health import health_of
from tours.insight.periods import DEFAULT_DAYS, Period
from tours.models import LIVE_STATUSES, Tour


class LiveFilter(admin.SimpleListFilter):
    """Whether everybody gets it now, whatever waits for a review beside it."""

    title = _("live")
    parameter_name = "live"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002
        return [("yes", _("Live")), ("no", _("Not live"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Tour]) -> QuerySet[Tour]:  # noqa: ARG002
        live = Q(status__in=LIVE_STATUSES, published_version__isnull=False)
        if self.value() == "yes":
            return queryset.filter(live)
        return queryset.exclude(live) if self.value() == "no" else queryset


class HealthChangeList(ReviewChangeList):
    """The list, with how the tours of the page that is shown do: two queries, however many they are."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows = list(self.result_list)
        health = health_of(rows, Period.of(DEFAULT_DAYS).since)
        for tour in rows:
            tour.health = health[tour.pk]
        self.result_list = rows


@admin.register(Tour)
class TourAdmin(TenantModelAdmin):
    list_display = [
        "title",
        "status_label",
        "page",
        "asked_count",
        "completed",
        "health_label",
        "version",
        moment("submitted_at", _("Submitted")),
    ]
    list_filter = ["status", LiveFilter, "page_skill", "origin", "locale"]
    search_fields = ["title", "questions__text", "page_skill__name"]
    search_help_text = _("Search in titles, questions and pages")
    list_select_related = ["page_skill", "published_version", "current_version"]
    ordering = ["-submitted_at", "-id"]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:  # noqa: ARG002
        return HealthChangeList

    def get_urls(self) -> list[Any]:
        review = self.admin_site.admin_view(TourReview())
        preview = self.admin_site.admin_view(preview_view)
        versions = self.admin_site.admin_view(versions_view)
        return [
            path("<uuid:pk>/review/", review, name="tours_tour_review"),
            path("<uuid:pk>/preview/", preview, name="tours_tour_preview"),
            path("<uuid:pk>/versions/", versions, name="tours_tour_versions"),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """A tour is looked at where it is reviewed."""
        tour = self.get_object(request, object_id)
        return HttpResponseRedirect(reverse("admin:tours_tour_review", args=[tour.pk]))

    @admin.display(description=_("Status"), ordering="status")
    def status_label(self, tour: Tour) -> SafeString:
        return badge(tour.status, tour.get_status_display())

    @admin.display(description=_("Page"), ordering="page_skill__name")
    def page(self, tour: Tour) -> str:
        return tour.place

    @admin.display(description=_("Completed"))
    def completed(self, tour: Any) -> str:
        return f"{tour.health.completed} / {tour.health.began}" if tour.health.began else "–"

    @admin.display(description=_("Health, 30 days"))
    def health_label(self, tour: Any) -> SafeString | str:
        if not tour.health.people:
            return "–"
        url = reverse("admin:insight_tour", args=[tour.pk])
        return format_html('<a href="{}">{}</a>', url, badge(tour.health.verdict, tour.health.label))
