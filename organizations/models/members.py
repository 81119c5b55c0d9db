"""The people who run a tenant: roles, members, invitations, and what was done about them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from organizations.models.tenants import User
from organizations.scoping import TenantManager, TenantOwned


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


class Invitation(TenantOwned):
    """An address that was asked to join. Of the link that was sent, only the digest of its token is kept."""

    email = models.EmailField(_("e-mail address"))
    role = models.CharField(_("role"), max_length=10, choices=Role, default=Role.VIEWER)
    invited_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("invited by")
    )
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("invited"), auto_now_add=True)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True, editable=False)
    expires_at = models.DateTimeField(_("good until"), editable=False)
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(_("withdrawn"), null=True, blank=True, editable=False)

    objects = TenantManager()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "email"],
                condition=models.Q(accepted_at=None, revoked_at=None),
                name="one_open_invitation_per_address",
            ),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_known"),
            models.CheckConstraint(
                condition=models.Q(accepted_at=None) | models.Q(revoked_at=None), name="invitation_ends_once"
            ),
        ]

    def __str__(self) -> str:
        return self.email


class MemberEvent(TenantOwned):
    """One line of the journal of members: who let whom in or out, or changed how they sign in. Only added."""

    class Kind(models.TextChoices):
        INVITED = "invited", _("Invited")
        INVITED_AGAIN = "invited_again", _("Invitation sent again")
        WITHDRAWN = "withdrawn", _("Invitation withdrawn")
        JOINED = "joined", _("Joined")
        ROLE_CHANGED = "role_changed", _("Role changed")
        REMOVED = "removed", _("Removed")
        FACTOR_RESET = "factor_reset", _("Second factor reset")
        FACTOR_ASKED = "factor_asked", _("Second factor asked of everyone")
        FACTOR_FREE = "factor_free", _("Second factor left to everyone")

    kind = models.CharField(_("what"), max_length=14, choices=Kind)
    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("who"))
    # The address as it was, not the person: the line stays when the account goes.
    email = models.EmailField(_("of whom"), blank=True)
    role = models.CharField(_("role"), max_length=10, choices=Role, blank=True)
    created_at = models.DateTimeField(_("when"), auto_now_add=True)

    objects = TenantManager()

    class Meta:
        verbose_name = _("change of members")
        verbose_name_plural = _("changes of members")
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=[
                        "invited",
                        "invited_again",
                        "withdrawn",
                        "joined",
                        "role_changed",
                        "removed",
                        "factor_reset",
                        "factor_asked",
                        "factor_free",
                    ]
                ),
                name="member_event_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.email}"
