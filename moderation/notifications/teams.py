"""Teams: an Adaptive Card, posted to the address of a workflow; its button opens the review."""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import gettext as _

from moderation.models import Channels, Notification
from moderation.notifications.errors import NoLongerNeededError
from moderation.notifications.message import Message, standing_of
from moderation.notifications.public_http import post_public, require_success
from organizations.models import Organization

# Workflows refuse more than 28 KB; the words of a long tour are cut far below it.
LINES_SHOWN = 12
TEXT_MAX = 300
# Answers that stay the same: the workflow was deleted, or wants somebody to sign in.
GONE = frozenset({400, 401, 403, 404, 410, 413})


def deliver(notification: Notification, organization: Organization) -> str:
    """Post the card, unless what it would ask is decided by now."""
    channels = Channels.objects.filter(organization=organization).first()
    if channels is None or not channels.teams_url:
        raise NoLongerNeededError
    now = standing_of(notification.kind, notification.subject_id, organization)
    if now is None or not now.open:
        raise NoLongerNeededError
    reminder = notification.event == Notification.Event.REMINDER
    body = json.dumps(card_message(now.message, reminder=reminder), ensure_ascii=False).encode()
    answer = post_public(channels.teams_url, body, {"Content-Type": "application/json; charset=utf-8"})
    require_success(answer, gone=GONE)
    return ""


def card_message(message: Message, *, reminder: bool = False) -> dict[str, Any]:
    """Return the message that a workflow posts: an Adaptive Card in the envelope that Teams expects.

    What people and models wrote stands in text runs, which know no markup; text blocks would read links in it.
    """
    heading = _("Still to review: %(title)s") if reminder else _("To review: %(title)s")
    body: list[dict[str, Any]] = [
        _text(heading % {"title": message.title}, weight="bolder", size="large"),
        _text("  ·  ".join(part for part in (message.kind_label, message.page) if part), subtle=True),
    ]
    if message.question:
        body.append(_text(_("“%(words)s”") % {"words": message.question}, italic=True))
    for number, line in enumerate(message.lines[:LINES_SHOWN], start=1):
        body.append(_text(f"{number}. {line}", spacing="small"))
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.5",
        "fallbackText": heading % {"title": message.title},
        "body": body,
        "actions": [{"type": "Action.OpenUrl", "title": _("Open the review"), "url": message.url, "style": "positive"}],
        "msteams": {"width": "Full"},
    }
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": None, "content": card}
    return {"type": "message", "attachments": [attachment]}


def _text(text: str, *, spacing: str = "default", subtle: bool = False, **run: Any) -> dict[str, Any]:
    inline = {"type": "TextRun", "text": text[:TEXT_MAX], "isSubtle": subtle, **run}
    return {"type": "RichTextBlock", "inlines": [inline], "spacing": spacing}
