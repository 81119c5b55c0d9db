"""The keys of host applications, the people who ask in them, and the tokens that their answers cost."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _

from organizations.ids import new_id
from organizations.scoping import TenantManager, TenantOwned


class SdkKey(TenantOwned):
    """A key of a host application.

    A publishable key stands in a page's script tag and is kept as it is; it works only from its allowed
    origins. A secret key is for servers and is kept as a SHA-256 digest.
    """

    class Kind(models.TextChoices):
        PUBLISHABLE = "publishable", _("Publishable (script tag)")
        SECRET = "secret", _("Secret (server)")

    name = models.CharField(_("name"), max_length=80)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    prefix = models.CharField(_("begins with"), max_length=16)
    lookup = models.CharField(max_length=80, unique=True, editable=False)
    allowed_origins = ArrayField(
        models.CharField(max_length=255), verbose_name=_("allowed origins"), default=list, blank=True
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)

    objects = TenantManager()

    class Meta:
        verbose_name = _("application key")
        verbose_name_plural = _("application keys")
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=["publishable", "secret"]), name="sdk_key_kind_known"),
        ]
        indexes = [GinIndex(fields=["allowed_origins"], name="sdk_key_origins")]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class EndUser(TenantOwned):
    """Someone who uses the host application: identified by the host, or an anonymous visitor."""

    external_id = models.CharField(_("id in the application"), max_length=200, null=True, blank=True)  # noqa: DJ001
    visitor_id = models.UUIDField(_("visitor"), null=True, blank=True)
    first_seen_at = models.DateTimeField(_("first seen"), auto_now_add=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("end user")
        verbose_name_plural = _("end users")
        constraints = [
            models.UniqueConstraint(fields=["organization", "external_id"], name="one_end_user_per_external_id"),
            models.UniqueConstraint(fields=["organization", "visitor_id"], name="one_end_user_per_visitor"),
            models.CheckConstraint(
                condition=models.Q(external_id__isnull=False) ^ models.Q(visitor_id__isnull=False),
                name="end_user_identified_or_visitor",
            ),
        ]

    @property
    def verified(self) -> bool:
        """Whether the host application vouched for this person with an HMAC."""
        return self.external_id is not None

    def __str__(self) -> str:
        if self.external_id is not None:
            return self.external_id
        return _("visitor %(short)s") % {"short": str(self.visitor_id)[-6:]}

    @classmethod
    def new_visitor_id(cls) -> uuid.UUID:
        """Return the id of a visitor nobody has seen before."""
        return new_id()


class TokenUse(TenantOwned):
    """How many tokens of a paid model an organization has used in one month."""

    month = models.DateField(_("month"))
    prompt_tokens = models.PositiveBigIntegerField(_("prompt tokens"), default=0)
    completion_tokens = models.PositiveBigIntegerField(_("completion tokens"), default=0)

    objects = TenantManager()

    class Meta:
        verbose_name = _("token use")
        verbose_name_plural = _("token use")
        constraints = [models.UniqueConstraint(fields=["organization", "month"], name="one_token_use_per_month")]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}: {self.prompt_tokens + self.completion_tokens}"


class TokenHold(TenantOwned):
    """Tokens set aside for a call that is under way, so that many at once do not spend more than the budget.

    Its call settles it; one whose worker died frees itself at ``expires_at``.
    """

    use = models.ForeignKey(TokenUse, on_delete=models.CASCADE, related_name="holds")
    tokens = models.PositiveIntegerField()
    expires_at = models.DateTimeField()

    objects = TenantManager()

    class Meta:
        indexes = [models.Index(fields=["use", "expires_at"], name="token_hold_by_use")]

    def __str__(self) -> str:
        return f"{self.tokens} ({self.expires_at:%H:%M:%S})"
