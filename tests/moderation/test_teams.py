"""Teams: a card to the address of a workflow, over real HTTP."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse
from django.utils import timezone

from moderation.models import Channels, Notification
from moderation.notifications.outbox import notification_deliver
from moderation.services import review_decide
from moderation.states import Verb
from skills.models import PageSkill
from tests.admin.conftest import browser_of
from tests.fakes.http_server import HttpServer


@pytest.fixture
def teams(settings):
    settings.ALLOW_PRIVATE_ADDRESSES = True
    server = HttpServer()
    yield server
    server.close()


@pytest.fixture
def skill(oree, teams):
    Channels.objects.create(organization=oree.organization, email_on=False, teams_url=teams.url)
    return oree.learn(approve=False)


@pytest.fixture
def card_row(skill):
    return Notification.objects.get()


def card_in(request):
    body = json.loads(request.body)
    assert body["type"] == "message"
    attachment = body["attachments"][0]
    assert attachment["contentType"] == "application/vnd.microsoft.card.adaptive"
    return attachment["content"]


def test_a_card_opens_the_review(card_row, teams):
    assert notification_deliver(card_row.pk)
    request = teams.received[0]
    card = card_in(request)
    assert (card["type"], card["version"]) == ("AdaptiveCard", "1.5")
    assert "Création de facture" in json.dumps(card["body"], ensure_ascii=False)
    action = card["actions"][0]
    assert (action["type"], action["title"]) == ("Action.OpenUrl", "Ouvrir la relecture")
    assert action["url"] == card_row.payload["url"]
    assert request.path.endswith("token=abc")


def test_what_people_wrote_is_never_markup(skill, card_row, teams):
    PageSkill.objects.filter(pk=skill.pk).update(name="[ici](https://evil.example) **gras**")
    notification_deliver(card_row.pk)
    kinds = {part["type"] for part in card_in(teams.received[0])["body"]}
    assert kinds == {"RichTextBlock"}


@pytest.mark.parametrize("status", [500, 502, 429, 0, 302])
def test_a_passing_fault_is_tried_again(card_row, teams, status):
    teams.fail_with(status, headers={"Location": "https://elsewhere.example"} if status == 302 else None)
    assert not notification_deliver(card_row.pk)
    card_row.refresh_from_db()
    assert card_row.state == Notification.State.WAITING
    Notification.objects.update(next_try_at=timezone.now())
    assert notification_deliver(card_row.pk)
    assert len(teams.received) == 1


def test_a_rate_limit_is_waited_for(card_row, teams):
    teams.fail_with(429, headers={"Retry-After": "77"})
    notification_deliver(card_row.pk)
    card_row.refresh_from_db()
    assert 60 < (card_row.next_try_at - timezone.now()).total_seconds() <= 77


@pytest.mark.parametrize("status", [401, 404, 410])
def test_a_workflow_that_is_gone_is_given_up(card_row, teams, status):
    teams.fail_with(status)
    assert not notification_deliver(card_row.pk)
    card_row.refresh_from_db()
    assert card_row.state == Notification.State.DEAD


def test_nothing_is_asked_about_what_is_decided(oree, skill, card_row, teams):
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.owner,
        verb=Verb.APPROVE,
        seen_digest=skill.digest,
    )
    assert not notification_deliver(card_row.pk)
    assert teams.received == []


def test_an_address_is_kept_encrypted_and_never_sent_back(oree, teams):
    page = reverse("admin:channels", args=[oree.organization.pk])
    response = browser_of(oree.owner).post(page, {"teams_url": teams.url, "email_on": "on"}, follow=True)
    assert Channels.objects.get().teams_url == teams.url
    assert teams.url not in response.content.decode()
    browser_of(oree.owner).post(page, {"teams_url_remove": "on"})
    assert Channels.objects.get().teams_url == ""


def test_an_address_as_long_as_workflows_make_them_is_kept(oree, teams):
    page = reverse("admin:channels", args=[oree.organization.pk])
    url = f"{teams.url}&sig={'s' * 700}"
    assert browser_of(oree.owner).post(page, {"teams_url": url}).status_code == 302
    assert Channels.objects.get().teams_url == url


@pytest.mark.parametrize(
    "url",
    [
        "http://93.184.215.14/x",
        "https://127.0.0.1/x",
        "https://[::ffff:127.0.0.1]/x",
        "ftp://x.example",
        "https://a:b@c.example",
        "x",
    ],
)
def test_an_address_that_cannot_be_is_told_at_its_field(oree, url):
    page = reverse("admin:channels", args=[oree.organization.pk])
    response = browser_of(oree.owner).post(page, {"teams_url": url})
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"teams_url"}
    assert f'value="{url}' not in response.content.decode()
