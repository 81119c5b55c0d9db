"""What is under review, what was decided, and who has to be told."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from moderation.notifications.models import Channels, Notification, SlackLink, WebhookEndpoint
from moderation.states import Status, Verb
from organizations.scoping import TenantManager, TenantOwned

__all__ = ["Channels", "Decision", "Notification", "Reviewable", "SlackLink", "WebhookEndpoint"]


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
    edited_at = models.DateTimeField(_("edited"), null=True, blank=True, editable=False)
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        verbose_name=_("edited by"),
    )
    # Who said the first of two yeses to the digest under review.
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        verbose_name=_("first approval by"),
    )
    # Since it last entered the inbox or was edited there.
    reminded_at = models.DateTimeField(null=True, blank=True, editable=False)
    escalated_at = models.DateTimeField(null=True, blank=True, editable=False)
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
        SLACK = "slack", _("Slack")
        EMAIL = "email", _("Link of an e-mail")
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
