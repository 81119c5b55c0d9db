"""The list of tours; each leads to its review."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from moderation.admin_review import ReviewChangeList
from organizations.admin_base import TenantModelAdmin, badge, moment
from tours.admin.preview import preview_view
from tours.admin.review import TourReview
from tours.models import LIVE_STATUSES, Tour, TourEvent


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


@admin.register(Tour)
class TourAdmin(TenantModelAdmin):
    list_display = [
        "title",
        "status_label",
        "page",
        "asked_count",
        "completed",
        "version",
        moment("submitted_at", _("Submitted")),
    ]
    list_filter = ["status", LiveFilter, "page_skill", "locale"]
    search_fields = ["title", "questions__text", "page_skill__name"]
    search_help_text = _("Search in titles, questions and pages")
    list_select_related = ["page_skill"]
    ordering = ["-submitted_at", "-id"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        done = Count("events", filter=Q(events__type=TourEvent.Type.COMPLETED), distinct=True)
        begun = Count("events", filter=Q(events__type=TourEvent.Type.STARTED), distinct=True)
        queryset: QuerySet[Any] = super().get_queryset(request).annotate(done=done, begun=begun)
        return queryset

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:  # noqa: ARG002
        return ReviewChangeList

    def get_urls(self) -> list[Any]:
        review = self.admin_site.admin_view(TourReview())
        preview = self.admin_site.admin_view(preview_view)
        return [
            path("<uuid:pk>/review/", review, name="tours_tour_review"),
            path("<uuid:pk>/preview/", preview, name="tours_tour_preview"),
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
        return tour.page_skill.name

    @admin.display(description=_("Completed"))
    def completed(self, tour: Any) -> str:
        return f"{tour.done} / {tour.begun}" if tour.begun else "–"
