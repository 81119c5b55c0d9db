"""What is under review, what was decided, and who has to be told."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from moderation.states import Status, Verb
from organizations.scoping import TenantManager, TenantOwned


class Reviewable(TenantOwned):
    """Something that takes effect only after a person said yes to exactly this version of it.

    ``digest`` names the content under review: a decision is made on a digest, and refused when the
    content has moved on. Status changes only through ``moderation.services``.
    """

    status = models.CharField(_("status"), max_length=20, choices=Status, default=Status.DRAFT, editable=False)
    version = models.PositiveIntegerField(_("version"), default=1, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    submitted_at = models.DateTimeField(_("submitted"), null=True, blank=True, editable=False)
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        verbose_name=_("submitted by"),
    )
    reviewed_at = models.DateTimeField(_("reviewed"), null=True, blank=True, editable=False)
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        verbose_name=_("reviewed by"),
    )

    class Meta:
        abstract = True


class Decision(TenantOwned):
    """One line of the audit log: who did what to which version. Only ever added."""

    class Channel(models.TextChoices):
        ADMIN = "admin", _("Administration")
        SYSTEM = "system", _("Circuy")

    kind = models.CharField(_("kind"), max_length=20)
    subject_id = models.UUIDField(_("subject"))
    subject_title = models.CharField(_("title"), max_length=255)
    verb = models.CharField(_("decision"), max_length=20, choices=Verb)
    version = models.PositiveIntegerField(_("version"))
    digest = models.CharField(_("content"), max_length=64)
    from_status = models.CharField(_("from"), max_length=20, choices=Status)
    to_status = models.CharField(_("to"), max_length=20, choices=Status)
    reason = models.TextField(_("reason"), blank=True)
    channel = models.CharField(_("where"), max_length=10, choices=Channel)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("who"),
    )
    created_at = models.DateTimeField(_("when"), default=timezone.now)

    objects = TenantManager()

    class Meta:
        verbose_name = _("decision")
        verbose_name_plural = _("decisions")
        ordering = ["-id"]
        indexes = [models.Index(fields=["kind", "subject_id"], name="decision_subject")]

    def __str__(self) -> str:
        return f"{self.get_verb_display()}: {self.subject_title} (v{self.version})"


class Notification(TenantOwned):
    """A message to deliver on one channel: written with the change it tells of, sent after it is committed."""

    class Channel(models.TextChoices):
        SLACK = "slack", _("Slack")

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        SENT = "sent", _("Sent")
        DEAD = "dead", _("Given up")

    channel = models.CharField(_("channel"), max_length=10, choices=Channel)
    event_key = models.CharField(max_length=120, editable=False)
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
                fields=["organization", "channel", "event_key"], name="one_notification_per_channel_and_event"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "sent", "dead"]), name="notification_state_known"
            ),
        ]
        indexes = [
            models.Index(fields=["next_try_at"], condition=models.Q(state="waiting"), name="notification_due"),
        ]

    def __str__(self) -> str:
        return f"{self.get_channel_display()}: {self.event_key}"
