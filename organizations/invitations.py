"""Invitations: an address is asked to join, by a link that is good once, for a week, for that address alone."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from organizations.emails import is_email
from organizations.errors import ServiceError
from organizations.journal import note
from organizations.models import Invitation, MemberEvent, Membership, Organization, Role, User
from organizations.permissions import require_owner_for, require_role
from organizations.ratelimit import allow
from organizations.scoping import every_tenant, tenant_scope

LASTS = timedelta(days=7)
MOST_AN_HOUR = 60
_SIGNER = signing.Signer(salt="organizations.invitation")


@transaction.atomic
def invitation_create(*, organization: Organization, actor: User, email: str, role: Role) -> tuple[Invitation, str]:
    """Invite an address, and return the invitation with the token of its link, which cannot be read again.

    Raises ``ServiceError``: ``invalid_invitation`` (422), ``already_member`` or ``already_invited`` (409),
    ``owner_required`` (403) when an administrator names an owner, ``rate_limited`` (429), ``forbidden``/``not_found``.
    """
    own_role = require_role(actor, organization, Role.ADMIN)
    require_owner_for(own_role, role)
    address = email.strip().lower()
    if not is_email(address):
        wrong = {"email": _("this is not an e-mail address")}
        raise ServiceError("invalid_invitation", _("Nobody can be invited so."), status=422, fields=wrong)
    if Membership.objects.filter(organization=organization, user__email=address).exists():
        raise ServiceError(
            "already_member",
            _("%(who)s is already a member.") % {"who": address},
            status=409,
            fields={"email": _("this person is already a member")},
        )
    _count(organization)
    now, (token, digest) = timezone.now(), _new_token()
    open_ones = Invitation.objects.filter(organization=organization, email=address, accepted_at=None, revoked_at=None)
    open_ones.filter(expires_at__lte=now).update(revoked_at=now)
    try:
        with transaction.atomic():
            invitation = Invitation.objects.create(
                organization=organization,
                email=address,
                role=role,
                invited_by=actor,
                digest=digest,
                expires_at=now + LASTS,
            )
    except IntegrityError as error:
        raise ServiceError(
            "already_invited",
            _("%(who)s was invited already.") % {"who": address},
            status=409,
            fields={"email": _("this address was invited already: send the invitation again")},
        ) from error
    note(organization, MemberEvent.Kind.INVITED, actor=actor, email=address, role=role)
    return invitation, token


@transaction.atomic
def invitation_renew(*, invitation: Invitation, actor: User) -> str:
    """Return a new token for an invitation that nobody has accepted: the link sent before no longer works.

    Raises ``ServiceError``: ``invitation_over`` (409), ``owner_required`` (403), ``rate_limited`` (429).
    """
    own_role = require_role(actor, invitation.organization, Role.ADMIN)
    require_owner_for(own_role, Role(invitation.role))
    _count(invitation.organization)
    token, digest = _new_token()
    renewed = _open(invitation).update(digest=digest, expires_at=timezone.now() + LASTS, sent_at=None, invited_by=actor)
    if not renewed:
        raise _over()
    invitation.refresh_from_db()
    note(invitation.organization, MemberEvent.Kind.INVITED_AGAIN, actor=actor, email=invitation.email)
    return token


@transaction.atomic
def invitation_revoke(*, invitation: Invitation, actor: User) -> bool:
    """Make an invitation worth nothing. Returns False if it was accepted or withdrawn already."""
    require_role(actor, invitation.organization, Role.ADMIN)
    revoked = bool(_open(invitation).update(revoked_at=timezone.now()))
    if revoked:
        note(invitation.organization, MemberEvent.Kind.WITHDRAWN, actor=actor, email=invitation.email)
    return revoked


def invitation_mark_sent(*, invitation: Invitation) -> None:
    """Note that the e-mail of an invitation left."""
    with every_tenant():
        Invitation.objects.filter(pk=invitation.pk).update(sent_at=timezone.now())


def invitation_find(token: str) -> Invitation | None:
    """Return the invitation that a link is for, if it may still be accepted."""
    digest = _digest_of(token)
    if digest is None:
        return None
    with every_tenant():
        found = Invitation.objects.select_related("organization", "invited_by").filter(
            digest=digest, accepted_at=None, revoked_at=None, expires_at__gt=timezone.now()
        )
        return found.first()


def account_of(invitation: Invitation) -> User | None:
    """Return the account that the invited address has: one that can be signed in to."""
    user = User.objects.filter(email=invitation.email).first()
    return user if user is not None and user.has_usable_password() else None


@transaction.atomic
def invitation_accept(
    *, token: str, user: User | None, first_name: str = "", last_name: str = "", password: str = ""
) -> Membership:
    """Make the invited person a member, once; ``user`` is who is signed in, or None for somebody without an account.

    Who is new gets an account with ``password``. Raises ``ServiceError``: ``invitation_over`` (410) for a link that is
    used, withdrawn, too old or made up, ``other_person`` (403) for another account, ``sign_in_first`` (403) when
    the address has an account and nobody is signed in, ``weak_password`` (422).
    """
    invitation = invitation_find(token)
    if invitation is None:
        raise _over(410)
    known = account_of(invitation)
    if user is not None and user.email != invitation.email:
        raise ServiceError(
            "other_person",
            _("This invitation is for %(email)s: sign in with that address.") % {"email": invitation.email},
            status=403,
        )
    if user is None and known is not None:
        raise ServiceError("sign_in_first", _("This address has an account: sign in first."), status=403)
    if user is not None and not user.is_active:
        raise _over(410)
    joining = user or _new_person(invitation, first_name, last_name, password)
    with tenant_scope(invitation.organization_id):
        if not _open(invitation).filter(digest=invitation.digest).update(accepted_at=timezone.now()):
            raise _over(410)
        membership, _created = Membership.objects.get_or_create(
            organization=invitation.organization, user=joining, defaults={"role": invitation.role}
        )
        note(
            invitation.organization,
            MemberEvent.Kind.JOINED,
            actor=joining,
            email=invitation.email,
            role=Role(membership.role),
        )
    return membership


def _new_person(invitation: Invitation, first_name: str, last_name: str, password: str) -> User:
    """Return the account of the address, with this password: a new one, or one that never had any."""
    names = {"first_name": first_name.strip()[:150], "last_name": last_name.strip()[:150]}
    user, _created = User.objects.get_or_create(email=invitation.email, defaults=names)
    try:
        validate_password(password, user)
    except ValidationError as error:
        wrong = {"password": " ".join(error.messages)}
        raise ServiceError("weak_password", _("Choose another password."), status=422, fields=wrong) from error
    if not user.is_active:
        raise _over(410)
    user.set_password(password)
    user.save(update_fields=["password"])
    return user


def _open(invitation: Invitation) -> QuerySet[Invitation]:
    """Return the row, if it can still be accepted, renewed or withdrawn."""
    return Invitation.objects.filter(pk=invitation.pk, accepted_at=None, revoked_at=None)


def _new_token() -> tuple[str, str]:
    """Return a signed token for a link, and the digest by which it is found."""
    secret = secrets.token_urlsafe(32)
    return _SIGNER.sign(secret), hashlib.sha256(secret.encode()).hexdigest()


def _digest_of(token: str) -> str | None:
    try:
        return hashlib.sha256(_SIGNER.unsign(token).encode()).hexdigest()
    except signing.BadSignature:
        return None


def _count(organization: Organization) -> None:
    allow(bucket=f"invitations:{organization.pk}", limit=MOST_AN_HOUR, window_s=3600)


def _over(status: int = 409) -> ServiceError:
    return ServiceError("invitation_over", _("This invitation is over: it was accepted or withdrawn."), status=status)
