"""Reviewing a learnt page."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import reverse
from django.utils.html import escape

from moderation.states import Status
from skills.models import PageSkill
from tests.admin.conftest import browser_of, text_of
from tests.fixtures import Tenant, invoice_scan, node


@pytest.fixture
def skill(oree: Tenant) -> PageSkill:
    return oree.learn(approve=False)


def url_of(skill: PageSkill) -> str:
    return reverse("admin:skills_pageskill_review", args=[skill.pk])


def form_of(skill: PageSkill, **changes: Any) -> dict[str, Any]:
    data: dict[str, Any] = {
        "seen_digest": skill.digest,
        "do": "save",
        "name": skill.name,
        "route_pattern": skill.route_pattern,
        "summary": skill.summary,
    }
    for intent in skill.actions_json["intents"]:
        data[f"goal.{intent['intent_id']}"] = intent["user_goal"]
        data[f"type.{intent['intent_id']}"] = intent["action_type"]
    return data | changes


def first_id(skill: PageSkill) -> str:
    return str(skill.actions_json["intents"][0]["intent_id"])


def test_every_action_is_there_with_its_element_and_the_documents_json(oree: Tenant, skill: PageSkill) -> None:
    response = browser_of(oree.reviewer).get(url_of(skill))

    for intent in skill.actions_json["intents"]:
        assert intent["user_goal"] in response.content.decode().replace("&#x27;", "'")
        assert intent["selector"] in text_of(response).replace("&#x27;", "'").replace("&quot;", '"')
    assert json.loads(response.context["spec_json"]) == skill.actions_json


def test_the_reviewer_is_told_that_the_page_held_more_than_was_sent(oree: Tenant) -> None:
    told = "plus d’éléments que ce qui peut être envoyé"
    whole = oree.learn(approve=False)
    cut = oree.learn(invoice_scan(truncated=True), approve=False)

    assert told not in text_of(browser_of(oree.reviewer).get(url_of(whole)))
    assert told in text_of(browser_of(oree.reviewer).get(url_of(cut)))


def test_selectors_into_shadow_roots_and_frames_are_shown_and_saved_as_they_are(oree: Tenant) -> None:
    inside = '#shell >>> iframe[name="app"] >>> #create'
    skill = oree.learn(invoice_scan(nodes=[node(1, "button", "Créer la facture", inside)]), approve=False)

    assert f"<code>{escape(inside)}</code>" in browser_of(oree.reviewer).get(url_of(skill)).content.decode()
    browser_of(oree.reviewer).post(url_of(skill), form_of(skill, name="Un autre nom"))

    skill.refresh_from_db()
    assert (skill.name, skill.actions_json["intents"][0]["selector"]) == ("Un autre nom", inside)


def test_goals_are_edited_and_actions_removed(oree: Tenant, skill: PageSkill) -> None:
    ids = [intent["intent_id"] for intent in skill.actions_json["intents"]]
    form = form_of(skill, **{f"goal.{ids[0]}": "Choisir à qui facturer", f"remove.{ids[-1]}": "on"})

    browser_of(oree.reviewer).post(url_of(skill), form)

    skill.refresh_from_db()
    assert skill.version == 2
    intents = skill.actions_json["intents"]
    assert [intent["intent_id"] for intent in intents] == ids[:-1]
    assert intents[0]["user_goal"] == "Choisir à qui facturer"
    assert set(intents[0]) == {"intent_id", "user_goal", "selector", "fallback_selector", "action_type"}


def test_saving_and_approving_makes_the_page_answer(oree: Tenant, skill: PageSkill) -> None:
    oree.organization.allow_self_approval = True
    oree.organization.save()
    form = form_of(skill, do="save_approve", name="Facturer un client")

    browser_of(oree.reviewer).post(url_of(skill), form)

    skill.refresh_from_db()
    assert (skill.name, skill.status) == ("Facturer un client", Status.PUBLISHED)


def test_the_person_who_recorded_it_does_not_approve_it(oree: Tenant, skill: PageSkill) -> None:
    skill.submitted_by = oree.reviewer
    skill.save()
    browser = browser_of(oree.reviewer)

    assert 'value="approve"' not in browser.get(url_of(skill)).content.decode()
    assert browser.post(url_of(skill), form_of(skill, do="approve")).status_code == 403
    skill.refresh_from_db()
    assert skill.status == Status.PENDING_REVIEW


def test_wrong_fields_are_told_in_place_and_keep_what_was_typed(oree: Tenant, skill: PageSkill) -> None:
    form = form_of(skill, route_pattern="factures nouvelles", name="Nom gardé")

    response = browser_of(oree.reviewer).post(url_of(skill), form)

    assert response.status_code == 422
    draft = response.context["draft"]
    assert "route_pattern" in draft.errors
    assert draft.name == "Nom gardé"

    emptied = browser_of(oree.reviewer).post(url_of(skill), form_of(skill, **{f"goal.{first_id(skill)}": " "}))
    assert set(emptied.context["draft"].intents[0].errors) == {"user_goal"}


def test_a_stale_page_cannot_save_and_nothing_typed_is_lost(oree: Tenant, skill: PageSkill) -> None:
    stale = form_of(skill, name="Mon nom")
    browser_of(oree.author).post(url_of(skill), form_of(skill, summary="Le résumé d'une autre."))

    response = browser_of(oree.reviewer).post(url_of(skill), stale)

    assert response.status_code == 409
    assert 'value="Mon nom"' in response.content.decode()
    assert "Le résumé d'une autre." in text_of(response).replace("&#x27;", "'")


def test_editing_a_published_page_makes_a_successor(oree: Tenant) -> None:
    live = oree.learn()

    response = browser_of(oree.author).post(url_of(live), form_of(live, name="Nouveau nom"))

    successor = PageSkill.objects.exclude(pk=live.pk).get()
    assert response.headers["Location"] == url_of(successor)
    live.refresh_from_db()
    assert live.status == Status.PUBLISHED
    assert (successor.status, successor.version) == (Status.PENDING_REVIEW, 2)
    assert "répond actuellement" in text_of(browser_of(oree.reviewer).get(url_of(successor)))
