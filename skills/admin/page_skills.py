"""The list of learnt pages; each leads to its review."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from moderation.admin_review import ReviewChangeList
from organizations.admin_base import TenantModelAdmin, badge, moment
from skills.admin.review import PageSkillReview
from skills.models import PageSkill


@admin.register(PageSkill)
class PageSkillAdmin(TenantModelAdmin):
    list_display = [
        "name",
        "status_label",
        "route",
        "actions_count",
        "tours_count",
        "version",
        moment("updated_at", _("Changed")),
    ]
    list_filter = ["status", "locale"]
    search_fields = ["name", "route_pattern", "summary"]
    search_help_text = _("Search in names, addresses and summaries")
    ordering = ["-updated_at"]
    change_list_template = "admin/skills/pageskill/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        queryset: QuerySet[Any] = super().get_queryset(request).annotate(tours_made=Count("tours"))
        return queryset

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:  # noqa: ARG002
        return ReviewChangeList

    def get_urls(self) -> list[Any]:
        review = self.admin_site.admin_view(PageSkillReview())
        return [path("<uuid:pk>/review/", review, name="skills_pageskill_review"), *super().get_urls()]

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """A learnt page is looked at where it is reviewed."""
        skill = self.get_object(request, object_id)
        return HttpResponseRedirect(reverse("admin:skills_pageskill_review", args=[skill.pk]))

    @admin.display(description=_("Status"), ordering="status")
    def status_label(self, skill: PageSkill) -> SafeString:
        return badge(skill.status, skill.get_status_display())

    @admin.display(description=_("Address"), ordering="route_pattern")
    def route(self, skill: PageSkill) -> str:
        return skill.route_pattern

    @admin.display(description=_("Actions"))
    def actions_count(self, skill: PageSkill) -> int:
        return len(skill.actions_json["intents"])

    @admin.display(description=_("Tours"), ordering="tours_made")
    def tours_count(self, skill: Any) -> int:
        return int(skill.tours_made)
