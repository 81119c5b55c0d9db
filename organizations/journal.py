"""The journal of members."""

from __future__ import annotations

from organizations.models import MemberEvent, Organization, Role, User


def note(
    organization: Organization,
    kind: MemberEvent.Kind,
    *,
    actor: User,
    email: str = "",
    role: Role | None = None,
) -> None:
    """Write down what was done to an organization's members: in the transaction that does it."""
    MemberEvent.objects.create(
        organization=organization, kind=kind, actor=actor, email=email, role=role.value if role else ""
    )
