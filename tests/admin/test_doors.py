"""Who gets in, and what each role finds open."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from organizations.models import User
from tests.admin.conftest import Browser, browser_of, text_of
from tests.fixtures import Tenant

EVERYBODY = [
    "admin:index",
    "admin:inbox",
    "admin:skills_pageskill_changelist",
    "admin:tours_tour_changelist",
    "admin:tours_question_changelist",
    "admin:evaluation",
    "admin:tours_tourevent_changelist",
    "admin:organizations_enduser_changelist",
    "admin:moderation_decision_changelist",
    "admin:own_notifications",
    "admin:password_change",
    "mfa_index",
]
ADMINISTRATORS = [
    "admin:organizations_organization_changelist",
    "admin:organizations_sdkkey_changelist",
    "admin:organizations_sdkkey_add",
    "admin:organizations_membership_changelist",
    "admin:organizations_membership_add",
    "admin:organizations_invitation_changelist",
    "admin:organizations_memberevent_changelist",
    "admin:channels_index",
    "admin:moderation_notification_changelist",
    "admin:moderation_slacklink_changelist",
    "admin:moderation_webhookendpoint_changelist",
    "admin:moderation_webhookendpoint_add",
]


@pytest.mark.parametrize("name", [*EVERYBODY, *ADMINISTRATORS, "admin:learn"])
def test_nobody_gets_in_without_signing_in(db: None, name: str) -> None:
    response = Browser().get(reverse(name))

    assert response.status_code == 302
    assert response.headers["Location"].startswith("/admin/login/")


@pytest.mark.parametrize("name", [*EVERYBODY, *ADMINISTRATORS, "admin:learn"])
def test_a_person_without_an_organization_stays_outside(db: None, name: str) -> None:
    nobody = User.objects.create_user("nobody@nowhere.example", "secret-words-2026", is_staff=True)

    assert browser_of(nobody).get(reverse(name)).status_code == 302


@pytest.mark.parametrize("name", EVERYBODY)
def test_a_viewer_sees_the_work(oree: Tenant, name: str) -> None:
    assert browser_of(oree.viewer).get(reverse(name)).status_code == 200


@pytest.mark.parametrize("name", ADMINISTRATORS)
def test_settings_are_closed_below_administrator(oree: Tenant, name: str) -> None:
    for member in (oree.viewer, oree.author, oree.reviewer):
        assert browser_of(member).get(reverse(name)).status_code == 403


@pytest.mark.parametrize("name", ADMINISTRATORS)
def test_settings_are_open_to_an_owner(oree: Tenant, name: str) -> None:
    assert browser_of(oree.owner).get(reverse(name), follow=True).status_code == 200


def test_a_viewer_cannot_learn_a_page_and_an_author_can(oree: Tenant) -> None:
    url = reverse("admin:learn")

    assert browser_of(oree.viewer).get(url).status_code == 403
    assert browser_of(oree.author).get(url).status_code == 200


def test_the_rail_offers_only_what_the_role_opens(oree: Tenant) -> None:
    keys = reverse("admin:organizations_sdkkey_changelist")

    assert keys not in browser_of(oree.viewer).get("/admin/").content.decode()
    assert keys in browser_of(oree.owner).get("/admin/").content.decode()


def test_an_inactive_member_stays_outside(oree: Tenant) -> None:
    browser = browser_of(oree.reviewer)
    oree.reviewer.is_active = False
    oree.reviewer.save()

    assert browser.get("/admin/").status_code == 302


def test_sign_in_takes_an_address_in_any_case(oree: Tenant) -> None:
    browser = Browser()
    form = {"login": oree.viewer.email.upper(), "password": "secret-words-2026", "next": "/admin/inbox/"}

    response = browser.post(reverse("admin:login"), form)

    assert response.headers["Location"] == "/admin/inbox/"


def test_sign_in_says_that_somebody_belongs_nowhere(db: None) -> None:
    User.objects.create_user("nobody@nowhere.example", "secret-words-2026", is_staff=True)
    form = {"login": "nobody@nowhere.example", "password": "secret-words-2026"}

    response = Browser(headers={"Accept-Language": "en"}).post(reverse("admin:login"), form, follow=True)

    assert "not a member of any organization" in text_of(response)


def test_signing_out_takes_a_post(oree: Tenant) -> None:
    browser = browser_of(oree.viewer)

    browser.get(reverse("admin:logout"))
    assert browser.get("/admin/").status_code == 200

    browser.post(reverse("admin:logout"))
    assert browser.get("/admin/").status_code == 302


def test_pages_carry_no_inline_script_or_style(oree: Tenant, waiting_tour: object) -> None:
    browser: Client = browser_of(oree.owner)
    pages = [reverse(name) for name in [*EVERYBODY, *ADMINISTRATORS, "admin:learn"]]
    pages.append(reverse("admin:tours_tour_review", args=[waiting_tour.pk]))  # type: ignore[attr-defined]

    for url in pages:
        response = browser.get(url, follow=True)
        body = response.content.decode()
        assert "script-src 'self'" in response.headers["Content-Security-Policy"]
        assert " style=" not in body, url
        assert "<style" not in body, url
        assert "<script>" not in body, url
        assert " onclick=" not in body, url
