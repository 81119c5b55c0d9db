"""Who is asking: an anonymous visitor with a token of ours, or a person the host application vouches for."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.utils.translation import gettext as _

from organizations.errors import ServiceError
from organizations.models import EndUser, Organization
from organizations.ratelimit import allow

VISITOR_SALT = "circuy.visitor"
MAX_EXTERNAL_ID = 200
# Whoever leaves the token out is new each time: without this limit, a limit for each end user would limit nobody.
NEWCOMERS_PER_MINUTE = 60


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
    *, organization: Organization, external_id: str = "", user_hash: str = "", visitor: str = "", address: str = ""
) -> Identified:
    """Return the end user behind a request, creating the row on the first visit.

    A user id without its right HMAC is refused (``identity_invalid``, 403), never quietly treated as
    anonymous. A visitor token that is not ours is replaced by a new one; with an ``address``, only so many new
    visitors come from there in a minute (``rate_limited``, 429).
    """
    named = _named(organization, external_id, user_hash, visitor)
    if named is not None:
        end_user, _created = EndUser.objects.get_or_create(organization=organization, **named)
        return Identified(end_user)
    if address:
        allow(bucket=f"newcomers:{organization.pk}:{address}", limit=NEWCOMERS_PER_MINUTE)
    visitor_id = EndUser.new_visitor_id()
    end_user = EndUser.objects.create(organization=organization, visitor_id=visitor_id)
    return Identified(end_user, visitor_token(organization, visitor_id))


def end_user_find(
    *, organization: Organization, external_id: str = "", user_hash: str = "", visitor: str = ""
) -> EndUser | None:
    """Return the end user that a request names, or None: a read makes nobody up.

    Raises ``ServiceError`` (``identity_invalid``) as ``end_user_identify`` does.
    """
    named = _named(organization, external_id, user_hash, visitor)
    return None if named is None else EndUser.objects.filter(organization=organization, **named).first()


def _named(organization: Organization, external_id: str, user_hash: str, visitor: str) -> dict[str, Any] | None:
    """Return the proven columns of an end user, or None when nobody is named."""
    if external_id:
        if len(external_id) > MAX_EXTERNAL_ID:
            raise ServiceError(
                "identity_invalid",
                _("user.id has at most %(max)d characters.") % {"max": MAX_EXTERNAL_ID},
                status=403,
            )
        if not hmac.compare_digest(identity_hash(organization, external_id).encode(), user_hash.encode()):
            raise ServiceError(
                "identity_invalid",
                _("user.hash does not match user.id: send the HMAC-SHA256 of the id under the identity secret."),
                status=403,
            )
        return {"external_id": external_id}
    visitor_id = visitor_from_token(organization, visitor) if visitor else None
    return None if visitor_id is None else {"visitor_id": visitor_id}
