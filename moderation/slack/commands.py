"""``/circuy``: what waits for a review, to those who are known here."""

from __future__ import annotations

from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from moderation.notifications.message import message_of
from moderation.notifications.slack_blocks import links_blocks, list_blocks
from moderation.selectors import MANY, inbox, inbox_count
from moderation.slack.deciding import member_of
from moderation.slack.linking import linking_url
from moderation.slack.replies import how_to_link
from moderation.slack.signature import SlackRequest
from organizations.models import Organization, Role, User
from organizations.permissions import role_in
from organizations.scoping import tenant_scope

SHOWN = 10
LINK = frozenset({"link", "lier"})
HELP = frozenset({"help", "aide"})


def answer_command(asked: SlackRequest) -> dict[str, Any]:
    """Return Slack's answer to a command, seen by whoever typed it and nobody else."""
    if not asked.channels:
        return _text(_("This Slack workspace is not connected to Circuy."))
    channels = asked.channels[0]
    word = asked.form.get("text", "").strip().lower()
    with translation.override(channels.organization.locale):
        if word in HELP:
            return _text(_("/circuy shows what waits for a review; /circuy link links your Slack account to Circuy."))
        if word in LINK:
            return _link(asked, _("Link your Slack account to your Circuy account:"))
        known = [(row.organization, member) for row in asked.channels if (member := member_of(asked, row))]
        if not known:
            return _link(asked, how_to_link())
        return _waiting(known)


def _waiting(known: list[tuple[Organization, User]]) -> dict[str, Any]:
    """What waits in the organizations where they may decide; others have only what they look at there."""
    able = [organization for organization, member in known if _reviews(member, organization)]
    if not able:
        return _text(_("Only reviewers decide. Ask an administrator of your organization."))
    with tenant_scope(*(organization.pk for organization in able)):
        items = inbox(limit=SHOWN)
        total = len(items) if len(items) < SHOWN else inbox_count()
        messages = [message_of(item.subject) for item in items]
    if not messages:
        return _text(_("Nothing waits for a review."))
    sign = "+" if total == MANY else ""
    heading = _("To review: %(n)s") % {"n": f"{total - bool(sign)}{sign}"}
    more = f"{total - len(messages)}{sign}" if total > len(messages) else ""
    return {"response_type": "ephemeral", "text": heading, "blocks": list_blocks(messages, more)}


def _reviews(member: User, organization: Organization) -> bool:
    role = role_in(member, organization)
    return role is not None and role.includes(Role.REVIEWER)


def _link(asked: SlackRequest, text: str) -> dict[str, Any]:
    """Offer to link the account: in each organization that shares the workspace, which its button then names."""
    several = len(asked.channels) > 1
    links = [
        (
            row.organization.name if several else _("Link my account"),
            linking_url(row.organization, asked.team_id, asked.user_id, asked.user_name),
        )
        for row in asked.channels
    ]
    return {"response_type": "ephemeral", "text": text, "blocks": links_blocks(text, links)}


def _text(text: str) -> dict[str, Any]:
    return {"response_type": "ephemeral", "text": text}
