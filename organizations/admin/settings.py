"""The organization's own settings."""

from __future__ import annotations

from datetime import date
from typing import Any, cast

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from organizations.admin.forms import OrganizationForm
from organizations.admin.lexicon import lexicon_page
from organizations.admin.masks import masks_page
from organizations.admin.widget import widget_page
from organizations.admin_base import TenantModelAdmin, organizations_where, page, require, signed_in
from organizations.errors import ServiceError
from organizations.lexicon import house_words
from organizations.masks import masks_of
from organizations.models import Organization, Role, TokenUse
from organizations.services import identity_secret_replace, organization_update

FIELDS = (
    "name",
    "locale",
    "llm_provider",
    "llm_base_url",
    "llm_model",
    "llm_prompt_price",
    "llm_completion_price",
    "monthly_token_budget",
    "allow_self_approval",
    "two_approvals",
    "review_remind_days",
    "review_expire_days",
    "require_second_factor",
    "retention_days",
)


@admin.register(Organization)
class OrganizationAdmin(TenantModelAdmin):
    view_role = change_role = Role.ADMIN
    list_display = ["name", "slug", "llm_provider"]

    def organization_id(self, obj: Any) -> Any:
        return None if obj is None else obj.pk

    def get_list_display(self, request: HttpRequest) -> Any:  # noqa: ARG002
        return self.list_display

    def get_list_filter(self, request: HttpRequest) -> Any:  # noqa: ARG002
        return []

    def get_queryset(self, request: HttpRequest) -> QuerySet[Organization]:
        own = [organization.pk for organization in organizations_where(request, self.view_role)]
        return Organization.objects.filter(pk__in=own)

    def get_urls(self) -> list[Any]:
        replace = self.admin_site.admin_view(require_POST(self.replace_secret_view))
        name = "organizations_organization_replace_secret"
        lexicon = self.admin_site.admin_view(self.lexicon_view)
        masks = self.admin_site.admin_view(self.masks_view)
        widget = self.admin_site.admin_view(self.widget_view)
        return [
            path("<uuid:pk>/identity-secret/", replace, name=name),
            path("<uuid:pk>/lexicon/", lexicon, name="organizations_organization_lexicon"),
            path("<uuid:pk>/masks/", masks, name="organizations_organization_masks"),
            path("<uuid:pk>/widget/", widget, name="organizations_organization_widget"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Go straight to the settings of a member's only organization."""
        require(request, Role.ADMIN)
        own = organizations_where(request, Role.ADMIN)
        if len(own) == 1:
            return HttpResponseRedirect(_change_url(own[0]))
        return super().changelist_view(request, extra_context)

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show and save an organization's settings."""
        organization = cast(Organization, self.get_object(request, object_id))
        require(request, Role.ADMIN, organization.pk)
        initial = {field: getattr(organization, field) for field in FIELDS}
        form = OrganizationForm(request.POST or None, initial=initial)
        if request.method == "POST" and form.is_valid():
            try:
                organization_update(organization=organization, actor=signed_in(request), settings=form.settings())
            except ServiceError as error:
                form.show(error)
            else:
                messages.success(request, gettext("The settings were saved."))
                return HttpResponseRedirect(_change_url(organization))
        use = TokenUse.objects.filter(organization=organization, month=_this_month()).first()
        context = {
            "title": gettext("Organization"),
            "organization": organization,
            "form": form,
            "masks": masks_of(organization),
            "own_words": house_words(organization),
            "tokens_used": use.prompt_tokens + use.completion_tokens if use else 0,
            "opts": self.opts,
        }
        template = "admin/organizations/organization/settings.html"
        return page(request, template, context, status=422 if form.errors else 200)

    def masks_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Show, try and save what the organization hides of its own."""
        organization = cast(Organization, self.get_object(request, str(pk)))
        require(request, Role.ADMIN, organization.pk)
        return masks_page(request, organization, self.opts, _change_url(organization))

    def lexicon_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Show and save the words that the organization's people use for what the pages call otherwise."""
        organization = cast(Organization, self.get_object(request, str(pk)))
        require(request, Role.ADMIN, organization.pk)
        return lexicon_page(request, organization, self.opts, _change_url(organization))

    def widget_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Show and save how the widget looks on the organization's pages."""
        organization = cast(Organization, self.get_object(request, str(pk)))
        require(request, Role.ADMIN, organization.pk)
        return widget_page(request, organization, self.opts, _change_url(organization))

    def replace_secret_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Give the organization a new identity secret."""
        organization = cast(Organization, self.get_object(request, str(pk)))
        require(request, Role.ADMIN, organization.pk)
        identity_secret_replace(organization=organization, actor=signed_in(request))
        messages.success(request, gettext("The identity secret was replaced: put the new one on your servers."))
        return HttpResponseRedirect(_change_url(organization))


def _change_url(organization: Organization) -> str:
    return reverse("admin:organizations_organization_change", args=[organization.pk])


def _this_month() -> date:
    return timezone.localdate().replace(day=1)
