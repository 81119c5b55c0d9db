"""“Try it on the page”: from the review page to the tour's page, with a token of the member's own."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from organizations.models import Role, SdkKey
from tests.admin.conftest import ask, browser_of, text_of
from tests.admin.test_tour_review import form_of, fresh, url_of
from tests.fixtures import ORIGIN, Tenant, invoice_scan, node
from tours.models import Tour
from tours.preview import preview_read, preview_token_create
from tours.services import step_reattach

PAGE = ORIGIN + "/factures/nouvelle"


def preview_of(tour: Tour) -> str:
    return reverse("admin:tours_tour_preview", args=[tour.pk])


def session_in(address: str, tenant: Tenant, tour: Tour) -> Any:
    token = address.partition("#circuy-preview=")[2]
    return preview_read(token, organization=tenant.organization, tour_id=tour.pk)


def test_the_review_page_leads_to_it(oree: Tenant, waiting_tour: Tour) -> None:
    response = browser_of(oree.reviewer).get(url_of(waiting_tour))
    assert f'href="{preview_of(waiting_tour)}"' in response.content.decode()
    assert "Essayer sur la page" in text_of(response)


def test_it_opens_the_page_with_a_token_for_this_member_and_version(oree: Tenant, waiting_tour: Tour) -> None:
    response = browser_of(oree.author).get(preview_of(waiting_tour))
    assert response.status_code == 302
    address = response.headers["Location"]
    assert address.startswith(PAGE + "#circuy-preview=")
    session = session_in(address, oree, waiting_tour)
    assert (session.member, session.version) == (oree.author, waiting_tour.current_version)


def test_what_was_just_saved_is_what_is_tried(oree: Tenant, waiting_tour: Tour) -> None:
    browser = browser_of(oree.reviewer)
    browser.post(url_of(waiting_tour), form_of(waiting_tour, **{"steps-0-text": "Entrez la remise ici."}))
    address = browser.get(preview_of(waiting_tour)).headers["Location"]
    session = session_in(address, oree, waiting_tour)
    assert (session.version.number, session.version.steps[0]["text"]) == (2, "Entrez la remise ici.")


def test_who_only_reads_is_not_offered_it(oree: Tenant, waiting_tour: Tour) -> None:
    browser = browser_of(oree.viewer)
    assert preview_of(waiting_tour) not in browser.get(url_of(waiting_tour)).content.decode()
    assert browser.get(preview_of(waiting_tour)).status_code == 403


def test_another_organization_s_tour_is_not_there(stranger: Tenant, waiting_tour: Tour) -> None:
    assert browser_of(stranger.owner).get(preview_of(waiting_tour)).status_code == 404


@pytest.fixture
def tour_of_many_pages(oree: Tenant, waiting_tour: Tour) -> Tour:
    """A tour about every invoice, that nobody has asked for."""
    oree.learn(invoice_scan(urlPattern="/factures/*"))
    tour = ask(oree, route="/factures/12")
    assert tour is not None
    tour.questions.all().delete()
    return tour


def test_when_nobody_knows_which_page_it_is_asked_for(oree: Tenant, tour_of_many_pages: Tour) -> None:
    browser, url = browser_of(oree.reviewer), preview_of(tour_of_many_pages)
    text = text_of(browser.get(url))
    assert "toutes les pages de la forme /factures/*" in text.replace("  ", " ")
    for typed in ("/factures/12", f"{ORIGIN}/factures/12?onglet=1#lignes", "https://autre.example/factures/12/"):
        body = browser.get(url, {"page": typed}).content.decode()
        (address,) = re.findall(r'href="([^"]+#circuy-preview=[^"]+)"', body)
        assert address.startswith(f"{ORIGIN}/factures/12#")
        assert session_in(address, oree, tour_of_many_pages).version == tour_of_many_pages.current_version


@pytest.mark.parametrize("typed", ["/clients", "/factures/*", "factures", "javascript:x", "https://[", "//evil/x"])
def test_another_page_is_refused_in_words(oree: Tenant, tour_of_many_pages: Tour, typed: str) -> None:
    response = browser_of(oree.reviewer).get(preview_of(tour_of_many_pages), {"page": typed})
    assert response.status_code == 422
    assert "Ce n’est pas une des pages de ce guide" in text_of(response)
    assert "#circuy-preview" not in response.content.decode()


@pytest.mark.parametrize(
    ("role", "words"),
    [(Role.OWNER, "une clé publiable"), (Role.REVIEWER, "Demandez à un administrateur")],
)
def test_without_an_address_of_the_application_it_says_what_to_do(
    oree: Tenant, waiting_tour: Tour, role: Role, words: str
) -> None:
    SdkKey.objects.update(allowed_origins=[])
    member = oree.owner if role == Role.OWNER else oree.reviewer
    assert words in text_of(browser_of(member).get(preview_of(waiting_tour)))


def pick(tenant: Tenant, tour: Tour) -> Tour:
    """Have the author point the first step at an element that the page-skill does not know."""
    tour = fresh(tour)
    step_reattach(
        tour=tour,
        actor=tenant.author,
        seen_digest=tour.digest,
        index=0,
        node=node(9, "button", "Aide sur la facture", "#help > b"),
        route="/factures/nouvelle",
    )
    return fresh(tour)


def picked_form(tour: Tour, **changes: Any) -> dict[str, Any]:
    """The form as the page sends it: the list names a picked element by its selector."""
    assert tour.current_version is not None
    return form_of(tour, **{"steps-0-intent_id": f"@{tour.current_version.steps[0]['selector']}", **changes})


def test_the_review_page_names_the_element_that_was_picked(oree: Tenant, waiting_tour: Tour) -> None:
    tour = pick(oree, waiting_tour)
    response = browser_of(oree.reviewer).get(url_of(tour))
    assert "Aide sur la facture, désigné sur la page" in text_of(response)
    assert '<option value="@#help &gt; b" selected>' in response.content.decode()
    assert "data-dirty" not in response.content.decode().split("<form")[1].split(">")[0]
    browser = browser_of(oree.viewer)
    assert "Montre Aide sur la facture, désigné sur la page" in text_of(browser.get(url_of(tour)))


def test_editing_the_words_in_the_administration_keeps_it(oree: Tenant, waiting_tour: Tour) -> None:
    tour = pick(oree, waiting_tour)
    browser = browser_of(oree.reviewer)
    browser.post(url_of(tour), picked_form(tour, **{"steps-0-text": "Cliquez ici."}))
    edited = fresh(tour)
    assert edited.current_version is not None
    [step] = edited.current_version.steps
    assert (edited.version, step["text"], step["selector"]) == (3, "Cliquez ici.", "#help > b")
    browser_of(oree.owner).post(url_of(edited), picked_form(edited, do="approve"))
    assert fresh(edited).published_version == edited.current_version


def test_another_element_can_be_chosen_in_the_administration(oree: Tenant, waiting_tour: Tour) -> None:
    assert waiting_tour.current_version is not None
    before = waiting_tour.current_version.steps[0]
    tour = pick(oree, waiting_tour)
    browser_of(oree.reviewer).post(url_of(tour), picked_form(tour, **{"steps-0-intent_id": before["intent_id"]}))
    edited = fresh(tour)
    assert edited.current_version is not None
    assert edited.current_version.steps[0]["selector"] == before["selector"]


def test_a_made_up_element_is_refused_at_its_field(oree: Tenant, waiting_tour: Tour) -> None:
    form = form_of(waiting_tour, **{"steps-0-intent_id": "@#evil"})
    response = browser_of(oree.reviewer).post(url_of(waiting_tour), form)
    assert response.status_code == 422
    assert fresh(waiting_tour).version == 1


def test_a_token_is_made_when_it_is_asked_for_and_not_before(oree: Tenant, waiting_tour: Tour) -> None:
    assert waiting_tour.current_version is not None
    token = preview_token_create(version=waiting_tour.current_version, actor=oree.reviewer)
    page = browser_of(oree.reviewer).get(url_of(waiting_tour)).content.decode()
    assert "circuy-preview" not in page
    assert token.split(".")[1][:20] not in page
