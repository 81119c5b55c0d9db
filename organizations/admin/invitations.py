"""Invitations and the journal of members: who was asked by whom, sending again, withdrawing, and what was done."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from organizations.admin_base import TenantModelAdmin, badge, moment, page, require, signed_in
from organizations.errors import ServiceError
from organizations.invitations import invitation_renew, invitation_revoke
from organizations.models import Invitation, MemberEvent, Role
from organizations.signin.mail import invitation_send, mail_is_set


def say_whether_sent(request: HttpRequest, invitation: Invitation, *, sent: bool) -> None:
    """Tell the member whether the e-mail of an invitation left."""
    if not sent:
        words = gettext("The e-mail to %(email)s could not be sent. Send the invitation again in a moment.")
        messages.error(request, words % {"email": invitation.email})
    elif mail_is_set():
        messages.success(request, gettext("The invitation was sent to %(email)s.") % {"email": invitation.email})
    else:
        messages.warning(request, gettext("No mail server is set: the invitation is in the log of the server."))


@admin.register(Invitation)
class InvitationAdmin(TenantModelAdmin):
    view_role = change_role = Role.ADMIN
    list_display = [
        "email",
        "role_label",
        "state",
        "invited_by",
        moment("created_at", _("Invited")),
        moment("expires_at", _("Good until")),
    ]
    list_filter = ["role"]
    search_fields = ["email"]
    list_select_related = ["invited_by"]
    ordering = ["accepted_at", "revoked_at", "-created_at"]

    @admin.display(description=_("Role"), ordering="role")
    def role_label(self, invitation: Invitation) -> SafeString:
        return badge("info", invitation.get_role_display())

    @admin.display(description=_("State"))
    def state(self, invitation: Invitation) -> SafeString:
        return badge(*state_of(invitation))

    def get_urls(self) -> list[Any]:
        again = self.admin_site.admin_view(require_POST(self.send_view))
        withdraw = self.admin_site.admin_view(require_POST(self.withdraw_view))
        return [
            path("<uuid:pk>/send/", again, name="organizations_invitation_send"),
            path("<uuid:pk>/withdraw/", withdraw, name="organizations_invitation_withdraw"),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show an invitation, with what can still be done about it."""
        invitation = cast(Invitation, self.get_object(request, object_id))
        tone, label = state_of(invitation)
        context = {
            "title": invitation.email,
            "invitation": invitation,
            "state": badge(tone, label),
            "is_open": invitation.accepted_at is None and invitation.revoked_at is None,
            "opts": self.opts,
        }
        return page(request, "admin/organizations/invitation/change.html", context)

    def send_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Send a new link; the old one no longer works."""
        invitation = cast(Invitation, self.get_object(request, str(pk)))
        require(request, Role.ADMIN, invitation.organization_id)
        try:
            token = invitation_renew(invitation=invitation, actor=signed_in(request))
        except ServiceError as error:
            messages.error(request, error.detail)
        else:
            say_whether_sent(request, invitation, sent=invitation_send(invitation, token))
        return HttpResponseRedirect(_change_url(invitation))

    def withdraw_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Make the link useless."""
        invitation = cast(Invitation, self.get_object(request, str(pk)))
        require(request, Role.ADMIN, invitation.organization_id)
        if invitation_revoke(invitation=invitation, actor=signed_in(request)):
            messages.success(request, gettext("The invitation was withdrawn: its link no longer works."))
        else:
            messages.info(request, gettext("The invitation was over already."))
        return HttpResponseRedirect(_change_url(invitation))


@admin.register(MemberEvent)
class MemberEventAdmin(TenantModelAdmin):
    view_role = Role.ADMIN
    list_title = _("Journal of members")
    list_display = ["kind_label", "email", "role_label", "actor", moment("created_at", _("When"))]
    list_filter = ["kind"]
    search_fields = ["email"]
    list_display_links = None
    list_select_related = ["actor"]

    @admin.display(description=_("What"), ordering="kind")
    def kind_label(self, event: MemberEvent) -> str:
        return event.get_kind_display()

    @admin.display(description=_("Role"), ordering="role")
    def role_label(self, event: MemberEvent) -> str:
        return event.get_role_display() or "–"


def state_of(invitation: Invitation) -> tuple[str, Any]:
    """Return where an invitation stands, as a badge's tone and words."""
    if invitation.accepted_at is not None:
        return "good", _("Accepted")
    if invitation.revoked_at is not None:
        return "quiet", _("Withdrawn")
    if invitation.expires_at <= timezone.now():
        return "warn", _("Too old")
    if invitation.sent_at is None:
        return "bad", _("Not sent")
    return "info", _("Waiting")


def _change_url(invitation: Invitation) -> str:
    return reverse("admin:organizations_invitation_change", args=[invitation.pk])
