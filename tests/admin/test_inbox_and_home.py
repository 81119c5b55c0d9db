"""The inbox, the first page, and the lists."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from moderation.services import review_decide
from moderation.states import Verb
from tests.admin.conftest import ask, browser_of, text_of
from tests.fixtures import QUESTION, Tenant
from tours.models import Tour


def test_what_is_most_asked_for_comes_first(oree: Tenant, waiting_tour: Tour) -> None:
    ask(oree, "Comment choisir le client ?")
    for _again in range(2):
        ask(oree, "Comment choisir le client ?")

    response = browser_of(oree.viewer).get("/admin/inbox/")

    assert [item.card.demand for item in response.context["items"]] == [3, 1]
    text = text_of(response)
    assert QUESTION in text
    assert "3 demandes" in text
    assert reverse("admin:tours_tour_review", args=[waiting_tour.pk]) in response.content.decode()


def test_an_empty_inbox_says_what_to_do_next(oree: Tenant) -> None:
    response = browser_of(oree.author).get("/admin/inbox/")

    assert "Tout est relu" in text_of(response)
    assert reverse("admin:learn") in response.content.decode()


def test_the_first_page_tells_the_weeks_figures(oree: Tenant, waiting_tour: Tour) -> None:
    ask(oree, "Quel temps fera-t-il demain ?")
    ask(oree, "Comment rembourser ?", route="/clients/3")
    review_decide(
        model=Tour,
        subject_id=waiting_tour.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.APPROVE,
        seen_digest=waiting_tour.digest,
    )

    response = browser_of(oree.owner).get("/admin/")

    figures = response.context["figures"]
    assert (figures["asked"], figures["answered"], figures["published"]) == (3, 1, 1)
    assert figures["answered_share"] == 33
    assert "Comment rembourser ?" in text_of(response)
    assert "/admin/learn/?url=https%3A//app.oree.example/clients/3" in response.content.decode()


def test_the_first_page_gives_the_script_tag_as_text(oree: Tenant) -> None:
    body = browser_of(oree.viewer).get("/admin/").content.decode()

    assert f"data-key=&quot;{oree.key_value}&quot;" in body
    assert f'data-key="{oree.key_value}"' not in body


def test_lists_lead_to_reviews(oree: Tenant, waiting_tour: Tour) -> None:
    browser = browser_of(oree.viewer)

    tours = browser.get(reverse("admin:tours_tour_changelist")).content.decode()
    assert reverse("admin:tours_tour_review", args=[waiting_tour.pk]) in tours
    change = browser.get(reverse("admin:tours_tour_change", args=[waiting_tour.pk]))
    assert change.headers["Location"] == reverse("admin:tours_tour_review", args=[waiting_tour.pk])


def test_the_journal_links_decisions_to_what_they_were_about(oree: Tenant, waiting_tour: Tour) -> None:
    body = browser_of(oree.viewer).get(reverse("admin:moderation_decision_changelist")).content.decode()

    assert reverse("admin:tours_tour_review", args=[waiting_tour.pk]) in body
    assert reverse("admin:skills_pageskill_review", args=[waiting_tour.page_skill_id]) in body


def test_the_language_is_the_members_choice(oree: Tenant) -> None:
    browser = browser_of(oree.viewer)
    assert "Pages apprises" in text_of(browser.get("/admin/"))

    browser.post(reverse("set_language"), {"language": "en", "next": "/admin/"})

    assert "Learnt pages" in text_of(browser.get("/admin/"))


def test_figures_agree_with_their_number(oree: Tenant) -> None:
    ask(oree)

    text = text_of(browser_of(oree.owner).get("/admin/"))

    assert "question en 7 jours" in text
    assert "personne a demandé" in text
    assert "questions en 7 jours" not in text


def test_an_expired_form_says_kindly_what_to_do(oree: Tenant) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(oree.owner)

    response = browser.post("/admin/logout/")

    assert response.status_code == 403
    assert "Recharger la page" in text_of(response)
