"""Slack, as far as these tests need it: a server that plays it, an organization connected to it, its requests."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone

from moderation.models import Channels, Notification, SlackLink
from moderation.notifications.outbox import due_notifications, notification_deliver
from organizations.models import Membership, User
from tests.admin.conftest import Browser
from tests.fakes.slack_server import TEAM, FakeSlack
from tests.fixtures import Tenant

SECRET = "the-app-signs-with-this"
PRESSER = "U0CLAIRE"


@pytest.fixture
def slack(settings: Any) -> Iterator[FakeSlack]:
    server = FakeSlack()
    settings.SLACK_API_URL = server.base_url
    settings.SLACK_SIGNING_SECRET = SECRET
    yield server
    server.close()


def connect_slack(tenant: Tenant, **changes: Any) -> Channels:
    """Give an organization a Slack workspace, and no e-mails."""
    values = {
        "slack_bot_token": f"xoxb-{tenant.organization.slug}",
        "slack_channel": "C0123",
        "slack_team_id": TEAM,
        "slack_team_name": "Maison Orée",
        "email_on": False,
        **changes,
    }
    channels, _created = Channels.objects.update_or_create(organization=tenant.organization, defaults=values)
    return channels


def link_slack(tenant: Tenant, user: User, slack_user: str = PRESSER) -> SlackLink:
    """Make a Slack user known as a member."""
    return SlackLink.objects.create(
        organization=tenant.organization,
        membership=Membership.objects.get(organization=tenant.organization, user=user),
        team_id=TEAM,
        slack_user_id=slack_user,
        slack_name="claire",
    )


def deliver_all() -> None:
    """Deliver what is due, and what that makes due, as the workers do."""
    for _round in range(4):
        Notification.objects.filter(state=Notification.State.WAITING).update(next_try_at=timezone.now())
        for pk in due_notifications(100):
            notification_deliver(pk)


@dataclass
class SlackApp:
    """Slack, calling: signs what it sends as the app does, unless told otherwise."""

    client: Client

    def send(self, path: str, body: bytes, **how: Any) -> Any:
        stamp = how.get("stamp", str(int(time.time())))
        secret = how.get("secret", SECRET)
        digest = hmac.new(secret.encode(), f"v0:{stamp}:".encode() + body, hashlib.sha256).hexdigest()
        headers = {
            "X-Slack-Request-Timestamp": stamp,
            "X-Slack-Signature": how.get("signature", f"v0={digest}"),
        }
        headers = {name: value for name, value in headers.items() if value is not None}
        sent = how.get("sent", body)
        return self.client.post(path, sent, content_type="application/x-www-form-urlencoded", headers=headers)

    def interact(self, payload: dict[str, Any], **how: Any) -> Any:
        body = urlencode({"payload": json.dumps(payload)}).encode()
        return self.send("/slack/interactions", body, **how)

    def press(self, button: dict[str, Any], *, user: str = PRESSER, team: str = TEAM, **how: Any) -> Any:
        """Press a button of a message; ``press`` names the press, which Slack may deliver more than once."""
        payload = {
            "type": "block_actions",
            "team": {"id": team},
            "user": {"id": user, "team_id": team, "name": "claire"},
            "trigger_id": how.pop("press", f"{time.time_ns()}.1"),
            "channel": {"id": "C0123"},
            "container": {"type": "message", "message_ts": "1700000000.000001", "channel_id": "C0123"},
            "actions": [{"action_id": button["action_id"], "value": button.get("value"), "type": "button"}],
        }
        payload["container"].update(how.pop("container", {}))
        return self.interact(payload, **how)

    def submit(self, view: dict[str, Any], reason: str | None, *, user: str = PRESSER, **how: Any) -> Any:
        """Send the window that asks for a reason."""
        payload = {
            "type": "view_submission",
            "team": {"id": TEAM},
            "user": {"id": user, "team_id": TEAM, "name": "claire"},
            "view": {**view, "state": {"values": {"reason": {"reason": {"value": reason}}}}},
        }
        return self.interact(payload, **how)

    def command(self, text: str = "", *, user: str = PRESSER, team: str = TEAM, **how: Any) -> Any:
        form = {"team_id": team, "user_id": user, "user_name": "claire", "command": "/circuy", "text": text}
        return self.send("/slack/commands", urlencode(form).encode(), **how)


@pytest.fixture
def app(slack: FakeSlack) -> SlackApp:
    return SlackApp(Browser(headers={"Accept-Language": "fr"}))


def buttons_of(message: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the buttons of a message by their action."""
    found = {}
    for block in message["blocks"]:
        if block["type"] == "actions":
            found.update({element["action_id"]: element for element in block["elements"]})
    return found
