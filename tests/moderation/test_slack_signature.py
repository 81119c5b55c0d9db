"""Only Slack gets in, and only now: case 36, at every address that Slack calls."""

from __future__ import annotations

import json
import time
from urllib.parse import urlencode

import pytest

from moderation.models import Notification
from tests.moderation.conftest import SECRET, connect_slack

ADDRESSES = ["/slack/interactions", "/slack/commands"]
BODY = urlencode({"team_id": "T0OREE", "user_id": "U1", "command": "/circuy", "payload": '{"type":"x"}'}).encode()


@pytest.fixture(autouse=True)
def _connected(oree):
    connect_slack(oree)


def stamp(seconds: int) -> str:
    return str(int(time.time()) + seconds)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    "how",
    [
        {"secret": "another-app"},
        {"signature": "v0=" + "0" * 64},
        {"signature": ""},
        {"signature": None},
        {"signature": "v0=é"},
        {"signature": "v1=" + "0" * 64},
        {"stamp": "soon"},
        {"stamp": "1e9"},
        {"stamp": "-5"},
        {"stamp": "٣"},
        {"stamp": ""},
        {"stamp": "9" * 30},
        {"stamp": "0"},
        {"sent": BODY.replace(b"circuy", b"Circuy")},
        {"sent": BODY + b"&text=link"},
        {"sent": b""},
        {"sent": b"\xff\xfe" + BODY},
    ],
    ids=lambda how: next(iter(how)) + "-" + repr(next(iter(how.values())))[:12],
)
def test_whatever_is_not_surely_slack_is_refused(app, address, how):
    # Without a body there is no length either.
    assert app.send(address, BODY, **how).status_code == (411 if how.get("sent") == b"" else 401)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("seconds", [-301, -3600, 301])
def test_what_was_signed_long_ago_is_refused_as_a_replay(app, address, seconds):
    assert app.send(address, BODY, stamp=stamp(seconds - (1 if seconds < 0 else -1))).status_code == 401


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("seconds", [-240, 0, 240])
def test_what_was_signed_within_the_window_is_taken(app, address, seconds):
    assert app.send(address, BODY, stamp=stamp(seconds)).status_code == 200


@pytest.mark.parametrize("address", ADDRESSES)
def test_without_a_secret_nothing_is_believed(app, address, settings):
    settings.SLACK_SIGNING_SECRET = ""
    assert app.send(address, BODY, secret="").status_code == 401
    assert app.send(address, BODY, secret=SECRET).status_code == 401


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_body_that_is_too_large_is_not_read(app, address):
    assert app.send(address, b"a=" + b"x" * 200_000).status_code == 413


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_form_of_a_thousand_fields_is_nothing(app, address):
    body = urlencode([(f"f{number}", "x") for number in range(1000)]).encode()
    assert app.send(address, body).status_code in (400, 401)


@pytest.mark.parametrize("address", ADDRESSES)
def test_only_posts_are_answered(app, address):
    assert app.client.get(address).status_code == 405


@pytest.mark.parametrize("payload", ["", "[]", "null", "{", "[" * 30_000, '{"type":7}', '{"team":[],"user":"x"}'])
def test_a_signed_form_that_makes_no_sense_is_refused_without_a_fault(app, payload):
    answer = app.send("/slack/interactions", urlencode({"payload": payload}).encode())
    assert answer.status_code in (200, 400)


ODD_TEAMS = ["T\x00", "\ud800", "t0oree", "", "T" * 21]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("team", ODD_TEAMS, ids=ascii)
def test_an_unsigned_workspace_of_odd_characters_is_refused_without_a_fault(app, address, team):
    bodies = [
        urlencode({"payload": json.dumps(payload)}) for payload in ({"team": {"id": team}}, {"user": {"team_id": team}})
    ]
    bodies.append(urlencode({"team_id": team}, errors="surrogatepass"))
    for body in bodies:
        assert app.send(address, body.encode(), secret="nobodys").status_code == 401


@pytest.mark.parametrize("channel", ["C\x00", "\ud800", "c1"], ids=ascii)
def test_a_channel_of_odd_characters_is_answered_nowhere(app, channel):
    """An app of one's own signs whatever its owner likes."""
    payload = {
        "type": "block_actions",
        "team": {"id": "T0OREE"},
        "user": {"id": "U1"},
        "channel": {"id": channel},
        "actions": [{"action_id": "review_approve", "value": "nothing"}],
    }
    assert app.interact(payload).status_code == 200
    assert not Notification.objects.exists()
