"""Where people are told, and the messages on their way to them."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from organizations.encryption import EncryptedTextField
from organizations.models import Membership
from organizations.scoping import TenantManager, TenantOwned


class Channels(TenantOwned):
    """Where an organization is told: its Slack workspace, its Teams channel, and whether by e-mail."""

    slack_bot_token = EncryptedTextField(_("Slack bot token"), blank=True)
    # Only of an app of the organization's own; the installation's app signs with SLACK_SIGNING_SECRET.
    slack_signing_secret = EncryptedTextField(_("Slack signing secret"), blank=True)
    slack_channel = models.CharField(_("Slack channel"), max_length=80, blank=True)
    slack_team_id = models.CharField(_("Slack workspace"), max_length=20, blank=True, db_index=True)
    slack_team_name = models.CharField(_("name of the Slack workspace"), max_length=200, blank=True)
    teams_url = EncryptedTextField(_("Teams webhook"), blank=True)
    email_on = models.BooleanField(_("e-mails"), default=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("channels")
        verbose_name_plural = _("channels")
        constraints = [models.UniqueConstraint(fields=["organization"], name="one_channels_row_per_organization")]

    def __str__(self) -> str:
        return self.slack_team_name or str(self.organization)

    @property
    def slack_ready(self) -> bool:
        """Whether messages can be posted: there is a token, and a channel to write in."""
        return bool(self.slack_bot_token and self.slack_channel)


class SlackLink(TenantOwned):
    """A member said, signed in, that a Slack account is theirs: its buttons decide in their name."""

    membership = models.ForeignKey(
        Membership, on_delete=models.CASCADE, related_name="slack_links", verbose_name=_("member")
    )
    team_id = models.CharField(_("Slack workspace"), max_length=20)
    slack_user_id = models.CharField(_("Slack account"), max_length=20)
    slack_name = models.CharField(_("name in Slack"), max_length=80, blank=True)
    created_at = models.DateTimeField(_("linked"), auto_now_add=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("Slack account")
        verbose_name_plural = _("Slack accounts")
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "team_id", "slack_user_id"], name="one_member_per_slack_user"
            ),
            models.UniqueConstraint(fields=["membership"], name="one_slack_user_per_member"),
        ]

    def __str__(self) -> str:
        return f"{self.slack_name or self.slack_user_id} → {self.membership.user}"


class WebhookEndpoint(TenantOwned):
    """An address of the organization's own that is told what happens in the review, signed with a secret."""

    class Event(models.TextChoices):
        SUBMITTED = "submitted", _("Something waits for a review")
        REMINDER = "reminder", _("Something has been waiting for long")
        DECIDED = "decided", _("Something was decided")

    url = EncryptedTextField(_("address"))
    secret = EncryptedTextField(_("secret"))
    events = ArrayField(models.CharField(max_length=10, choices=Event), verbose_name=_("events"), default=list)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return self.host

    @property
    def host(self) -> str:
        """The part of the address that may be shown everywhere: what follows it often holds a token."""
        return str(urlsplit(self.url).netloc)


class Notification(TenantOwned):
    """A message to one recipient on one channel: written with the change it tells of, sent after it is committed.

    What a message for people says is read from the subject when it leaves; ``payload`` is what was true when the row
    was written, and what a webhook sends.
    """

    class Channel(models.TextChoices):
        SLACK = "slack", _("Slack")
        TEAMS = "teams", _("Teams")
        EMAIL = "email", _("By e-mail")
        WEBHOOK = "webhook", _("Webhook")

    class Event(models.TextChoices):
        SUBMITTED = "submitted", _("To review")
        REMINDER = "reminder", _("Reminder")
        EDITED = "edited", _("New version")
        DECIDED = "decided", _("Decision")
        REPLY = "reply", _("Answer to a member")
        TEST = "test", _("Test")

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        SENT = "sent", _("Sent")
        MOOT = "moot", _("No longer needed")
        DEAD = "dead", _("Given up")

    channel = models.CharField(_("channel"), max_length=10, choices=Channel)
    recipient = models.CharField(max_length=80, editable=False)
    event = models.CharField(_("event"), max_length=10, choices=Event, default=Event.SUBMITTED)
    event_key = models.CharField(max_length=120, editable=False)
    kind = models.CharField(max_length=20, blank=True, editable=False)
    subject_id = models.UUIDField(null=True, blank=True, editable=False)
    # Of a message that is there already: this one says what becomes of it.
    rewrites = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, editable=False)
    payload = models.JSONField(_("content"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_try_at = models.DateTimeField(_("next try"), default=timezone.now)
    provider_message_id = models.CharField(_("message id"), max_length=120, blank=True)
    last_error = models.TextField(_("last error"), blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "channel", "recipient", "event_key"],
                name="one_notification_per_recipient_and_event",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "sent", "moot", "dead"]), name="notification_state_known"
            ),
        ]
        indexes = [
            models.Index(fields=["next_try_at"], condition=models.Q(state="waiting"), name="notification_due"),
            models.Index(fields=["subject_id", "channel"], name="notification_subject"),
            models.Index(fields=["organization", "channel", "recipient"], name="notification_recipient"),
        ]

    def __str__(self) -> str:
        return f"{self.get_channel_display()}: {self.event_key}"
