"""Tenants, and the people who sign in."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from organizations.encryption import EncryptedTextField
from organizations.ids import new_id

MOST_MASKS = 20
MOST_WORD_GROUPS = 200
LONGEST_WIDGET_LABEL = 24
LONGEST_WIDGET_ROUTE = 200
LONGEST_WIDGET_SHIFT = 200


def new_identity_secret() -> str:
    """Return a fresh secret (43 URL-safe characters) with which a host application signs its users' ids."""
    return secrets.token_urlsafe(32)


class UserManager(BaseUserManager["User"]):
    """Creates people by e-mail address."""

    def create_user(self, email: str, password: str | None = None, **extra: Any) -> User:
        user = self.model(email=self.normalize_email(email).lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **extra: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **extra)


class User(AbstractUser):
    """A person who signs in to the administration, known by an e-mail address."""

    username = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail address"), unique=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")

    def __str__(self) -> str:
        return self.get_full_name() or self.email


class Organization(models.Model):
    """A tenant: one company with its own pages, tours, members and keys."""

    class Locale(models.TextChoices):
        FRENCH = "fr", _("French")
        ENGLISH = "en", _("English")

    class Provider(models.TextChoices):
        LOCAL = "local", _("Local engine (offline, no account)")
        OPENAI = "openai", _("Any server that speaks OpenAI's protocol")

    class Side(models.TextChoices):
        LEFT = "left", _("On the left")
        RIGHT = "right", _("On the right")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("short name"), unique=True)
    locale = models.CharField(_("language"), max_length=2, choices=Locale, default=Locale.FRENCH)
    identity_secret = EncryptedTextField(_("identity secret"), default=new_identity_secret, editable=False)

    llm_provider = models.CharField(_("language engine"), max_length=10, choices=Provider, default=Provider.LOCAL)
    llm_base_url = models.URLField(_("base URL"), blank=True, help_text=_("For example https://api.openai.com/v1"))
    llm_model = models.CharField(_("model"), max_length=120, blank=True)
    llm_api_key = EncryptedTextField(_("API key"), blank=True)
    # What a million tokens cost, in whatever currency the provider bills; None where nobody said.
    llm_prompt_price = models.DecimalField(
        _("price of a million tokens asked"), max_digits=10, decimal_places=4, null=True, blank=True
    )
    llm_completion_price = models.DecimalField(
        _("price of a million tokens answered"), max_digits=10, decimal_places=4, null=True, blank=True
    )
    monthly_token_budget = models.PositiveIntegerField(
        _("monthly token budget"),
        default=2_000_000,
        help_text=_("Above it, answers come from the local engine until the next month."),
    )

    allow_self_approval = models.BooleanField(
        _("allow approving one's own work"),
        default=False,
        help_text=_("Whether the person who submitted or last edited something may also approve it."),
    )
    two_approvals = models.BooleanField(
        _("two approvals"),
        default=False,
        help_text=_("Whether two different reviewers have to approve the same version."),
    )
    review_remind_days = models.PositiveSmallIntegerField(
        _("days before a reminder"), default=3, help_text=_("0: nobody is reminded.")
    )
    review_expire_days = models.PositiveSmallIntegerField(
        _("days before what nobody reviews is out of date"), default=30, help_text=_("0: it waits for ever.")
    )
    require_second_factor = models.BooleanField(
        _("ask members for a second factor"),
        default=False,
        help_text=_("Whether the administration opens only to members who have one."),
    )
    retention_days = models.PositiveIntegerField(
        _("retention, in days"), default=365, help_text=_("Questions and events older than this are deleted.")
    )

    # A list of `organizations.masks.OwnMask`: on this row, so that a question needs no query for it.
    masks = models.JSONField(_("masks"), default=list, blank=True, editable=False)

    # Groups of words that mean the same to its people, see `organizations.lexicon`: on this row for the same reason.
    lexicon = models.JSONField(_("own words"), default=list, blank=True, editable=False)

    # How the widget looks on the pages, and where it stands: see `organizations.widget`.
    widget_accent = models.CharField(_("colour"), max_length=7, default="#4f46e5")
    widget_side = models.CharField(_("side"), max_length=5, choices=Side, default=Side.RIGHT)
    widget_offset_x = models.PositiveSmallIntegerField(_("distance from the side"), default=20)
    widget_offset_y = models.PositiveSmallIntegerField(_("distance from the bottom"), default=20)
    widget_label = models.CharField(_("word on the button"), max_length=LONGEST_WIDGET_LABEL, blank=True)
    widget_hidden_on = ArrayField(
        models.CharField(max_length=LONGEST_WIDGET_ROUTE), verbose_name=_("pages without it"), default=list, blank=True
    )
    widget_events_percent = models.PositiveSmallIntegerField(_("visits that report, in percent"), default=100)

    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "organizations"
        verbose_name = _("organization")
        verbose_name_plural = _("organizations")
        constraints = [
            models.CheckConstraint(
                condition=LessThanOrEqual(
                    models.Func("masks", function="jsonb_array_length", output_field=models.IntegerField()),
                    MOST_MASKS,
                ),
                name="organization_masks_few",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(
                    models.Func("lexicon", function="jsonb_array_length", output_field=models.IntegerField()),
                    MOST_WORD_GROUPS,
                ),
                name="organization_lexicon_short",
            ),
            models.CheckConstraint(
                condition=models.Q(widget_accent__regex="^#[0-9a-f]{6}$"), name="organization_widget_accent"
            ),
            models.CheckConstraint(
                condition=models.Q(widget_side__in=["left", "right"]), name="organization_widget_side"
            ),
            models.CheckConstraint(
                condition=models.Q(
                    widget_offset_x__lte=LONGEST_WIDGET_SHIFT,
                    widget_offset_y__lte=LONGEST_WIDGET_SHIFT,
                    widget_events_percent__lte=100,
                ),
                name="organization_widget_in_bounds",
            ),
        ]

    def __str__(self) -> str:
        return self.name
