"""Who may do what: one question, asked by every service."""

from __future__ import annotations

from django.utils.translation import gettext as _

from organizations.errors import ServiceError
from organizations.models import Membership, Organization, Role, User
from organizations.scoping import every_tenant


def role_in(user: User, organization: Organization) -> Role | None:
    """Return the role of ``user`` in ``organization``, or None for a stranger or an inactive account."""
    if not user.is_active:
        return None
    with every_tenant():
        role = Membership.objects.filter(user=user, organization=organization).values_list("role", flat=True).first()
    return Role(role) if role else None


def require_role(user: User, organization: Organization, needed: Role) -> Role:
    """Return the member's role, or refuse.

    Raises ``ServiceError``: ``not_found`` (404) for a stranger, who must not learn that the thing exists;
    ``forbidden`` (403) for a member whose role is too low.
    """
    role = role_in(user, organization)
    if role is None:
        raise ServiceError("not_found", _("There is nothing here."), status=404)
    if not role.includes(needed):
        raise ServiceError(
            "forbidden",
            _("Your role (%(role)s) does not allow this: it takes %(needed)s.")
            % {"role": role.label, "needed": needed.label},
            status=403,
        )
    return role


def require_owner_for(own_role: Role, *roles: Role) -> None:
    """Refuse (``owner_required``, 403) to name or change an owner, unless one does it."""
    if Role.OWNER in roles and own_role != Role.OWNER:
        raise ServiceError(
            "owner_required",
            _("Only an owner can name or change an owner."),
            status=403,
            fields={"role": _("only an owner can name or change an owner")},
        )
