"""Tenants, the people who run them, the keys of their applications, and the people who ask."""

from __future__ import annotations

import secrets
import uuid
from typing import Any, ClassVar

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from organizations.encryption import EncryptedTextField
from organizations.ids import new_id
from organizations.scoping import TenantManager, TenantOwned

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


class ListChange(TenantOwned):
    """One line of the audit log of a list that an organization keeps: who changed it, from what to what. Only added."""

    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("who"))
    before = models.JSONField(_("before"))
    after = models.JSONField(_("after"))
    created_at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        abstract = True
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.actor}, {self.created_at:%Y-%m-%d}"


class MaskChange(ListChange):
    """A change of the masks."""

    objects = TenantManager()

    class Meta(ListChange.Meta):
        verbose_name = _("change of masks")
        verbose_name_plural = _("changes of masks")


class LexiconChange(ListChange):
    """A change of the own words."""

    objects = TenantManager()

    class Meta(ListChange.Meta):
        verbose_name = _("change of own words")
        verbose_name_plural = _("changes of own words")


class Role(models.TextChoices):
    """What a member may do, from the most to the least."""

    OWNER = "owner", _("Owner")
    ADMIN = "admin", _("Administrator")
    REVIEWER = "reviewer", _("Reviewer")
    AUTHOR = "author", _("Author")
    VIEWER = "viewer", _("Viewer")

    def includes(self, needed: Role) -> bool:
        """Whether a member with this role may do what ``needed`` may do."""
        ranks = list(Role)
        return ranks.index(self) <= ranks.index(needed)

    def and_above(self) -> list[Role]:
        """The roles whose members may do what this one may do."""
        return [role for role in Role if role.includes(self)]


class Membership(TenantOwned):
    """A person's place in an organization."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships", verbose_name=_("person"))
    role = models.CharField(_("role"), max_length=10, choices=Role, default=Role.VIEWER)
    review_emails = models.BooleanField(
        _("e-mails about reviews"), default=True, help_text=_("Of what waits for a review, to those who may decide.")
    )

    objects = TenantManager()

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [
            models.UniqueConstraint(fields=["organization", "user"], name="one_membership_per_person"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()})"


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
