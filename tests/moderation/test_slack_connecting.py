"""Connecting a workspace: by Slack's consent page, or with a token that Slack is asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from django.conf import settings
from django.urls import reverse

from moderation.models import Channels, SlackLink
from moderation.slack.oauth import SCOPES
from organizations.models import Membership, Role
from organizations.scoping import every_tenant
from tests.admin.conftest import Browser, browser_of, text_of
from tests.fakes.slack_server import TEAM
from tests.fixtures import Tenant
from tests.moderation.conftest import connect_slack, link_slack

START = "/slack/oauth/start"
CALLBACK = "/slack/oauth/callback"


@pytest.fixture(autouse=True)
def _app(slack, settings):
    settings.SLACK_CLIENT_ID, settings.SLACK_CLIENT_SECRET = "123.456", "client-secret"


def state_of(response: Any) -> str:
    location: str = response.headers["Location"]
    return parse_qs(urlsplit(location).query)["state"][0]


def start(browser: Any, tenant: Any) -> str:
    return state_of(browser.get(START, {"organization": str(tenant.organization.pk)}))


def page_of(tenant: Tenant) -> str:
    return reverse("admin:channels", args=[tenant.organization.pk])


def channels() -> list[tuple[str, str, str]]:
    with every_tenant():
        return [(row.slack_bot_token, row.slack_team_id, row.slack_team_name) for row in Channels.objects.all()]


def test_the_consent_page_is_asked_for_what_the_app_needs(oree):
    response = browser_of(oree.owner).get(START, {"organization": str(oree.organization.pk)})
    address = urlsplit(response.headers["Location"])
    query = parse_qs(address.query)
    assert (address.netloc, address.path) == ("slack.com", "/oauth/v2/authorize")
    assert query["scope"] == ["chat:write,chat:write.public,commands"]
    assert query["redirect_uri"][0].endswith(CALLBACK)


def test_coming_back_keeps_the_token_encrypted_and_the_workspace(oree, slack):
    browser = browser_of(oree.owner)
    response = browser.get(CALLBACK, {"state": start(browser, oree), "code": "good-code"}, follow=True)
    assert response.request["PATH_INFO"] == page_of(oree)
    assert channels() == [("xoxb-by-oauth", TEAM, "Maison Orée")]
    assert "xoxb-by-oauth" not in response.content.decode()
    asked = slack.calls_of("oauth.v2.access")[0]
    assert asked["code"] == "good-code"


def test_a_code_that_slack_refuses_connects_nothing(oree):
    browser = browser_of(oree.owner)
    response = browser.get(CALLBACK, {"state": start(browser, oree), "code": "stale"}, follow=True)
    assert "invalid_code" in text_of(response)
    assert channels() == []


@pytest.mark.parametrize("fault", [500, 0])
def test_a_slack_that_does_not_answer_connects_nothing(oree, slack, fault):
    browser = browser_of(oree.owner)
    state = start(browser, oree)
    slack.fail_with(fault)
    response = browser.get(CALLBACK, {"state": state, "code": "good-code"}, follow=True)
    assert response.status_code == 200
    assert channels() == []


def test_a_state_is_good_once(oree):
    browser = browser_of(oree.owner)
    state = start(browser, oree)
    browser.get(CALLBACK, {"state": state, "code": "good-code"})
    Channels.objects.all().delete()
    browser.get(CALLBACK, {"state": state, "code": "good-code"})
    assert channels() == []


def test_a_state_is_good_in_its_own_session_alone(oree, slack):
    """Somebody sends an administrator the way back of their own consent."""
    theirs = browser_of(oree.owner)
    state = start(theirs, oree)
    victim = browser_of(oree.owner)
    victim.get(CALLBACK, {"state": state, "code": "good-code"})
    start(victim, oree)
    victim.get(CALLBACK, {"state": state, "code": "good-code"})
    assert channels() == []
    assert slack.calls_of("oauth.v2.access") == []


def test_refusing_consent_connects_nothing(oree):
    browser = browser_of(oree.owner)
    response = browser.get(CALLBACK, {"state": start(browser, oree), "error": "access_denied"}, follow=True)
    assert "n’a pas été connecté" in text_of(response)
    assert channels() == []


@pytest.mark.parametrize("state", ["", "x", "x:y:z"])
def test_a_state_that_nobody_signed_is_not_there(oree, state):
    assert browser_of(oree.owner).get(CALLBACK, {"state": state, "code": "good-code"}).status_code == 404


def test_only_administrators_of_the_organization_connect_it(oree, stranger):
    for member in (oree.reviewer, stranger.owner):
        assert browser_of(member).get(START, {"organization": str(oree.organization.pk)}).status_code == 404
    assert Browser().get(START, {"organization": str(oree.organization.pk)}).status_code == 302
    browser = browser_of(stranger.owner)
    state = start(browser_of(oree.owner), oree)
    assert browser.get(CALLBACK, {"state": state, "code": "good-code"}).status_code == 404
    for wrong in ("", "x", str(stranger.organization.pk)):
        assert browser_of(oree.owner).get(START, {"organization": wrong}).status_code == 404
    assert channels() == []


def test_without_a_client_id_there_is_no_button(oree, settings):
    settings.SLACK_CLIENT_ID = ""
    assert browser_of(oree.owner).get(START, {"organization": str(oree.organization.pk)}).status_code == 404
    assert START not in browser_of(oree.owner).get(page_of(oree)).content.decode()


def test_a_typed_token_is_shown_to_slack_which_says_whose_it_is(oree, slack):
    form = {"slack_bot_token": "xoxb-typed", "slack_channel": "#guides", "email_on": "on"}
    response = browser_of(oree.owner).post(page_of(oree), form, follow=True)
    assert channels() == [("xoxb-typed", TEAM, "Maison Orée")]
    assert "Maison Orée" in text_of(response)
    assert "xoxb-typed" not in response.content.decode()
    assert slack.calls_of("auth.test")[0]["_token"] == "xoxb-typed"


def test_a_refused_token_is_told_at_its_field(oree, slack):
    slack.refused.add("xoxb-wrong")
    response = browser_of(oree.owner).post(page_of(oree), {"slack_bot_token": "xoxb-wrong", "slack_channel": "#guides"})
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"slack_bot_token"}
    assert "invalid_auth" in text_of(response)
    assert channels() == []


def test_a_slack_that_is_down_is_told_at_the_field(oree, slack):
    slack.fail_with(503)
    response = browser_of(oree.owner).post(page_of(oree), {"slack_bot_token": "xoxb-typed", "slack_channel": "#guides"})
    assert response.status_code == 422
    assert "réessayez" in text_of(response)


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"slack_channel": "#guides"}, "slack_bot_token"),
        ({"slack_bot_token": "xoxb-typed"}, "slack_channel"),
        ({"slack_bot_token": "jetôn", "slack_channel": "#guides"}, "slack_bot_token"),
    ],
)
def test_half_a_connection_is_refused_at_the_field_that_is_missing(oree, form, field):
    response = browser_of(oree.owner).post(page_of(oree), form)
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {field}


def test_saving_the_rest_keeps_the_token(oree):
    connect_slack(oree)
    browser_of(oree.owner).post(page_of(oree), {"slack_channel": "C0123"})
    assert channels() == [("xoxb-oree", TEAM, "Maison Orée")]
    assert not Channels.objects.get().email_on


def test_disconnecting_forgets_the_token_and_who_its_users_are(oree):
    connect_slack(oree)
    link_slack(oree, oree.reviewer)
    browser_of(oree.owner).post(reverse("admin:slack_disconnect", args=[oree.organization.pk]))
    assert channels() == [("", "", "")]
    assert not SlackLink.objects.exists()


def test_another_workspace_knows_none_of_the_old_ones_users(oree):
    connect_slack(oree, slack_team_id="T0OLD")
    link = link_slack(oree, oree.reviewer)
    SlackLink.objects.filter(pk=link.pk).update(team_id="T0OLD")
    browser_of(oree.owner).post(page_of(oree), {"slack_bot_token": "xoxb-typed", "slack_channel": "#guides"})
    assert not SlackLink.objects.exists()


def test_secrets_are_unreadable_in_the_database(oree):
    from django.db import connection

    connect_slack(oree, slack_signing_secret="very-secret", teams_url="https://teams.example/very-secret")
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM moderation_channels")
        raw = str(cursor.fetchall())
    assert "xoxb" not in raw
    assert "very-secret" not in raw


def test_the_manifest_names_our_addresses_and_what_the_app_needs():
    manifest = yaml.safe_load((Path(settings.BASE_DIR) / "deploy" / "slack" / "manifest.yaml").read_text())
    (command,) = manifest["features"]["slash_commands"]
    named = [
        command["url"],
        manifest["settings"]["interactivity"]["request_url"],
        *manifest["oauth_config"]["redirect_urls"],
    ]
    ours = ["slack_commands", "slack_interactions", "slack_oauth_callback"]
    assert [urlsplit(address).path for address in named] == [reverse(name) for name in ours]
    assert manifest["oauth_config"]["scopes"]["bot"] == list(SCOPES)


@pytest.mark.parametrize(("before", "typed"), [("", "a-new-secret"), ("the-old-secret", "a-new-secret")])
def test_another_signing_secret_takes_an_owner_and_unlinks_everybody(oree, before, typed):
    connect_slack(oree, slack_signing_secret=before)
    link_slack(oree, oree.reviewer)
    Membership.objects.filter(user=oree.author).update(role=Role.ADMIN)
    form = {"slack_channel": "C0123", "slack_signing_secret": typed}
    refused = browser_of(oree.author).post(page_of(oree), form)
    assert refused.status_code == 422
    assert (Channels.objects.get().slack_signing_secret, SlackLink.objects.count()) == (before, 1)
    browser_of(oree.owner).post(page_of(oree), form)
    assert (Channels.objects.get().slack_signing_secret, SlackLink.objects.count()) == (typed, 0)


def test_an_administrator_saves_the_rest_and_links_stay(oree):
    connect_slack(oree, slack_signing_secret="kept")
    link_slack(oree, oree.reviewer)
    Membership.objects.filter(user=oree.author).update(role=Role.ADMIN)
    assert browser_of(oree.author).post(page_of(oree), {"slack_channel": "C0999"}).status_code == 302
    assert (Channels.objects.get().slack_channel, SlackLink.objects.count()) == ("C0999", 1)


def test_connecting_by_the_button_in_place_of_ones_own_app_unlinks_everybody(oree):
    connect_slack(oree, slack_signing_secret="of-our-own-app")
    link_slack(oree, oree.reviewer)
    browser = browser_of(oree.owner)
    browser.get(CALLBACK, {"state": start(browser, oree), "code": "good-code"})
    assert not SlackLink.objects.exists()
