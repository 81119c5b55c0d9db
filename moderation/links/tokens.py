"""What an approval link holds, signed: the version that was sent, and the member it was sent to."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta

from django.core import signing

from moderation.notifications.message import Message
from organizations.models import Membership

LASTS = timedelta(days=7)
_SALT = "moderation.links.approval"


class LinkExpiredError(Exception):
    """A link of ours, older than links last."""


class NoSuchLinkError(Exception):
    """Nothing that was ever signed here."""


@dataclass(frozen=True, slots=True)
class ApprovalLink:
    """What a link decides on, and whose it is."""

    kind: str
    subject_id: uuid.UUID
    digest: str
    membership_id: uuid.UUID


def approval_token(message: Message, member: Membership) -> str:
    """Return the token of a link to decide on exactly this version, for this member."""
    content = [message.kind, message.subject_id, message.digest, str(member.pk)]
    return signing.dumps(content, salt=_SALT, compress=True)


def approval_link_read(token: str) -> ApprovalLink:
    """Return what a link holds. Raises ``LinkExpiredError`` or ``NoSuchLinkError``."""
    try:
        kind, subject_id, digest, member_id = signing.loads(token, salt=_SALT, max_age=LASTS)
        return ApprovalLink(str(kind), uuid.UUID(str(subject_id)), str(digest), uuid.UUID(str(member_id)))
    except signing.SignatureExpired as error:
        raise LinkExpiredError from error
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise NoSuchLinkError from error
