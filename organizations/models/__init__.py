"""Tenants, the people who run them, the keys of their applications, and the people who ask."""

from organizations.models.applications import EndUser, SdkKey, TokenHold, TokenUse
from organizations.models.journals import LexiconChange, ListChange, MaskChange
from organizations.models.members import Invitation, MemberEvent, Membership, Role
from organizations.models.tenants import (
    LONGEST_WIDGET_LABEL,
    LONGEST_WIDGET_ROUTE,
    LONGEST_WIDGET_SHIFT,
    MOST_MASKS,
    MOST_WORD_GROUPS,
    Organization,
    User,
    UserManager,
    new_identity_secret,
)

__all__ = [
    "LONGEST_WIDGET_LABEL",
    "LONGEST_WIDGET_ROUTE",
    "LONGEST_WIDGET_SHIFT",
    "MOST_MASKS",
    "MOST_WORD_GROUPS",
    "EndUser",
    "Invitation",
    "LexiconChange",
    "ListChange",
    "MaskChange",
    "MemberEvent",
    "Membership",
    "Organization",
    "Role",
    "SdkKey",
    "TokenHold",
    "TokenUse",
    "User",
    "UserManager",
    "new_identity_secret",
]
