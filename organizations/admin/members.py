"""Members: who they are, what they may do, and how a new one gets in."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from organizations.admin.forms import InvitationForm, MemberRoleForm
from organizations.admin.invitations import say_whether_sent
from organizations.admin_base import TenantModelAdmin, badge, may, moment, organizations_where, page, require, signed_in
from organizations.errors import ServiceError
from organizations.invitations import invitation_create
from organizations.models import Invitation, Membership, Role
from organizations.second_factor import has_second_factor, second_factor_reset, with_second_factor
from organizations.services import member_remove, member_set_role
from organizations.signin.mail import invitation_send, mail_is_set, tell_of_reset

ROLES_EXPLAINED = [
    (Role.OWNER, _("everything, and names other owners")),
    (Role.ADMIN, _("settings, keys and members, and all that reviewers do")),
    (Role.REVIEWER, _("approves or refuses pages and guides")),
    (Role.AUTHOR, _("teaches pages and edits guides, which others approve")),
    (Role.VIEWER, _("looks, and changes nothing")),
]


@admin.register(Membership)
class MembershipAdmin(TenantModelAdmin):
    view_role = add_role = change_role = Role.ADMIN
    add_label = _("Invite somebody")
    change_list_template = "admin/organizations/membership/change_list.html"
    list_display = [
        "person",
        "email",
        "role_label",
        "second_factor",
        moment("user__last_login", _("Last sign-in"), never=_("never")),
    ]
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

    @admin.display(description=_("Second factor"))
    def second_factor(self, membership: Any) -> SafeString:
        return badge("good", _("Yes")) if membership.has_factor else badge("quiet", _("No"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        queryset: QuerySet[Any] = super().get_queryset(request).annotate(has_factor=with_second_factor("user"))
        return queryset

    def get_urls(self) -> list[Any]:
        remove = self.admin_site.admin_view(require_POST(self.remove_view))
        reset = self.admin_site.admin_view(require_POST(self.reset_factor_view))
        return [
            path("<uuid:pk>/remove/", remove, name="organizations_membership_remove"),
            path("<uuid:pk>/reset-factor/", reset, name="organizations_membership_reset_factor"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """List the members, and say how many invitations wait for an answer."""
        own = organizations_where(request, Role.ADMIN)
        waiting = Invitation.objects.filter(organization__in=own, accepted_at=None, revoked_at=None).count()
        return super().changelist_view(request, {**(extra_context or {}), "waiting": waiting})

    def add_view(self, request: HttpRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Invite an address."""
        require(request, Role.ADMIN)
        form = InvitationForm(request.POST or None, organizations=organizations_where(request, Role.ADMIN))
        if request.method == "POST" and form.is_valid():
            try:
                invitation, token = invitation_create(
                    organization=form.chosen_organization(),
                    actor=signed_in(request),
                    email=form.cleaned_data["email"],
                    role=Role(form.cleaned_data["role"]),
                )
            except ServiceError as error:
                form.show(error)
            else:
                say_whether_sent(request, invitation, sent=invitation_send(invitation, token))
                return HttpResponseRedirect(reverse("admin:organizations_invitation_changelist"))
        context = {
            "title": gettext("Invite somebody"),
            "form": form,
            "opts": self.opts,
            "roles": ROLES_EXPLAINED,
            "mail_is_set": mail_is_set(),
        }
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
            "has_factor": has_second_factor(membership.user),
            "may_reset": may(request, Role.OWNER, membership.organization_id)
            and membership.user_id != signed_in(request).pk,
            "opts": self.opts,
        }
        return page(request, "admin/organizations/membership/change.html", context, status=422 if form.errors else 200)

    def reset_factor_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Take the second factors of a member who lost theirs, and tell them."""
        membership = cast(Membership, self.get_object(request, str(pk)))
        require(request, Role.OWNER, membership.organization_id)
        try:
            second_factor_reset(membership=membership, actor=signed_in(request))
        except ServiceError as error:
            messages.error(request, error.detail)
        else:
            tell_of_reset(membership, signed_in(request))
            messages.success(request, gettext("The second factor was reset: their password signs them in."))
        return HttpResponseRedirect(_change_url(membership))

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
