"""Who a Slack user is: said by a signed-in member about a link that Slack gave, and by nothing else."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core import signing
from django.urls import reverse
from django.utils import timezone

from moderation.models import SlackLink
from moderation.slack.linking import LASTS
from organizations.models import Membership, Role
from organizations.scoping import every_tenant
from skills.models import PageSkill
from tests.admin.conftest import Browser, browser_of, text_of
from tests.fakes.slack_server import TEAM
from tests.fixtures import invoice_scan
from tests.moderation.conftest import PRESSER, connect_slack, link_slack


@pytest.fixture(autouse=True)
def _connected(oree, slack):
    connect_slack(oree)


def address_in(answer: Any) -> str:
    found = re.search(r"/admin/slack/link/[\w:.-]+/", json.dumps(answer.json()))
    assert found
    return found.group()


@pytest.fixture
def address(app):
    return address_in(app.command("link"))


def links() -> list[tuple[str, Any]]:
    with every_tenant():
        return [
            (link.slack_user_id, link.membership.user) for link in SlackLink.objects.select_related("membership__user")
        ]


def test_looking_links_nothing_and_pressing_does(oree, address):
    browser = browser_of(oree.reviewer)
    page = browser.get(address)
    assert "claire" in text_of(page)
    assert str(oree.reviewer) in text_of(page)
    assert links() == []
    assert browser.post(address, follow=True).status_code == 200
    assert links() == [(PRESSER, oree.reviewer)]


def test_who_is_not_signed_in_links_nothing(address):
    assert Browser().get(address).status_code == 302
    assert Browser().post(address).status_code == 302
    assert links() == []


def test_a_post_from_another_site_links_nothing(oree, address):
    browser = Browser(enforce_csrf_checks=True)
    browser.force_login(oree.reviewer)
    assert browser.post(address).status_code == 403
    assert links() == []


def test_a_stranger_links_nothing(stranger, address):
    assert browser_of(stranger.owner).get(address).status_code == 404
    assert browser_of(stranger.owner).post(address).status_code == 404
    assert links() == []


def test_a_link_lasts_ten_minutes(oree, address, monkeypatch):
    later = timezone.now() + LASTS + timedelta(seconds=5)
    monkeypatch.setattr("django.core.signing.time.time", later.timestamp)
    response = browser_of(oree.reviewer).post(address)
    assert response.status_code == 410
    assert "/circuy lier" in text_of(response)
    assert links() == []


def test_a_tampered_link_is_no_link(oree, address):
    wrong = address.replace("/link/", "/link/x")
    assert browser_of(oree.reviewer).post(wrong).status_code == 404
    for content in ([], "x", [1, 2, 3, 4], [str(oree.organization.pk), TEAM, "U1"]):
        token = signing.dumps(content, salt="moderation.slack.linking", compress=True)
        assert browser_of(oree.reviewer).post(reverse("admin:slack_link", args=[token])).status_code == 404
    assert links() == []


def test_a_workspace_that_is_no_longer_the_organizations_links_nobody(oree, address):
    connect_slack(oree, slack_team_id="T0OTHER")
    assert browser_of(oree.reviewer).post(address).status_code == 404
    assert links() == []


def test_a_slack_user_is_one_member_and_a_member_one_slack_user(oree, app, address):
    browser_of(oree.reviewer).post(address)
    browser_of(oree.owner).post(address)
    assert links() == [(PRESSER, oree.owner)]
    browser_of(oree.owner).post(address_in(app.command("link", user="U0OTHER")))
    assert links() == [("U0OTHER", oree.owner)]


def test_a_member_unlinks_their_own_account(oree):
    link = link_slack(oree, oree.reviewer)
    browser_of(oree.viewer).post(reverse("admin:own_notifications"), {"unlink": str(link.pk)})
    assert links() == [(PRESSER, oree.reviewer)]
    browser_of(oree.reviewer).post(reverse("admin:own_notifications"), {"unlink": str(link.pk)})
    assert links() == []


def test_an_administrator_unlinks_anybody(oree):
    link = link_slack(oree, oree.reviewer)
    remove = reverse("admin:moderation_slacklink_remove", args=[link.pk])
    assert browser_of(oree.reviewer).post(remove).status_code == 404
    assert browser_of(oree.owner).get(remove).status_code == 405
    browser_of(oree.owner).post(remove)
    assert links() == []


def test_leaving_the_organization_unlinks(oree):
    link_slack(oree, oree.reviewer)
    Membership.objects.get(user=oree.reviewer).delete()
    assert links() == []


def test_the_command_asks_who_is_unknown_to_link(app):
    answer = app.command()
    assert answer.json()["response_type"] == "ephemeral"
    assert address_in(answer)


def test_the_command_lists_what_waits_with_its_buttons(oree, app):
    link_slack(oree, oree.reviewer)
    oree.learn(approve=False)
    answer = app.command().json()
    assert answer["response_type"] == "ephemeral"
    words = json.dumps(answer["blocks"], ensure_ascii=False)
    assert "Création de facture" in words
    assert {"review_reject", "review_open"} <= set(re.findall(r"review_\w+", words))


def test_the_command_lists_ten_and_counts_the_rest(oree, app):
    link_slack(oree, oree.reviewer)
    for number in range(12):
        oree.learn(invoice_scan(urlPattern=f"/factures/{'abcdefghijkl'[number]}"), approve=False)
    blocks = app.command().json()["blocks"]
    assert sum(block["type"] == "actions" for block in blocks) == 10
    assert len(blocks) <= 50
    assert "2 de plus" in json.dumps(blocks)


def test_the_command_says_when_nothing_waits(oree, app):
    link_slack(oree, oree.reviewer)
    assert app.command().json()["text"] == "Rien n’attend de relecture."


def test_the_command_shows_nothing_to_those_who_do_not_review(oree, app):
    link_slack(oree, oree.viewer)
    oree.learn(approve=False)
    assert "Création" not in json.dumps(app.command().json(), ensure_ascii=False)


def test_the_command_shows_nothing_of_another_organization_in_the_same_workspace(oree, stranger, app):
    connect_slack(stranger)
    with every_tenant():
        stranger.learn(approve=False)
        PageSkill.objects.filter(organization=stranger.organization).update(name="Page des Duval")
    link_slack(oree, oree.reviewer)
    oree.learn(approve=False)
    words = json.dumps(app.command().json(), ensure_ascii=False)
    assert "Création de facture" in words
    assert "Duval" not in words


def test_an_unknown_workspace_is_told_that_it_is_not_connected(app):
    assert "n’est pas connecté" in app.command(team="T0NOBODY").json()["text"]


@pytest.mark.parametrize("word", ["help", "aide", " HELP "])
def test_the_command_explains_itself(app, word):
    assert "/circuy" in app.command(word).json()["text"]


def test_a_lower_role_sees_no_buttons_after_losing_its_own(oree, app):
    link_slack(oree, oree.reviewer)
    oree.learn(approve=False)
    Membership.objects.filter(user=oree.reviewer).update(role=Role.AUTHOR)
    assert "blocks" not in app.command().json()


def test_in_a_workspace_that_two_organizations_share_one_links_in_either(oree, stranger, app):
    connect_slack(stranger)
    answer = app.command("link").json()
    (actions,) = [block for block in answer["blocks"] if block["type"] == "actions"]
    offered = {button["text"]["text"]: urlsplit(button["url"]).path for button in actions["elements"]}
    assert set(offered) == {oree.organization.name, stranger.organization.name}
    assert len({button["action_id"] for button in actions["elements"]}) == 2
    for tenant in (oree, stranger):
        browser_of(tenant.reviewer).post(offered[tenant.organization.name])
    assert {user for _slack_user, user in links()} == {oree.reviewer, stranger.reviewer}
