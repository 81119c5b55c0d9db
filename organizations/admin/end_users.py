"""The people who ask questions in the host application."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from organizations.admin_base import TenantModelAdmin, badge, moment
from organizations.models import EndUser


class VerifiedFilter(admin.SimpleListFilter):
    """Whether the host application vouched for the person."""

    title = _("identity")
    parameter_name = "verified"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002
        return [("yes", _("Identified")), ("no", _("Anonymous"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[EndUser]) -> QuerySet[EndUser]:  # noqa: ARG002
        if self.value() in ("yes", "no"):
            return queryset.filter(external_id__isnull=self.value() == "no")
        return queryset


@admin.register(EndUser)
class EndUserAdmin(TenantModelAdmin):
    list_display = ["who", "identity", "questions_count", moment("first_seen_at", _("First seen"))]
    list_filter = [VerifiedFilter, "first_seen_at"]
    search_fields = ["external_id"]
    search_help_text = _("Search by the id in your application")
    ordering = ["-id"]
    fields = ["external_id", "visitor_id", "first_seen_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        queryset: QuerySet[Any] = super().get_queryset(request).annotate(asked=Count("questions"))
        return queryset

    @admin.display(description=_("End user"))
    def who(self, end_user: EndUser) -> str:
        return str(end_user)

    @admin.display(description=_("Identity"))
    def identity(self, end_user: EndUser) -> SafeString:
        return badge("good", _("Identified")) if end_user.verified else badge("quiet", _("Anonymous"))

    @admin.display(description=_("Questions"), ordering="asked")
    def questions_count(self, end_user: Any) -> int:
        return int(end_user.asked)
