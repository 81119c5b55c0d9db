"""Who is asking: an anonymous visitor with a token of ours, or a person the host application vouches for."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from dataclasses import dataclass

from django.core import signing
from django.utils.translation import gettext as _

from organizations.errors import ServiceError
from organizations.models import EndUser, Organization

VISITOR_SALT = "circuy.visitor"


@dataclass(frozen=True, slots=True)
class Identified:
    """The end user of a request; ``new_visitor_token`` is set when the browser must remember a new one."""

    end_user: EndUser
    new_visitor_token: str | None = None


def visitor_token(organization: Organization, visitor_id: uuid.UUID) -> str:
    """Return the signed token that makes an anonymous browser recognisable to this organization alone."""
    return signing.dumps([str(organization.id), str(visitor_id)], salt=VISITOR_SALT, compress=False)


def visitor_from_token(organization: Organization, token: str) -> uuid.UUID | None:
    """Return the visitor's id, or None when the token is forged, foreign or malformed."""
    try:
        owner, visitor = signing.loads(token, salt=VISITOR_SALT)
        return uuid.UUID(visitor) if owner == str(organization.id) else None
    except (signing.BadSignature, ValueError, TypeError):
        return None


def identity_hash(organization: Organization, external_id: str) -> str:
    """Return the hexadecimal HMAC-SHA256 that the host application must send with a user's id."""
    return hmac.new(organization.identity_secret.encode(), external_id.encode(), hashlib.sha256).hexdigest()


def end_user_identify(
    *, organization: Organization, external_id: str = "", user_hash: str = "", visitor: str = ""
) -> Identified:
    """Return the end user behind a request, creating the row on the first visit.

    A user id without its right HMAC is refused (``identity_invalid``, 403), never quietly treated as
    anonymous. A visitor token that is not ours is replaced by a new one.
    """
    if external_id:
        if not hmac.compare_digest(identity_hash(organization, external_id).encode(), user_hash.encode()):
            raise ServiceError(
                "identity_invalid",
                _("user.hash does not match user.id: send the HMAC-SHA256 of the id under the identity secret."),
                status=403,
            )
        end_user, _created = EndUser.objects.get_or_create(organization=organization, external_id=external_id)
        return Identified(end_user)
    known = visitor_from_token(organization, visitor) if visitor else None
    visitor_id = known or EndUser.new_visitor_id()
    end_user, _created = EndUser.objects.get_or_create(organization=organization, visitor_id=visitor_id)
    return Identified(end_user, None if known else visitor_token(organization, visitor_id))
