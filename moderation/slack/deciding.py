"""A press of a button, or a reason given: the decision it asks for, through the same service as every other door."""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass
from typing import Any

from moderation.models import Channels, Decision, Reviewable
from moderation.notifications.message import subject_find
from moderation.services import review_decide
from moderation.slack.linking import linked_member
from moderation.slack.signature import SlackRequest
from moderation.states import Verb
from organizations.errors import ServiceError
from organizations.models import User
from organizations.scoping import tenant_scope

# What a decision is refused with when it, or another, was made before.
ALREADY = frozenset({"already_decided", "already_agreed"})
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a button is about: a version of a subject of one of the organizations that the request may speak for."""

    channels: Channels
    subject: Reviewable
    digest: str


def pressed_of(asked: SlackRequest, value: Any) -> Pressed | None:
    """Return what a button's value names, or None where it names nothing of these organizations'."""
    try:
        kind, subject_id, digest = json.loads(value)
        pk = uuid.UUID(subject_id)
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    if not isinstance(kind, str) or not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        return None
    for channels in asked.channels:
        with tenant_scope(channels.organization_id):
            subject = subject_find(kind, pk, channels.organization)
        if subject is not None:
            return Pressed(channels, subject, digest)
    return None


def member_of(asked: SlackRequest, channels: Channels) -> User | None:
    """Return the member that the Slack user is known as in this organization."""
    with tenant_scope(channels.organization_id):
        return linked_member(channels.organization, asked.team_id, asked.user_id)


def decide(pressed: Pressed, member: User, verb: Verb, reason: str = "") -> None:
    """Decide in the member's name.

    Asked again for what they decided here already, it answers as the first time. Raises ``ServiceError`` as
    ``review_decide`` does.
    """
    organization = pressed.channels.organization
    with tenant_scope(organization.pk):
        try:
            review_decide(
                model=type(pressed.subject),
                subject_id=pressed.subject.pk,
                organization=organization,
                actor=member,
                verb=verb,
                seen_digest=pressed.digest,
                reason=reason,
                channel=Decision.Channel.SLACK,
            )
        except ServiceError as error:
            if error.code not in ALREADY or not _decided_so(pressed, member, verb):
                raise


def _decided_so(pressed: Pressed, member: User, verb: Verb) -> bool:
    """Whether the last thing that happened to the subject is this very decision: one undone since does not count."""
    last = Decision.objects.filter(subject_id=pressed.subject.pk).order_by("-created_at", "-id").first()
    verbs = {verb, Verb.AGREE} if verb == Verb.APPROVE else {verb}
    return (
        last is not None
        and last.verb in verbs
        and (last.actor_id, last.digest, last.channel) == (member.pk, pressed.digest, Decision.Channel.SLACK)
    )
