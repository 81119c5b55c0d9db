"""Writes on an organization and its members. Keys and invitations have modules of their own."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from decimal import Decimal
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from organizations.errors import ServiceError, not_found
from organizations.journal import note
from organizations.models import Invitation, MemberEvent, Membership, Organization, Role, User, new_identity_secret
from organizations.permissions import require_owner_for, require_role
from organizations.second_factor import has_second_factor

MAX_NAME = 120
RETENTION_DAYS = range(1, 3651)
REMIND_DAYS = range(91)
EXPIRE_DAYS = range(366)
LARGEST_BUDGET = 2_000_000_000
LARGEST_PRICE = 100_000
SECRETS = ("llm_api_key",)


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganizationSettings:
    """What an administrator sets. A secret that is None stays as it is; an empty one is removed."""

    name: str
    locale: str
    llm_provider: str
    llm_base_url: str
    llm_model: str
    llm_prompt_price: Decimal | None
    llm_completion_price: Decimal | None
    monthly_token_budget: int
    allow_self_approval: bool
    two_approvals: bool
    review_remind_days: int
    review_expire_days: int
    require_second_factor: bool
    retention_days: int
    llm_api_key: str | None = None


@transaction.atomic
def organization_update(*, organization: Organization, actor: User, settings: OrganizationSettings) -> Organization:
    """Save an organization's settings; the identity secret is not among them.

    Raises ``ServiceError``: ``invalid_settings`` (422) naming the fields, ``forbidden``/``not_found``.
    """
    require_role(actor, organization, Role.ADMIN)
    wrong = _wrong_settings(organization, settings)
    asked_before = organization.require_second_factor
    if settings.require_second_factor and not asked_before and not has_second_factor(actor):
        wrong["require_second_factor"] = _("set up your own second factor first")
    if wrong:
        raise ServiceError("invalid_settings", _("These settings cannot be saved."), status=422, fields=wrong)
    given = asdict(settings)
    values = {key: value for key, value in given.items() if value is not None or key not in SECRETS}
    for key, value in values.items():
        setattr(organization, key, value.strip() if isinstance(value, str) else value)
    organization.save(update_fields=list(values))
    if settings.require_second_factor != asked_before:
        kinds = MemberEvent.Kind
        note(organization, kinds.FACTOR_FREE if asked_before else kinds.FACTOR_ASKED, actor=actor)
    return organization


@transaction.atomic
def identity_secret_replace(*, organization: Organization, actor: User) -> Organization:
    """Give the organization a new identity secret: every hash made with the old one is refused from now on."""
    require_role(actor, organization, Role.ADMIN)
    organization.identity_secret = new_identity_secret()
    organization.save(update_fields=["identity_secret"])
    return organization


@transaction.atomic
def member_set_role(*, membership: Membership, actor: User, role: Role) -> Membership:
    """Change what a member may do.

    Only an owner makes or unmakes owners (``owner_required``, 403), and the last owner stays one
    (``last_owner``, 409).
    """
    own_role = require_role(actor, membership.organization, Role.ADMIN)
    current = _lock(membership)
    require_owner_for(own_role, Role(current.role), role)
    if role != Role.OWNER:
        _keep_an_owner(current)
    _withdraw_invitations_of(current, now=role)
    if role != current.role:
        note(current.organization, MemberEvent.Kind.ROLE_CHANGED, actor=actor, email=current.user.email, role=role)
    current.role = role
    current.save(update_fields=["role"])
    return current


@transaction.atomic
def member_remove(*, membership: Membership, actor: User) -> None:
    """Take a person out of the organization; what they decided stays under their name, whom they invited is not let in.

    Raises ``ServiceError`` as ``member_set_role`` does. Anybody may leave; others are removed by an
    administrator.
    """
    needed = Role.VIEWER if membership.user_id == actor.pk else Role.ADMIN
    own_role = require_role(actor, membership.organization, needed)
    current = _lock(membership)
    require_owner_for(own_role, Role(current.role))
    _keep_an_owner(current)
    _withdraw_invitations_of(current, now=None)
    note(current.organization, MemberEvent.Kind.REMOVED, actor=actor, email=current.user.email)
    current.delete()


def _withdraw_invitations_of(membership: Membership, *, now: Role | None) -> None:
    """Nobody joins any more on the word of somebody who, with their role of now, could not have invited them."""
    sent = Invitation.objects.filter(organization=membership.organization, invited_by=membership.user)
    if now == Role.OWNER:
        return
    if now == Role.ADMIN:
        sent = sent.filter(role=Role.OWNER)
    sent.filter(accepted_at=None, revoked_at=None).update(revoked_at=timezone.now())


def _lock(membership: Membership) -> Membership:
    """Return the row, locked together with the organization's owners, so that two of them cannot both step down."""
    owners = Membership.objects.select_for_update().filter(organization=membership.organization_id, role=Role.OWNER)
    list(owners.order_by("pk").values_list("pk", flat=True))
    current = (
        Membership.objects.select_for_update(of=("self",))
        .select_related("user", "organization")
        .filter(pk=membership.pk)
        .first()
    )
    if current is None:
        raise not_found(_("There is no such member."))
    return current


def _keep_an_owner(membership: Membership) -> None:
    if membership.role != Role.OWNER:
        return
    others = Membership.objects.filter(organization=membership.organization_id, role=Role.OWNER)
    if not others.exclude(pk=membership.pk).exists():
        raise ServiceError(
            "last_owner",
            _("This is the last owner: name another one first."),
            status=409,
            fields={"role": _("name another owner first")},
        )


def _wrong_settings(organization: Organization, settings: OrganizationSettings) -> dict[str, str]:
    wrong: dict[str, str] = {}
    if not settings.name.strip() or len(settings.name) > MAX_NAME:
        wrong["name"] = _("a name of at most %(max)d characters is expected") % {"max": MAX_NAME}
    if settings.locale not in Organization.Locale.values:
        wrong["locale"] = _("unknown language")
    if settings.retention_days not in RETENTION_DAYS:
        wrong["retention_days"] = _("between 1 day and 10 years")
    wrong |= _wrong_review(organization, settings)
    if not 0 <= settings.monthly_token_budget <= LARGEST_BUDGET:
        wrong["monthly_token_budget"] = _("between 0 and two billion")
    for name in ("llm_prompt_price", "llm_completion_price"):
        price = getattr(settings, name)
        if price is not None and not 0 <= price <= LARGEST_PRICE:
            wrong[name] = _("between 0 and %(max)d") % {"max": LARGEST_PRICE}
    if settings.llm_provider not in Organization.Provider.values:
        wrong["llm_provider"] = _("unknown engine")
    elif settings.llm_provider == Organization.Provider.OPENAI:
        wrong |= _wrong_provider(settings)
    return wrong


def _wrong_review(organization: Organization, settings: OrganizationSettings) -> dict[str, str]:
    wrong: dict[str, str] = {}
    reviewers = Membership.objects.filter(organization=organization, role__in=Role.REVIEWER.and_above())
    if settings.two_approvals and reviewers.filter(user__is_active=True).count() < 2:
        wrong["two_approvals"] = _("it takes two members who may approve: add another reviewer first")
    if settings.review_remind_days not in REMIND_DAYS:
        wrong["review_remind_days"] = _("at most %(max)d days") % {"max": REMIND_DAYS[-1]}
    if settings.review_expire_days not in EXPIRE_DAYS:
        wrong["review_expire_days"] = _("at most %(max)d days") % {"max": EXPIRE_DAYS[-1]}
    elif 0 < settings.review_expire_days <= 2 * settings.review_remind_days:
        wrong["review_expire_days"] = _("more than twice the days before a reminder")
    return wrong


def _wrong_provider(settings: OrganizationSettings) -> dict[str, str]:
    wrong: dict[str, str] = {}
    if not _is_server(settings.llm_base_url.strip()):
        wrong["llm_base_url"] = _("the address of a server is expected, such as https://api.openai.com/v1")
    if not settings.llm_model.strip():
        wrong["llm_model"] = _("say which model answers")
    return wrong


def _is_server(address: str) -> bool:
    try:
        parts = urlsplit(address)
        _port = parts.port  # read only to have it checked
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)
