"""Slack: one message in the organization's channel for each thing to review."""

from __future__ import annotations

from http.client import HTTPException
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from moderation.notifications.errors import DeliveryError
from organizations.models import Organization

TIMEOUT_S = 10
# Block Kit refuses longer texts: 150 characters in a header, 3,000 in a section.
HEADER_MAX = 150
SECTION_MAX = 2900
# Answers that stay the same however often one asks.
PERMANENT = frozenset(
    {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "channel_not_found", "is_archived"}
)


def is_configured(organization: Organization) -> bool:
    """Whether the organization gave a bot token and a channel."""
    return bool(organization.slack_bot_token and organization.slack_channel)


def deliver(organization: Organization, payload: dict[str, Any]) -> str:
    """Post the message and return Slack's channel and timestamp, which name it for later updates.

    Raises ``DeliveryError``, with Slack's ``Retry-After`` when it limits the rate.
    """
    client = WebClient(token=organization.slack_bot_token, base_url=settings.SLACK_API_URL, timeout=TIMEOUT_S)
    headline = _("To review: %(title)s") % {"title": payload["title"]}
    try:
        answer = client.chat_postMessage(
            channel=organization.slack_channel,
            text=_escape(headline),
            blocks=_blocks(headline, payload),
            unfurl_links=False,
        )
    except SlackApiError as error:
        raise _delivery_error(error) from error
    except (SlackClientError, OSError, HTTPException) as error:
        raise DeliveryError(f"{type(error).__name__}: {error}") from error
    return f"{answer['channel']}:{answer['ts']}"


def _delivery_error(error: SlackApiError) -> DeliveryError:
    if error.response.status_code == 429:
        seconds = str(error.response.headers.get("Retry-After", "30"))
        return DeliveryError(
            "ratelimited", retry_after=int(seconds) if seconds.isdecimal() and len(seconds) < 6 else 30
        )
    code = str(error.response.get("error") or error.response.status_code)
    return DeliveryError(code, permanent=code in PERMANENT)


def _blocks(headline: str, payload: dict[str, Any]) -> list[dict[str, Any]]:
    context = "  ·  ".join(part for part in (payload["kind"], payload["page"]) if part)
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": {"type": "plain_text", "text": headline[:HEADER_MAX]}},
        {"type": "context", "elements": [{"type": "mrkdwn", "text": _escape(context) or "–"}]},
    ]
    if payload["question"]:
        blocks.append(_section("> " + _escape(payload["question"])))
    if payload["lines"]:
        numbered = (f"{number}. {_escape(line)}" for number, line in enumerate(payload["lines"], start=1))
        blocks.append(_section("\n".join(numbered)))
    open_button = {
        "type": "button",
        "style": "primary",
        "text": {"type": "plain_text", "text": _("Open the review")},
        "url": payload["url"],
        "action_id": "open_review",
    }
    blocks.append({"type": "actions", "elements": [open_button]})
    return blocks


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text[:SECTION_MAX]}}


def _escape(text: str) -> str:
    """Keep what people and models wrote from being read as Slack's markup (``<!channel>`` rings everyone)."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", " ")
