"""Which member a Slack user is: said by the member, signed in, about a link that Slack handed to that user alone."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta

from django.core import signing
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from moderation.models import Channels, SlackLink
from moderation.notifications.message import absolute
from organizations.errors import ServiceError, not_found
from organizations.models import Membership, Organization, Role, User
from organizations.permissions import require_role

LASTS = timedelta(minutes=10)
_SALT = "moderation.slack.linking"


@dataclass(frozen=True, slots=True)
class LinkRequest:
    """A Slack user who asked to be known as a member of an organization."""

    organization_id: uuid.UUID
    team_id: str
    slack_user_id: str
    slack_name: str


def linking_url(organization: Organization, team_id: str, slack_user_id: str, slack_name: str) -> str:
    """Return the address where a member says that this Slack user is them; it lasts ten minutes."""
    token = signing.dumps([str(organization.pk), team_id, slack_user_id, slack_name], salt=_SALT, compress=True)
    return absolute(reverse("admin:slack_link", args=[token]))


def link_request_read(token: str) -> LinkRequest:
    """Return what a linking address holds. Raises ``ServiceError``: ``link_expired`` (410), ``not_found`` (404)."""
    try:
        organization_id, team_id, slack_user_id, slack_name = signing.loads(token, salt=_SALT, max_age=LASTS)
        return LinkRequest(uuid.UUID(str(organization_id)), str(team_id), str(slack_user_id), str(slack_name))
    except signing.SignatureExpired as error:
        expired = _("This link has expired: type /circuy link in Slack for a new one.")
        raise ServiceError("link_expired", expired, status=410) from error
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise not_found(_("This link does not exist.")) from error


def linked_member(organization: Organization, team_id: str, slack_user_id: str) -> User | None:
    """Return the member that a Slack user is known as, or None; call inside the organization's scope."""
    link = (
        SlackLink.objects.filter(organization=organization, team_id=team_id, slack_user_id=slack_user_id)
        .select_related("membership__user")
        .first()
    )
    return link.membership.user if link else None


@transaction.atomic
def slack_link_create(*, organization: Organization, actor: User, asked: LinkRequest) -> SlackLink:
    """Make a Slack user's buttons decide in the actor's name; what either was linked to before is not any more.

    Raises ``ServiceError``: ``not_found`` (404) for somebody who is no member, or a workspace that is not the
    organization's (any more).
    """
    require_role(actor, organization, Role.VIEWER)
    own = Channels.objects.filter(organization=organization, slack_team_id=asked.team_id)
    if asked.organization_id != organization.pk or not own.exists():
        raise not_found(_("This Slack workspace is not your organization’s."))
    membership = Membership.objects.select_for_update().get(organization=organization, user=actor)
    SlackLink.objects.filter(membership=membership).delete()
    link, _created = SlackLink.objects.update_or_create(
        organization=organization,
        team_id=asked.team_id,
        slack_user_id=asked.slack_user_id,
        defaults={"membership": membership, "slack_name": asked.slack_name},
    )
    return link


@transaction.atomic
def slack_link_remove(*, link: SlackLink, actor: User) -> None:
    """Make a Slack user a stranger again: one's own link, or anybody's for an administrator."""
    needed = Role.VIEWER if link.membership.user_id == actor.pk else Role.ADMIN
    require_role(actor, link.organization, needed)
    link.delete()
