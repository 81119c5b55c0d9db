"""The journal of decisions, in the administration; the channels have a module of their own."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from moderation.admin_channels import NotificationAdmin, SlackLinkAdmin, WebhookEndpointAdmin
from moderation.models import Decision
from moderation.registry import kinds
from organizations.admin_base import TenantModelAdmin, badge, moment
from organizations.models import User

__all__ = ["DecisionAdmin", "NotificationAdmin", "SlackLinkAdmin", "WebhookEndpointAdmin"]


class MemberFilter(admin.SimpleListFilter):
    """Members who share an organization with the viewer; Django's filter on the foreign key would name everybody."""

    title = _("who")
    parameter_name = "actor"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        own = model_admin.get_queryset(request).exclude(actor=None).order_by().values("actor").distinct()
        return [(str(user.pk), str(user)) for user in User.objects.filter(pk__in=own).order_by("last_name", "email")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002
        value = self.value()
        return queryset.filter(actor=value) if value and value.isdecimal() else queryset


class KindFilter(admin.SimpleListFilter):
    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002
        return [(kind.name, kind.label) for kind in kinds()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002
        return queryset.filter(kind=self.value()) if self.value() else queryset


@admin.register(Decision)
class DecisionAdmin(TenantModelAdmin):
    list_title = _("Journal")
    list_display = [
        moment("created_at", _("When")),
        "verb_label",
        "subject",
        "kind_label",
        "version",
        "who",
        "reason_short",
    ]
    list_display_links = None
    list_filter = ["verb", KindFilter, MemberFilter, "created_at"]
    search_fields = ["subject_title", "reason"]
    list_select_related = ["actor"]
    fields = [
        "verb",
        "kind",
        "subject_title",
        "version",
        "from_status",
        "to_status",
        "reason",
        "channel",
        "actor",
        "created_at",
        "digest",
    ]

    @admin.display(description=_("Decision"), ordering="verb")
    def verb_label(self, decision: Decision) -> SafeString:
        return badge(decision.to_status, decision.get_verb_display())

    @admin.display(description=_("What"))
    def subject(self, decision: Decision) -> SafeString:
        kind = next((kind for kind in kinds() if kind.name == decision.kind), None)
        if kind is None:
            return format_html("{}", decision.subject_title)
        url = kind.review_url(kind.model(id=decision.subject_id))
        return format_html('<a href="{}">{}</a>', url, decision.subject_title)

    @admin.display(description=_("Kind"), ordering="kind")
    def kind_label(self, decision: Decision) -> Any:
        return next((kind.label for kind in kinds() if kind.name == decision.kind), decision.kind)

    @admin.display(description=_("Who"), ordering="actor")
    def who(self, decision: Decision) -> str:
        return str(decision.actor) if decision.actor else str(decision.get_channel_display())

    @admin.display(description=_("Reason"))
    def reason_short(self, decision: Decision) -> str:
        return decision.reason or "–"
