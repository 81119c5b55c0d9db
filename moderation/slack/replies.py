"""What Circuy tells one Slack user who pressed a button: through the outbox, once for each press."""

from __future__ import annotations

import hashlib
from typing import Any

from django.utils.translation import gettext as _

from moderation.models import Channels, Notification
from moderation.notifications.announcing import notifications_write
from moderation.slack.linking import linking_url
from moderation.slack.signature import SLACK_ID, SlackRequest


def reply(asked: SlackRequest, channels: Channels, text: str, *, url: str = "", button: str = "") -> None:
    """Answer a press where it was made, seen by nobody else; a press that is delivered again is answered once."""
    where = _channel_of(asked.payload)
    if not where:
        return
    press = str(asked.payload.get("trigger_id") or asked.payload.get("container") or "")
    notifications_write(
        [
            Notification(
                organization=channels.organization,
                channel=Notification.Channel.SLACK,
                recipient=asked.user_id,
                event=Notification.Event.REPLY,
                event_key=f"reply:{hashlib.sha256(press.encode(errors='replace')).hexdigest()}",
                payload={"title": text, "channel": where, "url": url, "button": button},
            )
        ]
    )


def reply_how_to_link(asked: SlackRequest, channels: Channels) -> None:
    """Tell somebody unknown how to become known."""
    url = linking_url(channels.organization, asked.team_id, asked.user_id, asked.user_name)
    reply(asked, channels, how_to_link(), url=url, button=_("Link my account"))


def how_to_link() -> str:
    """Return what a Slack user is told whom no member has claimed."""
    return _("Circuy does not know you here yet. Link your Slack account to your Circuy account, then try again.")


def _channel_of(payload: dict[str, Any]) -> str:
    for holder, key in (("channel", "id"), ("container", "channel_id")):
        value = payload.get(holder)
        named = value.get(key) if isinstance(value, dict) else None
        if isinstance(named, str) and SLACK_ID.fullmatch(named):
            return named
    return ""
