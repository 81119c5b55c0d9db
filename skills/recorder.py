"""The recorder's credentials: a one-time code opened from the administration, then a short-lived token."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext as _

from organizations.errors import ServiceError
from organizations.models import Organization, Role, User
from organizations.permissions import require_role
from skills.models import RecorderCode

CODE_LIFETIME = timedelta(minutes=10)
TOKEN_LIFETIME = timedelta(minutes=30)
# However often a token is renewed.
RECORDING_LIFETIME = timedelta(hours=8)
TOKEN_PREFIX = "rt_"  # noqa: S105
TOKEN_SALT = "circuy.recorder"  # noqa: S105


@dataclass(frozen=True, slots=True)
class RecorderSession:
    """A member's browser that may send scans to one organization."""

    token: str
    organization: Organization
    member: User
    expires_in: int
    code: RecorderCode


def recorder_code_create(*, organization: Organization, actor: User) -> str:
    """Return a one-time code, valid ten minutes, for a member who may write."""
    require_role(actor, organization, Role.AUTHOR)
    code = secrets.token_urlsafe(18)
    RecorderCode.objects.create(
        organization=organization,
        created_by=actor,
        digest=_digest(code),
        expires_at=timezone.now() + CODE_LIFETIME,
    )
    return code


def recorder_code_exchange(*, organization: Organization, code: str) -> RecorderSession:
    """Use a code up and return the session it opens.

    Raises ``ServiceError`` (``code_used_or_expired``, 410); a code of another organization is one that does
    not exist here. Of two simultaneous uses one wins.
    """
    now = timezone.now()
    codes = RecorderCode.objects.filter(organization=organization, digest=_digest(code))
    if not codes.filter(used_at=None, expires_at__gt=now).update(used_at=now):
        raise ServiceError(
            "code_used_or_expired",
            _("This recording link was already used or has expired. Open a new one from the administration."),
            status=410,
        )
    row = codes.select_related("created_by").get()
    require_role(row.created_by, organization, Role.AUTHOR)
    return _session(row, organization)


def recorder_token_read(token: str) -> RecorderSession:
    """Return the session of a recorder token.

    Raises ``ServiceError`` (``recorder_token_invalid``, 401) when it is forged or older than half an hour, or its code
    was used more than eight hours ago, or when the member may no longer write.
    """
    try:
        pk = signing.loads(token.removeprefix(TOKEN_PREFIX), salt=TOKEN_SALT, max_age=TOKEN_LIFETIME)
    except signing.BadSignature as error:
        raise ServiceError(
            "recorder_token_invalid",
            _("The recording session has ended. Open a new one from the administration."),
            status=401,
        ) from error
    row = RecorderCode.objects.select_related("organization", "created_by").filter(pk=pk).first()
    if row is None or row.used_at is None or row.used_at + RECORDING_LIFETIME <= timezone.now():
        raise ServiceError("recorder_token_invalid", _("The recording session has ended."), status=401)
    require_role(row.created_by, row.organization, Role.AUTHOR)
    return RecorderSession(token, row.organization, row.created_by, int(TOKEN_LIFETIME.total_seconds()), row)


def recorder_token_renew(session: RecorderSession) -> RecorderSession:
    """Return the same session with a token that lasts half an hour from now, or what is left of the eight hours."""
    return _session(session.code, session.organization)


def _session(code: RecorderCode, organization: Organization) -> RecorderSession:
    token = TOKEN_PREFIX + signing.dumps(str(code.pk), salt=TOKEN_SALT)
    left = (code.used_at or timezone.now()) + RECORDING_LIFETIME - timezone.now()
    return RecorderSession(token, organization, code.created_by, int(min(left, TOKEN_LIFETIME).total_seconds()), code)


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
