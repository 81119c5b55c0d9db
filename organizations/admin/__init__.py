"""Settings in the administration: the organization, its keys, its members, and the people who ask."""

from organizations.admin.end_users import EndUserAdmin
from organizations.admin.invitations import InvitationAdmin, MemberEventAdmin
from organizations.admin.keys import SdkKeyAdmin
from organizations.admin.members import MembershipAdmin
from organizations.admin.settings import OrganizationAdmin

__all__ = [
    "EndUserAdmin",
    "InvitationAdmin",
    "MemberEventAdmin",
    "MembershipAdmin",
    "OrganizationAdmin",
    "SdkKeyAdmin",
]
