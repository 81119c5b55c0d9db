"""Keys and tokens at the doors of demonstrations."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from organizations.models import Membership, Role
from skills.models import RecorderCode
from tests.fixtures import ApiFromPage, Tenant
from tests.shadow.showing import SESSION, Shower, browser_of_author, presence, server_of


@pytest.mark.parametrize("token", ["", "Bearer sk_unknown", "Bearer rt_forged", "Basic abc"])
def test_without_a_key_nothing_is_observed(oree: Tenant, token: str) -> None:
    headers = {"Authorization": token} if token else {}
    answer = Shower(ApiFromPage(headers=headers)).post("start")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_publishable_key_is_every_visitors_and_observes_nobody(oree: Tenant) -> None:
    answer = Shower(oree.api()).send(presence())
    assert (answer.status_code, answer.json()["code"]) == (401, "key_unknown")


def test_a_recorder_token_works_from_the_organizations_pages_alone(oree: Tenant) -> None:
    shower = browser_of_author(oree)
    shower.client.credentials(HTTP_ORIGIN="https://elsewhere.example")
    answer = shower.client.post(
        "/api/v1/shadow/start", {"session_id": SESSION}, format="json", HTTP_ORIGIN="https://x.example"
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "origin_not_allowed")


def test_a_colleague_does_not_see_whose_session_it_is(oree: Tenant) -> None:
    camille, reviewer = browser_of_author(oree), browser_of_author(oree, "reviewer")
    camille.send(presence())
    assert reviewer.post("start").status_code == 404
    assert reviewer.client.get("/api/v1/traces/stream/sessions").json() == {"sessions": []}
    assert (taken := reviewer.send(presence())).status_code == 409
    assert taken.json()["code"] == "session_taken"
    assert server_of(oree).post("start").status_code == 200


def test_a_stranger_finds_no_session_of_anybody_elses(oree: Tenant, stranger: Tenant) -> None:
    from organizations.scoping import tenant_scope

    server_of(oree).send(presence())
    with tenant_scope(stranger.organization.pk):
        theirs = server_of(stranger)
    assert theirs.post("start").status_code == 404
    assert theirs.understanding().status_code == 404
    assert theirs.send(presence()).json()["received"] == 1


def test_who_may_write_no_more_observes_no_more(oree: Tenant) -> None:
    shower = browser_of_author(oree)
    shower.send(presence())
    Membership.objects.filter(user=oree.author).update(role=Role.VIEWER)
    assert shower.post("start").status_code == 403


def test_auth_is_off_only_where_debugging_is_on(oree: Tenant, settings) -> None:
    nobody = Shower(ApiFromPage())
    assert nobody.send(presence()).status_code == 401
    settings.RPA_AUTH_DISABLED = True
    assert nobody.send(presence()).status_code == 202


def test_a_recorder_token_is_renewed_for_eight_hours(oree: Tenant) -> None:
    shower = browser_of_author(oree)
    renewed = shower.client.post("/v1/recorder/renew")
    assert renewed.status_code == 200
    assert 0 < renewed.json()["expires_in"] <= 1800
    fresh = {"Authorization": f"Bearer {renewed.json()['token']}"}
    assert shower.client.post("/v1/recorder/renew", headers=fresh).status_code == 200
    RecorderCode.objects.update(used_at=timezone.now() - timedelta(hours=7, minutes=50))
    assert shower.client.post("/v1/recorder/renew", headers=fresh).json()["expires_in"] <= 600
    RecorderCode.objects.update(used_at=timezone.now() - timedelta(hours=8))
    assert shower.client.post("/v1/recorder/renew", headers=fresh).status_code == 401
    assert shower.send(presence()).status_code == 401
