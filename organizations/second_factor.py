"""Second factors: who has one, who needs one, and taking them from somebody who lost theirs."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from organizations.errors import ServiceError
from organizations.journal import note
from organizations.models import MemberEvent, Membership, Role, User
from organizations.permissions import require_role
from organizations.scoping import every_tenant

# Recovery codes alone are none: they go with the last of the others.
FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def has_second_factor(user: User) -> bool:
    """Whether signing in as this person takes more than a password."""
    return bool(Authenticator.objects.filter(user=user, type__in=FACTORS).exists())


def with_second_factor(person: str) -> Exists:
    """Return, for an annotation, whether the person behind a row has one; ``person`` leads to their id."""
    return Exists(Authenticator.objects.filter(user=OuterRef(person), type__in=FACTORS))


@transaction.atomic
def second_factor_reset(*, membership: Membership, actor: User) -> None:
    """Take all second factors from a member who lost theirs: a password signs them in until they have new ones.

    Only an owner does that, for others, and only for people who are members of nothing else: another organization's
    safety is not theirs to lower. Raises ``ServiceError``: ``own_factor``, ``member_elsewhere`` or
    ``no_factor`` (409), ``forbidden``/``not_found``.
    """
    require_role(actor, membership.organization, Role.OWNER)
    person = membership.user
    if person.pk == actor.pk:
        raise ServiceError("own_factor", _("Change your own second factor on your own page."), status=409)
    with every_tenant():
        elsewhere = Membership.objects.filter(user=person).exclude(pk=membership.pk).exists()
    if elsewhere or person.is_superuser:
        raise ServiceError(
            "member_elsewhere",
            _("This account is used elsewhere too: ask whoever runs this server."),
            status=409,
        )
    if not second_factors_delete(person):
        raise ServiceError("no_factor", _("There is no second factor to reset."), status=409)
    note(membership.organization, MemberEvent.Kind.FACTOR_RESET, actor=actor, email=person.email)


def second_factors_delete(person: User) -> bool:
    """Delete somebody's second factors and recovery codes. Returns whether there were any."""
    deleted, _rows = Authenticator.objects.filter(user=person).delete()
    return bool(deleted)
