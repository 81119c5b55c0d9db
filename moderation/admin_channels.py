"""The outbox, the webhooks and the linked Slack accounts, in the administration."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from moderation.models import Notification, SlackLink, WebhookEndpoint
from moderation.notifications.outbox import notification_retry
from moderation.notifications.webhooks import (
    LONGEST_URL,
    webhook_create,
    webhook_remove,
    webhook_replace_secret,
    webhook_test,
    webhook_update,
)
from moderation.slack.linking import slack_link_remove
from organizations.admin.forms import InOrganizationForm, ServiceForm
from organizations.admin_base import TenantModelAdmin, badge, moment, organizations_where, page, require, signed_in
from organizations.errors import ServiceError
from organizations.models import Membership, Role

TONES = {
    Notification.State.WAITING: "warn",
    Notification.State.SENT: "good",
    Notification.State.MOOT: "quiet",
    Notification.State.DEAD: "bad",
}
DELIVERIES_SHOWN = 20


@admin.register(Notification)
class NotificationAdmin(TenantModelAdmin):
    view_role = Role.ADMIN
    list_title = _("Sent messages")
    list_display = [
        moment("created_at", _("When")),
        "channel",
        "event",
        "about",
        "state_label",
        "attempts",
        "last_error",
    ]
    list_filter = ["state", "channel", "event"]

    @admin.display(description=_("About"))
    def about(self, notification: Notification) -> str:
        return str(notification.payload.get("title", ""))

    @admin.display(description=_("State"), ordering="state")
    def state_label(self, notification: Notification) -> SafeString:
        state = Notification.State(notification.state)
        return badge(TONES[state], state.label)

    def get_urls(self) -> list[Any]:
        retry = self.admin_site.admin_view(require_POST(self.retry_view))
        return [path("<uuid:pk>/retry/", retry, name="moderation_notification_retry"), *super().get_urls()]

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show what a message says, and how its delivery went."""
        notification = cast(Notification, self.get_object(request, object_id))
        require(request, Role.ADMIN, notification.organization_id)
        state = Notification.State(notification.state)
        context = {
            "title": self.about(notification) or str(notification),
            "notification": notification,
            "tone": TONES[state],
            "to": self._to(notification),
            "is_dead": state == Notification.State.DEAD,
            "opts": self.opts,
        }
        return page(request, "admin/moderation/notification.html", context)

    @staticmethod
    def _to(notification: Notification) -> str:
        """Return the address that an e-mail goes to; nothing once its recipient is no member any more."""
        if notification.channel != Notification.Channel.EMAIL:
            return ""
        member = Membership.objects.filter(pk=notification.recipient).select_related("user").first()
        return member.user.email if member else ""

    def retry_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Give a message that was given up a fresh start."""
        notification = cast(Notification, self.get_object(request, str(pk)))
        require(request, Role.ADMIN, notification.organization_id)
        if notification_retry(notification=notification, actor=signed_in(request)):
            messages.success(request, gettext("It is being tried again."))
        else:
            messages.info(request, gettext("It was not given up: there is nothing to try again."))
        return HttpResponseRedirect(reverse("admin:moderation_notification_change", args=[notification.pk]))


@admin.register(SlackLink)
class SlackLinkAdmin(TenantModelAdmin):
    view_role = Role.ADMIN
    list_display = ["member", "slack", moment("created_at", _("Linked"))]
    list_select_related = ["membership__user"]

    @admin.display(description=_("Member"))
    def member(self, link: SlackLink) -> str:
        return str(link.membership.user)

    @admin.display(description=_("Slack account"))
    def slack(self, link: SlackLink) -> str:
        return f"{link.slack_name} ({link.slack_user_id})" if link.slack_name else link.slack_user_id

    def get_urls(self) -> list[Any]:
        remove = self.admin_site.admin_view(require_POST(self.remove_view))
        return [path("<uuid:pk>/remove/", remove, name="moderation_slacklink_remove"), *super().get_urls()]

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show a link, which an administrator can only take away."""
        link = cast(SlackLink, self.get_object(request, object_id))
        require(request, Role.ADMIN, link.organization_id)
        context = {"title": str(link.membership.user), "link": link, "slack": self.slack(link), "opts": self.opts}
        return page(request, "admin/moderation/slack_account.html", context)

    def remove_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Make a Slack user a stranger again."""
        link = cast(SlackLink, self.get_object(request, str(pk)))
        require(request, Role.ADMIN, link.organization_id)
        slack_link_remove(link=link, actor=signed_in(request))
        messages.success(request, gettext("This Slack account is no longer linked."))
        return HttpResponseRedirect(reverse("admin:moderation_slacklink_changelist"))


class WebhookFields(ServiceForm):
    url = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_URL,
        widget=forms.URLInput(attrs={"spellcheck": "false", "autocomplete": "off", "placeholder": "https://"}),
        help_text=_("Public, and over https. It is kept encrypted."),
    )
    events = forms.MultipleChoiceField(
        label=_("What it is told"),
        required=False,
        choices=WebhookEndpoint.Event.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=WebhookEndpoint.Event.values,
    )


class WebhookAddForm(WebhookFields, InOrganizationForm):
    """The same, and for which organization."""


@admin.register(WebhookEndpoint)
class WebhookEndpointAdmin(TenantModelAdmin):
    view_role = add_role = change_role = Role.ADMIN
    add_label = _("Add a webhook")
    list_display = ["host", "told", moment("created_at", _("Created"))]

    @admin.display(description=_("Server"))
    def host(self, endpoint: WebhookEndpoint) -> str:
        return endpoint.host

    @admin.display(description=_("What it is told"))
    def told(self, endpoint: WebhookEndpoint) -> str:
        return ", ".join(str(WebhookEndpoint.Event(event).label) for event in endpoint.events)

    def get_urls(self) -> list[Any]:
        doors = {"test": self.test_view, "secret": self.secret_view, "remove": self.remove_view}
        own = [
            path(
                f"<uuid:pk>/{name}/",
                self.admin_site.admin_view(require_POST(view)),
                name=f"moderation_webhookendpoint_{name}",
            )
            for name, view in doors.items()
        ]
        return [*own, *super().get_urls()]

    def add_view(self, request: HttpRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Add an address; the answer to the form is the only page that shows its secret."""
        require(request, Role.ADMIN)
        form = WebhookAddForm(request.POST or None, organizations=organizations_where(request, Role.ADMIN))
        if request.method == "POST" and form.is_valid():
            try:
                endpoint, secret = webhook_create(
                    organization=form.chosen_organization(),
                    actor=signed_in(request),
                    url=form.cleaned_data["url"],
                    events=form.cleaned_data["events"],
                )
            except ServiceError as error:
                form.show(error)
            else:
                return self._show_secret(request, endpoint, secret)
        context = {"title": gettext("New webhook"), "form": form, "opts": self.opts}
        return page(request, "admin/moderation/webhook_add.html", context, status=422 if form.errors else 200)

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show and save an address and what it is told, with the last messages that went there."""
        endpoint = self._endpoint(request, object_id)
        form = WebhookFields(request.POST or None, initial={"url": endpoint.url, "events": endpoint.events})
        if request.method == "POST" and form.is_valid():
            try:
                webhook_update(endpoint=endpoint, actor=signed_in(request), **form.cleaned_data)
            except ServiceError as error:
                form.show(error)
            else:
                messages.success(request, gettext("The webhook was saved."))
                return HttpResponseRedirect(_change_url(endpoint))
        deliveries = Notification.objects.filter(
            organization=endpoint.organization_id, channel=Notification.Channel.WEBHOOK, recipient=str(endpoint.pk)
        )[:DELIVERIES_SHOWN]
        context = {
            "title": endpoint.host,
            "endpoint": endpoint,
            "form": form,
            "deliveries": [(row, TONES[Notification.State(row.state)]) for row in deliveries],
            "opts": self.opts,
        }
        return page(request, "admin/moderation/webhook.html", context, status=422 if form.errors else 200)

    def test_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Send a message that means nothing."""
        endpoint = self._endpoint(request, pk)
        webhook_test(endpoint=endpoint, actor=signed_in(request))
        messages.success(request, gettext("A test is on its way: it is the first of the messages below."))
        return HttpResponseRedirect(_change_url(endpoint))

    def secret_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Replace the secret, and show the new one this once."""
        endpoint = self._endpoint(request, pk)
        return self._show_secret(request, endpoint, webhook_replace_secret(endpoint=endpoint, actor=signed_in(request)))

    def remove_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Tell an address nothing more."""
        endpoint = self._endpoint(request, pk)
        webhook_remove(endpoint=endpoint, actor=signed_in(request))
        messages.success(request, gettext("The webhook was removed."))
        return HttpResponseRedirect(reverse("admin:channels", args=[endpoint.organization_id]))

    def _endpoint(self, request: HttpRequest, pk: Any) -> WebhookEndpoint:
        endpoint = cast(WebhookEndpoint, self.get_object(request, str(pk)))
        require(request, Role.ADMIN, endpoint.organization_id)
        return endpoint

    def _show_secret(self, request: HttpRequest, endpoint: WebhookEndpoint, secret: str) -> HttpResponse:
        context = {"title": gettext("Secret of the webhook"), "endpoint": endpoint, "value": secret, "opts": self.opts}
        return page(request, "admin/moderation/webhook_secret.html", context)


def _change_url(endpoint: WebhookEndpoint) -> str:
    return reverse("admin:moderation_webhookendpoint_change", args=[endpoint.pk])
