"""“Apprendre une page”: only pages of the organization's own application."""

from __future__ import annotations

import pytest
from django.urls import reverse

from organizations.models import Membership, Role
from organizations.scoping import every_tenant, tenant_scope
from skills.models import RecorderCode
from skills.recorder import recorder_code_exchange
from tests.admin.conftest import browser_of, text_of
from tests.fixtures import ORIGIN, Tenant

URL = "/admin/learn/"
PAGE = f"{ORIGIN}/factures/nouvelle"


def test_the_link_opens_the_page_with_a_code_that_works(oree: Tenant) -> None:
    response = browser_of(oree.author).post(URL, {"url": f"{PAGE}?brouillon=1#ancre"})

    link = response.context["link"]
    page, _fragment, code = link.partition("#circuy-record=")
    assert page == f"{PAGE}?brouillon=1"
    session = recorder_code_exchange(organization=oree.organization, code=code)
    assert session.member == oree.author
    assert f'href="{link}" target="_blank" rel="noopener"' in response.content.decode()
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize(
    "url",
    ["https://evil.example/factures", f"{ORIGIN}.evil.example/", "http://app.oree.example/factures", f"{ORIGIN}:8443/"],
)
def test_a_foreign_origin_is_refused_with_where_to_add_it(oree: Tenant, url: str) -> None:
    response = browser_of(oree.owner).post(URL, {"url": url})

    assert response.status_code == 422
    assert "ne fait pas encore partie de vos origines autorisées" in text_of(response)
    assert reverse("admin:organizations_sdkkey_change", args=[oree.key.pk]) in response.content.decode()
    assert not RecorderCode.objects.exists()


def test_an_author_is_told_whom_to_ask(oree: Tenant) -> None:
    response = browser_of(oree.author).post(URL, {"url": "https://other.example/"})

    assert "Demandez à un administrateur" in text_of(response)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "ftp://app.oree.example/", "", "::::"])
def test_what_is_not_an_address_of_a_page_is_refused(oree: Tenant, url: str) -> None:
    response = browser_of(oree.author).post(URL, {"url": url})

    assert response.status_code == 422
    assert not RecorderCode.objects.exists()


def test_an_address_of_another_organization_is_foreign(oree: Tenant, stranger: Tenant) -> None:
    with tenant_scope(stranger.organization.id):
        stranger.key.allowed_origins = ["https://only-theirs.example"]
        stranger.key.save()

    assert browser_of(oree.owner).post(URL, {"url": "https://only-theirs.example/"}).status_code == 422


def test_a_member_of_two_organizations_says_for_which(oree: Tenant, stranger: Tenant) -> None:
    """Both use the same origin in these tests."""
    with every_tenant():
        Membership.objects.create(organization=stranger.organization, user=oree.author, role=Role.AUTHOR)
    browser = browser_of(oree.author)

    asked = browser.post(URL, {"url": PAGE})
    assert asked.status_code == 422
    assert "choisissez-en une" in text_of(asked)

    chosen = browser.post(URL, {"url": PAGE, "organization": str(stranger.organization.pk)})
    assert chosen.status_code == 200
    with every_tenant():
        assert RecorderCode.objects.get().organization == stranger.organization


def test_a_page_that_is_known_already_is_said_to_be(oree: Tenant) -> None:
    oree.learn()

    response = browser_of(oree.author).post(URL, {"url": PAGE})

    assert response.context["known"].name == "Création de facture"
