"""What happened while tours ran."""

from __future__ import annotations

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from organizations.admin_base import TenantModelAdmin, badge, moment
from tours.models import TourEvent

EVENT_TONES = {
    TourEvent.Type.TARGET_MISSING: "bad",
    TourEvent.Type.FALLBACK_USED: "warn",
    TourEvent.Type.HEALED: "warn",
    TourEvent.Type.COMPLETED: "good",
}


@admin.register(TourEvent)
class TourEventAdmin(TenantModelAdmin):
    list_display = [moment("happened_at", _("When")), "type_label", "guide", "step_number", "end_user", "detail"]
    list_filter = ["type", "happened_at"]
    search_fields = ["tour__title", "detail"]
    search_help_text = _("Search in tours and details")
    list_select_related = ["tour", "end_user"]
    ordering = ["-received_at"]
    fields = ["type_label", "guide", "step_number", "end_user", "detail", "happened_at", "received_at"]
    readonly_fields = ["type_label", "guide", "step_number"]

    @admin.display(description=_("Event"), ordering="type")
    def type_label(self, event: TourEvent) -> SafeString:
        kind = TourEvent.Type(event.type)
        return badge(EVENT_TONES.get(kind, "quiet"), kind.label)

    @admin.display(description=_("Tour"), ordering="tour__title")
    def guide(self, event: TourEvent) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse("admin:tours_tour_review", args=[event.tour_id]), event.tour)

    @admin.display(description=_("Step"), ordering="step")
    def step_number(self, event: TourEvent) -> str:
        return "–" if event.step is None else str(event.step + 1)
