"""Application keys: making one, showing its script tag, its origins, and revoking it."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from organizations.admin.forms import KeyAddForm, KeyOriginsForm
from organizations.admin_base import TenantModelAdmin, badge, moment, organizations_where, page, require, signed_in
from organizations.errors import ServiceError
from organizations.keys import sdk_key_create, sdk_key_revoke, sdk_key_set_origins
from organizations.models import Role, SdkKey
from organizations.script_tag import script_tag


@admin.register(SdkKey)
class SdkKeyAdmin(TenantModelAdmin):
    view_role = add_role = change_role = Role.ADMIN
    add_label = _("Create a key")
    list_display = ["name", "kind_label", "begins_with", "origins", moment("last_used_at", _("Last used")), "state"]
    list_filter = ["kind"]
    search_fields = ["name", "prefix"]
    ordering = ["revoked_at", "name"]

    @admin.display(description=_("Kind"), ordering="kind")
    def kind_label(self, key: SdkKey) -> str:
        return key.get_kind_display()

    @admin.display(description=_("Begins with"))
    def begins_with(self, key: SdkKey) -> str:
        return f"{key.prefix}…"

    @admin.display(description=_("Allowed origins"))
    def origins(self, key: SdkKey) -> str:
        return ", ".join(key.allowed_origins) or "–"

    @admin.display(description=_("State"), ordering="revoked_at")
    def state(self, key: SdkKey) -> SafeString:
        return badge("quiet", _("Revoked")) if key.revoked_at else badge("good", _("Active"))

    def get_urls(self) -> list[Any]:
        revoke = self.admin_site.admin_view(require_POST(self.revoke_view))
        return [path("<uuid:pk>/revoke/", revoke, name="organizations_sdkkey_revoke"), *super().get_urls()]

    def add_view(self, request: HttpRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Create a key; the answer to the form is the only page that ever shows a secret key's value."""
        require(request, Role.ADMIN)
        organizations = organizations_where(request, Role.ADMIN)
        form = KeyAddForm(request.POST or None, organizations=organizations)
        if request.method == "POST" and form.is_valid():
            kind = SdkKey.Kind(form.cleaned_data["kind"])
            try:
                key, value = sdk_key_create(
                    organization=form.chosen_organization(),
                    actor=signed_in(request),
                    name=form.cleaned_data["name"],
                    kind=kind,
                    allowed_origins=form.cleaned_data["origins"] if kind == SdkKey.Kind.PUBLISHABLE else [],
                )
            except ServiceError as error:
                _show_at_origins(form, error)
            else:
                if kind == SdkKey.Kind.SECRET:
                    context = {"title": gettext("Your new secret key"), "key": key, "value": value}
                    return page(request, "admin/organizations/sdkkey/created.html", context)
                messages.success(request, gettext("The key was created. Paste its script tag into your application."))
                return HttpResponseRedirect(_change_url(key))
        context = {"title": gettext("New key"), "form": form, "opts": self.opts}
        return page(request, "admin/organizations/sdkkey/add.html", context, status=422 if form.errors else 200)

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show a key, and save its origins."""
        key = cast(SdkKey, self.get_object(request, object_id))
        require(request, Role.ADMIN, key.organization_id)
        form = KeyOriginsForm(request.POST or None, initial={"origins": "\n".join(key.allowed_origins)})
        if request.method == "POST" and form.is_valid():
            try:
                sdk_key_set_origins(key=key, actor=signed_in(request), allowed_origins=form.cleaned_data["origins"])
            except ServiceError as error:
                _show_at_origins(form, error)
            else:
                messages.success(request, gettext("The allowed origins were saved."))
                return HttpResponseRedirect(_change_url(key))
        is_publishable = key.kind == SdkKey.Kind.PUBLISHABLE
        context = {
            "title": key.name,
            "key": key,
            "form": form,
            "is_publishable": is_publishable,
            "script_tag": script_tag(key) if is_publishable else "",
            "opts": self.opts,
        }
        return page(request, "admin/organizations/sdkkey/change.html", context, status=422 if form.errors else 200)

    def revoke_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Make a key useless."""
        key = cast(SdkKey, self.get_object(request, str(pk)))
        require(request, Role.ADMIN, key.organization_id)
        if sdk_key_revoke(key=key, actor=signed_in(request)):
            messages.success(request, gettext("The key was revoked: it no longer works."))
        else:
            messages.info(request, gettext("The key was revoked already."))
        return HttpResponseRedirect(_change_url(key))


def _change_url(key: SdkKey) -> str:
    return reverse("admin:organizations_sdkkey_change", args=[key.pk])


def _show_at_origins(form: Any, error: ServiceError) -> None:
    form.add_error("origins" if error.code == "invalid_origin" else None, error.detail)
