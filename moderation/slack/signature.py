"""Who a request from Slack may speak for: its signature over the raw body, against the secrets that are known.

The installation's app signs with ``SLACK_SIGNING_SECRET``. An organization with an app of its own gave its secret, and
what that one signs speaks for this organization alone: its owner could sign anything with it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.http import HttpRequest

from moderation.models import Channels
from moderation.notifications.text import clean_text
from organizations.scoping import every_tenant

MAX_BODY = 128 * 1024
WINDOW_S = 300
# A form of Slack's has some fifteen fields.
MOST_FIELDS = 50
_STAMP = re.compile(r"[0-9]{1,12}", re.ASCII)
# What names a workspace, a user or a channel: nothing else of a form that nobody has proven reaches the database.
SLACK_ID = re.compile(r"[A-Z0-9]{1,20}", re.ASCII)


class UnverifiedError(Exception):
    """Nobody who may speak here; ``status`` is what to answer."""

    def __init__(self, status: int = 401) -> None:
        super().__init__(str(status))
        self.status = status


@dataclass(frozen=True, slots=True)
class SlackRequest:
    """A signed form: who pressed or typed, and the organizations that this may concern."""

    form: dict[str, str]
    payload: dict[str, Any]
    team_id: str
    user_id: str
    user_name: str
    channels: list[Channels]


def slack_request(request: HttpRequest) -> SlackRequest:
    """Return what Slack sent. Raises ``UnverifiedError`` for whatever is not surely from Slack, and recent."""
    raw = _body(request)
    stamp = request.headers.get("X-Slack-Request-Timestamp", "")
    given = request.headers.get("X-Slack-Signature", "").encode(errors="backslashreplace")
    if not _STAMP.fullmatch(stamp) or abs(time.time() - int(stamp)) > WINDOW_S:
        raise UnverifiedError
    form, payload = _read(raw)
    team_id = _id_of(payload.get("team"), "id") or _id_of(payload.get("user"), "team_id") or form.get("team_id", "")
    channels = _speaks_for(raw, stamp, given, team_id)
    user = payload.get("user") if isinstance(payload.get("user"), dict) else {}
    user_id = _id_of(user, "id") or form.get("user_id", "")
    name = (user or {}).get("name") or (user or {}).get("username") or form.get("user_name", "")
    if not SLACK_ID.fullmatch(team_id) or not SLACK_ID.fullmatch(user_id):
        raise UnverifiedError(400)
    return SlackRequest(form, payload, team_id, user_id, clean_text(str(name))[:80], channels)


def _body(request: HttpRequest) -> bytes:
    length = request.headers.get("Content-Length") or ""
    if not (length.isascii() and length.isdecimal()) or len(length) > 9 or int(length) > MAX_BODY:
        raise UnverifiedError(413 if length.isdecimal() else 411)
    return request.body


def _read(raw: bytes) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the form and its payload; what cannot be read is as nothing, and no team will be found in it."""
    try:
        fields = parse_qs(raw.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
        form = {name: values[0] for name, values in fields.items()}
        payload = json.loads(form["payload"]) if "payload" in form else {}
    except (ValueError, RecursionError):
        return {}, {}
    return form, payload if isinstance(payload, dict) else {}


def _id_of(value: Any, key: str) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _speaks_for(raw: bytes, stamp: str, given: bytes, team_id: str) -> list[Channels]:
    """Return the organizations of a team that the signer may speak for; nobody without a secret that fits."""
    of_team: list[Channels] = []
    if SLACK_ID.fullmatch(team_id):
        with every_tenant():
            named = Channels.objects.filter(slack_team_id=team_id).select_related("organization")
            of_team = list(named.order_by("pk"))
    ours = settings.SLACK_SIGNING_SECRET
    if ours and _fits(ours, raw, stamp, given):
        return [channels for channels in of_team if not channels.slack_signing_secret]
    own = [row for row in of_team if row.slack_signing_secret and _fits(row.slack_signing_secret, raw, stamp, given)]
    if not own:
        raise UnverifiedError
    return own


def _fits(secret: str, raw: bytes, stamp: str, given: bytes) -> bool:
    digest = hmac.new(secret.encode(), b"v0:" + stamp.encode() + b":" + raw, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"v0={digest}".encode(), given)
