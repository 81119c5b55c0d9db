"""A page learnt in a later release: the tours on it go on, and the reviewer sees which would not."""

from __future__ import annotations

import pytest
from django.urls import reverse

from moderation.states import Status, Verb
from skills.models import PageSkill
from skills.services import skill_edit
from tests.admin.conftest import browser_of, text_of
from tests.fixtures import Tenant
from tests.skills.releases import scan_of
from tests.tours.conftest import Asker
from tests.tours.test_editing import decide
from tours.models import Tour

PAGE = "/clients/12"


@pytest.fixture
def live(oree: Tenant) -> PageSkill:
    return oree.learn(scan_of("first"))


def published(tenant: Tenant, text: str) -> Tour:
    tour = Asker(tenant)(text=text, route=PAGE).tour
    assert tour is not None
    decide(tenant, tour, Verb.APPROVE)
    return tour


def answer_of(tenant: Tenant, text: str) -> tuple[str, str]:
    question = Asker(tenant)(text=text, route=PAGE)
    assert question.tour_version is not None
    return question.outcome, question.tour_version.steps[0]["intent_id"]


def test_a_tour_on_an_action_that_was_renamed_goes_on_answering(oree, live):
    tour = published(oree, "Comment changer l'adresse e-mail ?")
    [step] = tour.published_version.steps
    assert step["selector"] == "#email"
    renamed = oree.learn(scan_of("second"))
    tour.refresh_from_db()
    assert (tour.status, tour.page_skill, tour.published_version.steps) == (Status.PUBLISHED, renamed, [step])
    assert answer_of(oree, "Comment changer l'adresse e-mail ?") == ("published", "adresse_e_mail")


def test_a_tour_whose_element_one_of_its_selectors_still_finds_goes_on(oree, live):
    tour = published(oree, "Comment enregistrer ?")
    oree.learn(scan_of("second"))
    tour.refresh_from_db()
    assert tour.status == Status.PUBLISHED


def test_a_tour_to_a_place_where_something_else_is_now_is_no_longer_shown(oree, live):
    tour = published(oree, "Comment exporter en PDF ?")
    oree.learn(scan_of("second"))
    tour.refresh_from_db()
    assert (tour.status, tour.published_version) == (Status.STALE, None)


def review(tenant: Tenant, skill: PageSkill):
    return browser_of(tenant.reviewer).get(reverse("admin:skills_pageskill_review", args=[skill.pk]))


def test_the_reviewer_sees_what_a_new_version_changes_and_which_tours_it_takes_away(oree, live):
    published(oree, "Comment enregistrer ?")
    lost = published(oree, "Comment exporter en PDF ?")
    response = review(oree, oree.learn(scan_of("second"), approve=False))

    changes = response.context["changes"]
    assert [change.goal for change in changes.new] == ["Dupliquer le client", "Saisir le téléphone"]
    assert [change.goal for change in changes.gone] == ["Saisir les notes internes"]
    assert {change.before: change.after for change in changes.reworded} == {
        "Saisir l’adresse e-mail": "Saisir le courriel"
    }
    assert {change.before: change.after for change in changes.moved}["#enregistrer"] == '[data-testid="save-client"]'
    assert [(broken.title, len(broken.missing)) for broken in changes.broken] == [(lost.title, 1)]
    text = text_of(response)
    assert "Un guide en ligne ne serait plus montré" in text
    assert lost.title in text


def test_an_action_that_a_reviewer_removes_is_told_from_one_that_is_gone(oree, live):
    kept = [row for row in live.actions_json["intents"] if row["intent_id"] != "archiver_client"]
    edited = skill_edit(
        skill=live,
        actor=oree.author,
        seen_digest=live.digest,
        name=live.name,
        route_pattern=live.route_pattern,
        summary=live.summary,
        intents=kept,
    )
    changes = review(oree, edited).context["changes"]
    assert ([change.goal for change in changes.removed], changes.gone) == (["Archiver le client"], [])


def test_a_version_that_changes_nothing_says_so(oree, live):
    again = oree.learn(scan_of("first"), approve=False)
    assert "tout reste comme aujourd’hui" in text_of(review(oree, again))


def test_the_first_version_of_a_page_is_compared_with_nothing(oree, live):
    response = review(oree, live)
    assert response.context["changes"] is None
    assert "Ce qui change" not in text_of(response)
