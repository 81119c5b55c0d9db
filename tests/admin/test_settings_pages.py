"""Keys, members and the organization's settings."""

from __future__ import annotations

import re
from typing import Any

from django.urls import reverse

from organizations.keys import sdk_key_find
from organizations.models import Membership, Organization, Role, SdkKey, User
from tests.admin.conftest import Browser, browser_of, text_of
from tests.fixtures import ORIGIN, Tenant

ADD_KEY = "/admin/organizations/sdkkey/add/"


def test_a_secret_key_is_shown_once(oree: Tenant) -> None:
    browser = browser_of(oree.owner)

    response = browser.post(ADD_KEY, {"name": "ERP", "kind": "secret", "origins": ""})

    found = re.search(r"sk_[\w-]{20,}", response.content.decode())
    assert found
    value = found.group()
    key = sdk_key_find(value)
    assert key is not None
    assert key.organization == oree.organization
    assert "no-store" in response.headers["Cache-Control"]
    for url in (
        reverse("admin:organizations_sdkkey_changelist"),
        reverse("admin:organizations_sdkkey_change", args=[key.pk]),
        "/admin/",
    ):
        assert value not in browser.get(url).content.decode()


def test_a_publishable_key_leads_to_its_script_tag(oree: Tenant) -> None:
    form = {"name": "Boutique", "kind": "publishable", "origins": "https://boutique.example\n\nhttps://b.example:8443 "}

    response = browser_of(oree.owner).post(ADD_KEY, form, follow=True)

    key = SdkKey.objects.get(name="Boutique")
    assert key.allowed_origins == ["https://b.example:8443", "https://boutique.example"]
    body = response.content.decode()
    assert f"data-key=&quot;{key.lookup}&quot;" in body
    assert "/static/circuy/circuy.js" in body
    assert f'data-key="{key.lookup}"' not in body


def test_a_wrong_origin_is_said_in_plain_words_and_changes_nothing(oree: Tenant) -> None:
    url = reverse("admin:organizations_sdkkey_change", args=[oree.key.pk])

    response = browser_of(oree.owner).post(url, {"origins": f"{ORIGIN}\nhttps://*.example.com"})

    assert response.status_code == 422
    assert "n’est pas une origine" in text_of(response)
    assert "https://*.example.com" in text_of(response)
    oree.key.refresh_from_db()
    assert oree.key.allowed_origins == [ORIGIN]


def test_a_revoked_key_no_longer_works(oree: Tenant) -> None:
    browser = browser_of(oree.owner)
    url = reverse("admin:organizations_sdkkey_revoke", args=[oree.key.pk])

    assert browser.get(url).status_code == 405
    response = browser.post(url, follow=True)

    assert sdk_key_find(oree.key_value) is None
    assert "Révoquée" in text_of(response)


def change_role(browser: Browser, user: User, role: str) -> Any:
    membership = Membership.objects.get(user=user)
    return browser.post(reverse("admin:organizations_membership_change", args=[membership.pk]), {"role": role})


def test_the_last_owner_stays(oree: Tenant) -> None:
    browser = browser_of(oree.owner)

    assert change_role(browser, oree.owner, "viewer").status_code == 422
    membership = Membership.objects.get(user=oree.owner)
    browser.post(reverse("admin:organizations_membership_remove", args=[membership.pk]))

    assert Membership.objects.get(user=oree.owner).role == Role.OWNER


def test_an_administrator_neither_makes_nor_unmakes_owners(oree: Tenant) -> None:
    Membership.objects.filter(user=oree.reviewer).update(role=Role.ADMIN)
    browser = browser_of(oree.reviewer)

    assert change_role(browser, oree.viewer, "owner").status_code == 422
    assert change_role(browser, oree.owner, "viewer").status_code == 422
    assert change_role(browser, oree.viewer, "author").status_code == 302
    assert Membership.objects.get(user=oree.viewer).role == Role.AUTHOR
    assert Membership.objects.get(user=oree.owner).role == Role.OWNER


def test_a_removed_member_is_out_at_once(oree: Tenant) -> None:
    browser = browser_of(oree.viewer)
    membership = Membership.objects.get(user=oree.viewer)

    browser_of(oree.owner).post(reverse("admin:organizations_membership_remove", args=[membership.pk]))

    assert browser.get("/admin/").status_code == 302


def settings_form(**changes: Any) -> dict[str, Any]:
    return {
        "name": "Maison Orée",
        "locale": "fr",
        "llm_provider": "local",
        "monthly_token_budget": 1000,
        "retention_days": 90,
        "review_remind_days": 3,
        "review_expire_days": 30,
        **changes,
    }


def settings_url(tenant: Tenant) -> str:
    return reverse("admin:organizations_organization_change", args=[tenant.organization.pk])


def test_settings_are_saved_and_secrets_are_never_sent_back(oree: Tenant) -> None:
    browser, url = browser_of(oree.owner), settings_url(oree)
    form = settings_form(
        llm_provider="openai",
        llm_base_url="https://llm.example/v1",
        llm_model="petit",
        llm_api_key="secret-llm",
        allow_self_approval="on",
    )
    browser.post(url, form)

    organization = Organization.objects.get(pk=oree.organization.pk)
    assert organization.llm_api_key == "secret-llm"
    assert organization.allow_self_approval
    assert "secret-llm" not in browser.get(url).content.decode()

    browser.post(url, {**form, "llm_api_key": ""})
    organization.refresh_from_db()
    assert organization.llm_api_key == "secret-llm"

    browser.post(url, settings_form(llm_api_key_remove="on"))
    organization.refresh_from_db()
    assert organization.llm_api_key == ""


def test_settings_that_cannot_work_are_refused_at_their_fields(oree: Tenant) -> None:
    form = settings_form(llm_provider="openai", retention_days=40_000)

    response = browser_of(oree.owner).post(settings_url(oree), form)

    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"llm_base_url", "llm_model", "retention_days"}
    oree.organization.refresh_from_db()
    assert oree.organization.llm_provider == "local"


def test_replacing_the_identity_secret_makes_another(oree: Tenant) -> None:
    before = oree.organization.identity_secret

    browser_of(oree.owner).post(reverse("admin:organizations_organization_replace_secret", args=[oree.organization.pk]))

    oree.organization.refresh_from_db()
    assert oree.organization.identity_secret not in ("", before)
