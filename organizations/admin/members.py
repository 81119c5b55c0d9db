"""Members: who they are, what they may do, and how a new one gets in."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from organizations.admin.forms import MemberAddForm, MemberRoleForm
from organizations.admin_base import TenantModelAdmin, badge, moment, organizations_where, page, require, signed_in
from organizations.errors import ServiceError
from organizations.models import Membership, Role, User
from organizations.services import invitation_is_open, member_add, member_remove, member_set_role

ROLES_EXPLAINED = [
    (Role.OWNER, _("everything, and names other owners")),
    (Role.ADMIN, _("settings, keys and members, and all that reviewers do")),
    (Role.REVIEWER, _("approves or refuses pages and guides")),
    (Role.AUTHOR, _("teaches pages and edits guides, which others approve")),
    (Role.VIEWER, _("looks, and changes nothing")),
]


def invitation_url(user: User) -> str:
    """Return the address where a new person chooses a password: good once, for the days Django gives it."""
    parts = [urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)]
    return settings.PUBLIC_URL.rstrip("/") + reverse("admin:invitation", args=parts)


@admin.register(Membership)
class MembershipAdmin(TenantModelAdmin):
    view_role = add_role = change_role = Role.ADMIN
    add_label = _("Add a member")
    list_display = ["person", "email", "role_label", moment("user__last_login", _("Last sign-in"), never=_("never"))]
    list_filter = ["role"]
    search_fields = ["user__email", "user__first_name", "user__last_name"]
    list_select_related = ["user"]
    ordering = ["user__last_name", "user__email"]

    @admin.display(description=_("Member"), ordering="user__last_name")
    def person(self, membership: Membership) -> str:
        return str(membership.user)

    @admin.display(description=_("E-mail address"), ordering="user__email")
    def email(self, membership: Membership) -> str:
        return membership.user.email

    @admin.display(description=_("Role"), ordering="role")
    def role_label(self, membership: Membership) -> SafeString:
        return badge("info", membership.get_role_display())

    def get_urls(self) -> list[Any]:
        remove = self.admin_site.admin_view(require_POST(self.remove_view))
        return [path("<uuid:pk>/remove/", remove, name="organizations_membership_remove"), *super().get_urls()]

    def add_view(self, request: HttpRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Add a person; somebody new gets an address where to choose a password."""
        require(request, Role.ADMIN)
        form = MemberAddForm(request.POST or None, organizations=organizations_where(request, Role.ADMIN))
        if request.method == "POST" and form.is_valid():
            try:
                membership = member_add(
                    organization=form.chosen_organization(),
                    actor=signed_in(request),
                    email=form.cleaned_data["email"],
                    role=Role(form.cleaned_data["role"]),
                    first_name=form.cleaned_data["first_name"],
                    last_name=form.cleaned_data["last_name"],
                )
            except ServiceError as error:
                form.show(error)
            else:
                messages.success(request, gettext("%(who)s is now a member.") % {"who": membership.user})
                return HttpResponseRedirect(_change_url(membership))
        context = {"title": gettext("New member"), "form": form, "opts": self.opts, "roles": ROLES_EXPLAINED}
        return page(request, "admin/organizations/membership/add.html", context, status=422 if form.errors else 200)

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show a member, and save their role."""
        membership = cast(Membership, self.get_object(request, object_id))
        require(request, Role.ADMIN, membership.organization_id)
        form = MemberRoleForm(request.POST or None, initial={"role": membership.role})
        if request.method == "POST" and form.is_valid():
            try:
                member_set_role(membership=membership, actor=signed_in(request), role=Role(form.cleaned_data["role"]))
            except ServiceError as error:
                form.show(error)
            else:
                messages.success(request, gettext("The role was saved."))
                return HttpResponseRedirect(_change_url(membership))
        context = {
            "title": str(membership.user),
            "membership": membership,
            "form": form,
            "roles": ROLES_EXPLAINED,
            "invitation": invitation_url(membership.user) if invitation_is_open(membership) else "",
            "opts": self.opts,
        }
        return page(request, "admin/organizations/membership/change.html", context, status=422 if form.errors else 200)

    def remove_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Take a person out of the organization."""
        membership = cast(Membership, self.get_object(request, str(pk)))
        require(request, Role.ADMIN, membership.organization_id)
        try:
            member_remove(membership=membership, actor=signed_in(request))
        except ServiceError as error:
            messages.error(request, error.detail)
            return HttpResponseRedirect(_change_url(membership))
        messages.success(request, gettext("%(who)s is no longer a member.") % {"who": membership.user})
        # Whoever took themselves out may have nothing left to see in the list.
        left = membership.user_id == signed_in(request).pk
        return HttpResponseRedirect(reverse("admin:index" if left else "admin:organizations_membership_changelist"))


def _change_url(membership: Membership) -> str:
    return reverse("admin:organizations_membership_change", args=[membership.pk])
