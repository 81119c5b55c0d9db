"""Slack's web API: one message in the organization's channel for each thing to review, kept true as it is decided."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from http.client import HTTPException
from typing import Any

from django.conf import settings
from django.utils import timezone
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from moderation.models import Channels, Notification
from moderation.notifications.errors import DeliveryError, NoLongerNeededError, NotYetError, seconds_of
from moderation.notifications.message import Standing, standing_of
from moderation.notifications.slack_blocks import Blocks, fallback_text, reply_blocks, review_blocks
from organizations.models import Organization

TIMEOUT_S = 10
# How often a message is written anew because what it says changed while it was being written.
MOST_REWRITES = 3
# From a message's next try to the look whether it was sent; at most, since one that is being tried names a far time.
UNTIL_SENT = timedelta(seconds=10)
UNTIL_LOOKED_AT = timedelta(minutes=1)
# Answers that stay the same however often one asks.
PERMANENT = frozenset(
    {
        "account_inactive",
        "cant_update_message",
        "channel_not_found",
        "edit_window_closed",
        "invalid_auth",
        "invalid_blocks",
        "is_archived",
        "message_not_found",
        "missing_scope",
        "not_authed",
        "not_in_channel",
        "token_expired",
        "token_revoked",
        "user_not_in_channel",
    }
)


def slack_client(token: str | None = None, *, timeout_s: int = TIMEOUT_S) -> WebClient:
    """Return a client that tries once: what tries again is the outbox."""
    return WebClient(token=token, base_url=settings.SLACK_API_URL, timeout=timeout_s, retry_handlers=[])


def slack_call(call: Callable[..., Any], **arguments: Any) -> Any:
    """Call a method of the web API. Raises ``DeliveryError``, with Slack's ``Retry-After`` when it limits the rate."""
    try:
        return call(**arguments)
    except SlackApiError as error:
        if error.response.status_code == 429:
            wait = seconds_of(str(error.response.headers.get("Retry-After", "")))
            raise DeliveryError("ratelimited", retry_after=wait) from error
        code = str(error.response.get("error") or error.response.status_code)
        raise DeliveryError(code, permanent=code in PERMANENT) from error
    except (SlackClientError, OSError, HTTPException) as error:
        raise DeliveryError(f"{type(error).__name__}: {error}") from error


def deliver(notification: Notification, organization: Organization) -> str:
    """Post, rewrite or answer; return Slack's channel and timestamp, which name the message for later updates."""
    channels = Channels.objects.filter(organization=organization).first()
    if channels is None or not channels.slack_bot_token:
        raise NoLongerNeededError
    client = slack_client(channels.slack_bot_token)
    if notification.event == Notification.Event.REPLY:
        return _answer(client, notification)
    if notification.rewrites is not None:
        return _rewrite(client, notification, notification.rewrites, organization)
    return _post(client, notification, organization)


def _post(client: WebClient, notification: Notification, organization: Organization) -> str:
    """Post a message with its buttons; one about something decided meanwhile is not needed any more."""
    now = _standing(notification, organization)
    if not now.open:
        raise NoLongerNeededError
    answer = slack_call(
        client.chat_postMessage,
        channel=notification.recipient,
        text=fallback_text(now),
        blocks=review_blocks(now, reminder=notification.event == Notification.Event.REMINDER),
        unfurl_links=False,
        # Slack posts a message of this id once, however often it is sent.
        client_msg_id=str(notification.pk),
    )
    return f"{answer['channel']}:{answer['ts']}"


def _rewrite(client: WebClient, notification: Notification, first: Notification, organization: Organization) -> str:
    """Make a message that is there say how its subject stands now.

    It says what is true when it is written, not when the change was made: in whatever order changes are delivered, the
    last one written is right, since it is read again after each writing.
    """
    if first.state == Notification.State.WAITING:
        now = timezone.now()
        raise NotYetError(min(max(first.next_try_at, now) + UNTIL_SENT, now + UNTIL_LOOKED_AT))
    channel, _colon, stamp = first.provider_message_id.partition(":")
    if first.state != Notification.State.SENT or not stamp:
        raise NoLongerNeededError
    for _attempt in range(MOST_REWRITES):
        standing = _standing(notification, organization)
        reminder = first.event == Notification.Event.REMINDER
        slack_call(
            client.chat_update,
            channel=channel,
            ts=stamp,
            text=fallback_text(standing),
            blocks=review_blocks(standing, reminder=reminder),
        )
        if _same(standing, _standing(notification, organization)):
            break
    return first.provider_message_id


def _answer(client: WebClient, notification: Notification) -> str:
    """Tell one Slack user something in the channel where they pressed a button; nobody else sees it."""
    blocks: Blocks = reply_blocks(notification.payload)
    answer = slack_call(
        client.chat_postEphemeral,
        channel=notification.payload["channel"],
        user=notification.recipient,
        text=notification.payload["title"],
        blocks=blocks,
    )
    return str(answer.get("message_ts") or "")


def _standing(notification: Notification, organization: Organization) -> Standing:
    found = standing_of(notification.kind, notification.subject_id, organization)
    if found is None:
        raise NoLongerNeededError
    return found


def _same(before: Standing, after: Standing) -> bool:
    return (before.open, before.message.digest, before.outcome) == (after.open, after.message.digest, after.outcome)
