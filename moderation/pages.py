"""Pages about notifications: where an organization is told, and what one member wants of it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from moderation.links.views import decide_view
from moderation.models import Channels, Notification, SlackLink, WebhookEndpoint
from moderation.notifications.channels import (
    LONGEST_CHANNEL,
    LONGEST_URL,
    ChannelSettings,
    channels_of,
    channels_update,
    member_set_emails,
    slack_disconnect,
)
from moderation.slack.linking import link_request_read, slack_link_create, slack_link_remove
from organizations.admin.forms import ServiceForm, WriteOnlySecret
from organizations.admin_base import memberships, organizations_where, page, require, signed_in
from organizations.errors import ServiceError
from organizations.models import Membership, Organization, Role

SECRETS = ("slack_bot_token", "slack_signing_secret", "teams_url")


def notification_urls(admin_view: Callable[..., Any]) -> list[Any]:
    """Return the addresses of these pages, under the administration's."""
    return [
        path("notifications/", admin_view(channels_index_view), name="channels_index"),
        path("notifications/<uuid:pk>/", admin_view(channels_view), name="channels"),
        path("notifications/<uuid:pk>/slack/", admin_view(require_POST(disconnect_view)), name="slack_disconnect"),
        path("me/notifications/", admin_view(own_view), name="own_notifications"),
        path("slack/link/<str:token>/", admin_view(slack_link_view), name="slack_link"),
        path("decide/<str:token>/", admin_view(decide_view), name="decide"),
    ]


class ChannelsForm(ServiceForm):
    """What was typed; the service judges it."""

    slack_channel = forms.CharField(
        label=_("Slack channel"),
        required=False,
        max_length=LONGEST_CHANNEL,
        help_text=_("Such as #product-guides. Invite the app there if the channel is private."),
    )
    slack_bot_token = WriteOnlySecret(label=_("Slack bot token"))
    slack_bot_token_remove = forms.BooleanField(label=_("Remove the Slack token"), required=False)
    slack_signing_secret = WriteOnlySecret(
        label=_("Signing secret of your Slack app"),
        help_text=_(
            "Only for an app of your own: without it, its buttons and commands are refused. Whoever holds it can "
            "decide in the name of the members who linked their Slack account: only an owner changes it, and everybody "
            "then links again."
        ),
    )
    slack_signing_secret_remove = forms.BooleanField(label=_("Remove the signing secret"), required=False)
    teams_url = WriteOnlySecret(
        max_length=LONGEST_URL,
        label=_("Address of the Teams workflow"),
        help_text=_(
            "In the Teams channel: Workflows, then “Send webhook alerts to a channel”. The address is kept encrypted."
        ),
    )
    teams_url_remove = forms.BooleanField(label=_("Remove the address"), required=False)
    email_on = forms.BooleanField(
        label=_("Send an e-mail to those who review"),
        required=False,
        help_text=_("Each of them can refuse it for themselves."),
    )

    def settings(self) -> ChannelSettings:
        """Return what was typed, for the service."""
        data = dict(self.cleaned_data)
        for secret in SECRETS:
            removed, typed = data.pop(f"{secret}_remove"), data[secret]
            data[secret] = typed or ("" if removed else None)
        return ChannelSettings(**data)


def channels_index_view(request: HttpRequest) -> HttpResponse:
    """Go to the channels of a member's only organization, or ask which."""
    require(request, Role.ADMIN)
    own = organizations_where(request, Role.ADMIN)
    if len(own) == 1:
        return HttpResponseRedirect(reverse("admin:channels", args=[own[0].pk]))
    return page(request, "admin/moderation/channels_index.html", {"title": gettext("Notifications"), "own": own})


def channels_view(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """Show and save where an organization is told."""
    organization = _organization(request, pk)
    channels = channels_of(organization)
    form = ChannelsForm(
        request.POST or None, initial={"slack_channel": channels.slack_channel, "email_on": channels.email_on}
    )
    if request.method == "POST":
        # An unticked box alone sends an empty form, which is one all the same.
        form = ChannelsForm(request.POST)
        if form.is_valid():
            try:
                channels_update(organization=organization, actor=signed_in(request), settings=form.settings())
            except ServiceError as error:
                form.show(error)
            else:
                messages.success(request, gettext("The notifications were saved."))
                return HttpResponseRedirect(request.path)
    context = {"title": gettext("Notifications"), "form": form, **_context(organization, channels)}
    return page(request, "admin/moderation/channels.html", context, status=422 if form.errors else 200)


def disconnect_view(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """Let go of the Slack workspace."""
    organization = _organization(request, pk)
    slack_disconnect(organization=organization, actor=signed_in(request))
    messages.success(request, gettext("Slack is no longer connected."))
    return HttpResponseRedirect(reverse("admin:channels", args=[organization.pk]))


def own_view(request: HttpRequest) -> HttpResponse:
    """Show and save what the signed-in member wants to be told, in each of their organizations."""
    own = memberships(request)
    links = {link.membership_id: link for link in SlackLink.objects.filter(membership__in=own)}
    if request.method == "POST":
        unlinked = next((link for link in links.values() if str(link.pk) == request.POST.get("unlink")), None)
        if unlinked is not None:
            slack_link_remove(link=unlinked, actor=signed_in(request))
            messages.success(request, gettext("Your Slack account is no longer linked."))
        else:
            wanted = set(request.POST.getlist("emails"))
            for member in own:
                member_set_emails(membership=member, actor=signed_in(request), wanted=str(member.pk) in wanted)
            messages.success(request, gettext("Your choice was saved."))
        return HttpResponseRedirect(request.path)
    rows = [(member, links.get(member.pk), Role(member.role).includes(Role.REVIEWER)) for member in own]
    return page(request, "admin/moderation/own.html", {"title": gettext("My notifications"), "rows": rows})


def slack_link_view(request: HttpRequest, token: str) -> HttpResponse:
    """Ask the signed-in member whether a Slack user is them (GET), and take their word for it (POST)."""
    template = "admin/moderation/slack_link.html"
    title = gettext("Link your Slack account")
    try:
        asked = link_request_read(token)
        organization = next(
            (row.organization for row in memberships(request) if row.organization_id == asked.organization_id), None
        )
        if organization is None:
            raise Http404
        if request.method == "POST":
            slack_link_create(organization=organization, actor=signed_in(request), asked=asked)
            messages.success(request, gettext("Your Slack account is linked. Go back to Slack and try again."))
            return HttpResponseRedirect(reverse("admin:own_notifications"))
    except ServiceError as error:
        if error.status == 404:
            raise Http404 from error
        return page(request, template, {"title": title, "error": error}, status=error.status)
    channels = channels_of(organization)
    context = {"title": title, "asked": asked, "organization": organization, "team": channels.slack_team_name}
    return page(request, template, context)


def _organization(request: HttpRequest, pk: uuid.UUID) -> Organization:
    row = next((row for row in memberships(request) if row.organization_id == pk), None)
    if row is None:
        raise Http404
    require(request, Role.ADMIN, pk)
    return row.organization


def _context(organization: Organization, channels: Channels) -> dict[str, Any]:
    counts = Notification.objects.filter(organization=organization).aggregate(
        dead=Count("pk", filter=Q(state=Notification.State.DEAD))
    )
    told = Membership.objects.filter(organization=organization, role__in=Role.REVIEWER.and_above(), review_emails=True)
    return {
        "organization": organization,
        "channels": channels,
        "by_button": bool(settings.SLACK_CLIENT_ID),
        "signed": bool(settings.SLACK_SIGNING_SECRET or channels.slack_signing_secret),
        "mail_is_logged": settings.EMAIL_BACKEND.endswith("console.EmailBackend"),
        "told": told.count(),
        "links": SlackLink.objects.filter(organization=organization).count(),
        "endpoints": WebhookEndpoint.objects.filter(organization=organization).order_by("pk"),
        "dead": counts["dead"],
    }
