"""A page learnt again in a later release: what is the same stays the same, and what a reviewer wrote stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.types import EngineConfig
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.scoping import tenant_scope
from skills.models import PageSkill
from skills.services import scan_accept, scan_learn, skill_edit
from tests.fakes.llm_server import FakeLlmServer
from tests.fixtures import LOCAL, Tenant, invoice_scan, node
from tests.skills.releases import scan_of


def learn(tenant: Tenant, scan: dict[str, Any], config: EngineConfig = LOCAL, **changes: Any) -> PageSkill:
    accepted = scan_accept(
        **{
            "organization": tenant.organization,
            "actor": tenant.author,
            "data": scan,
            "name": "Fiche client",
            "locale": "fr",
            **changes,
        }
    )
    skill = scan_learn(scan_id=accepted.pk, config=config)
    assert skill is not None
    return skill


def approve(tenant: Tenant, skill: PageSkill) -> PageSkill:
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=tenant.organization,
        actor=tenant.reviewer,
        verb=Verb.APPROVE,
        seen_digest=skill.digest,
    )
    skill.refresh_from_db()
    return skill


def edit(tenant: Tenant, skill: PageSkill, **changes: Any) -> PageSkill:
    return skill_edit(
        **{
            "skill": skill,
            "actor": tenant.author,
            "seen_digest": skill.digest,
            "name": skill.name,
            "route_pattern": skill.route_pattern,
            "summary": skill.summary,
            "intents": skill.actions_json["intents"],
            **changes,
        }
    )


def rows(skill: PageSkill, **written: dict[str, str]) -> list[dict[str, str]]:
    """The actions of a page-skill, some of them as a reviewer writes them."""
    return [{**row, **written.get(row["intent_id"], {})} for row in skill.actions_json["intents"]]


def row(skill: PageSkill, intent_id: str) -> dict[str, str]:
    return next(row for row in skill.actions_json["intents"] if row["intent_id"] == intent_id)


def ids(skill: PageSkill) -> set[str]:
    return {row["intent_id"] for row in skill.actions_json["intents"]}


@pytest.fixture
def first(oree: Tenant) -> PageSkill:
    return approve(oree, learn(oree, scan_of("first")))


def test_learning_the_same_page_again_changes_nothing(oree, first):
    again = learn(oree, scan_of("first"))
    assert (again.actions_json, again.digest, again.version) == (first.actions_json, first.digest, first.version + 1)
    assert again.elements_json == first.elements_json
    assert again.fingerprints_json == first.fingerprints_json


def test_what_is_the_same_action_keeps_its_id_whatever_moved_or_was_renamed(oree, first):
    second = learn(oree, scan_of("second"))
    moved = {row["intent_id"]: (row["selector"], row["user_goal"]) for row in second.actions_json["intents"]}
    assert moved["adresse_e_mail"] == ("#email", "Saisir le courriel")
    assert moved["nom"][0] == "#client-nom"
    assert moved["select_categorie"][0] == "#segment"
    assert moved["enregistrer"][0] == '[data-testid="save-client"]'
    assert moved["exporter_pdf"][0] == "body > main > div > button:nth-of-type(3)"


def test_another_element_at_a_place_that_only_counts_is_another_action(oree, first):
    second = learn(oree, scan_of("second"))
    place = "body > main > div > button:nth-of-type(1)"
    at_place = {
        skill: next(r for r in skill.actions_json["intents"] if r["selector"] == place) for skill in (first, second)
    }
    assert (at_place[first]["intent_id"], at_place[second]["intent_id"]) == ("exporter_pdf", "dupliquer_client")


def test_new_actions_come_in_and_gone_ones_drop_out(oree, first):
    second = learn(oree, scan_of("second"))
    assert ids(second) - ids(first) == {"dupliquer_client", "telephone"}
    assert ids(first) - ids(second) == {"notes_internes"}
    assert set(second.elements_json) == ids(second)
    assert set(second.fingerprints_json) == {row["selector"] for row in second.actions_json["intents"]}


def test_an_action_that_comes_back_after_a_bad_recording_is_the_one_it_was(oree, first):
    scan = scan_of("second")
    learn(oree, {**scan, "nodes": [one for one in scan["nodes"] if one["tag"] != "select"]})
    whole = learn(oree, scan)
    assert "select_categorie" in ids(whole)


@pytest.mark.parametrize("approved", [True, False], ids=["after the approval", "before it"])
def test_what_a_reviewer_wrote_stays(oree, approved):
    first = learn(oree, scan_of("first"))
    if approved:
        approve(oree, first)
    written = edit(
        oree,
        first,
        name="La fiche d’un client",
        summary="Tout ce que l’on sait d’un client.",
        intents=rows(
            first,
            adresse_e_mail={
                "user_goal": "Changer son adresse",
                "fallback_selector": "form [type='email']",
            },
            check_actif={"user_goal": "Désactiver ce client"},
        ),
    )
    if approved:
        approve(oree, written)

    second = learn(oree, scan_of("second"))

    assert (second.name, second.summary) == ("La fiche d’un client", "Tout ce que l’on sait d’un client.")
    email = row(second, "adresse_e_mail")
    assert (email["user_goal"], email["fallback_selector"]) == (
        "Changer son adresse",
        "form [type='email']",
    )
    assert row(second, "check_actif")["user_goal"] == "Désactiver ce client"
    assert row(second, "nom")["user_goal"] == row(first, "nom")["user_goal"]


def test_what_a_reviewer_wrote_stays_scan_after_scan(oree, first):
    approve(oree, edit(oree, first, intents=rows(first, check_actif={"user_goal": "Désactiver ce client"})))
    approve(oree, learn(oree, scan_of("second")))
    third = learn(oree, scan_of("first"))
    assert row(third, "check_actif")["user_goal"] == "Désactiver ce client"


def test_a_wording_taken_back_to_the_scan_s_own_follows_the_page_again(oree, first):
    own = first.actions_json["intents"]
    written = approve(oree, edit(oree, first, intents=rows(first, adresse_e_mail={"user_goal": "Changer l’adresse"})))
    approve(oree, edit(oree, written, intents=own))
    assert row(learn(oree, scan_of("second")), "adresse_e_mail")["user_goal"] == "Saisir le courriel"


def test_what_a_reviewer_removed_stays_away(oree, first):
    kept = [row for row in first.actions_json["intents"] if row["intent_id"] != "archiver_client"]
    approve(oree, edit(oree, first, intents=kept))
    second = approve(oree, learn(oree, scan_of("second")))
    assert "archiver_client" not in ids(second)
    assert "archiver_client" not in ids(learn(oree, scan_of("first")))


def test_a_page_whose_last_actions_were_removed_shows_what_it_has(oree):
    first = approve(oree, learn(oree, invoice_scan()))
    approve(oree, edit(oree, first, intents=[row(first, "select_client")]))
    without = [one for one in invoice_scan()["nodes"] if one["tag"] != "select"]
    assert ids(learn(oree, invoice_scan(nodes=without))) == {"remise", "creer_facture"}


def added(selector: str) -> dict[str, str]:
    return {
        "intent_id": "fusionner",
        "user_goal": "Fusionner deux clients",
        "selector": selector,
        "fallback_selector": "",
        "action_type": "click",
    }


def test_what_a_reviewer_added_stays_while_its_element_does(oree, first):
    title = added("body > main > h1")
    approve(oree, edit(oree, first, intents=[*first.actions_json["intents"], title]))
    scan = scan_of("second")
    assert row(learn(oree, scan), "fusionner") == title
    gone = {**scan, "nodes": [one for one in scan["nodes"] if one["tag"] != "h1"]}
    assert "fusionner" not in ids(learn(oree, gone))


def test_what_a_reviewer_added_and_the_scan_finds_later_is_there_once(oree, first):
    phone = {**added("#telephone"), "action_type": "input", "user_goal": "Noter le numéro du client"}
    approve(oree, edit(oree, first, intents=[*first.actions_json["intents"], phone]))
    second = learn(oree, scan_of("second"))
    there = [row for row in second.actions_json["intents"] if row["selector"] == "#telephone"]
    assert [(row["intent_id"], row["user_goal"]) for row in there] == [("fusionner", "Noter le numéro du client")]


def test_a_selector_that_a_reviewer_chose_stays_while_the_page_has_it(oree, first):
    edited = rows(first, nom={"selector": 'input[name="nom"]'}, check_actif={"selector": "#notes"})
    approve(oree, edit(oree, first, intents=edited))
    second = learn(oree, scan_of("second"))
    assert row(second, "nom")["selector"] == 'input[name="nom"]'
    assert row(second, "check_actif")["selector"] == "#actif"
    assert second.fingerprints_json['input[name="nom"]'].startswith("textbox~2d9dh~")


def test_what_a_reviewer_rejected_counts_for_nothing(oree, first):
    refused = edit(oree, first, intents=rows(first, check_actif={"user_goal": "Faux"}))
    review_decide(
        model=PageSkill,
        subject_id=refused.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.REJECT,
        seen_digest=refused.digest,
        reason="non",
    )
    again = learn(oree, scan_of("first"))
    assert row(again, "check_actif") == row(first, "check_actif")
    assert again.version > refused.version


def test_an_address_that_a_reviewer_made_wider_stays(oree):
    scan = {**scan_of("first"), "urlPattern": "/clients/fiche"}
    wider = approve(oree, edit(oree, learn(oree, scan), route_pattern="/clients/*"))
    again = learn(oree, scan)
    assert (again.route_pattern, again.version) == ("/clients/*", wider.version + 1)
    assert approve(oree, again).status == Status.PUBLISHED
    wider.refresh_from_db()
    assert wider.status == Status.ARCHIVED


def test_a_new_action_never_takes_the_id_of_one_that_is_gone(oree):
    def page(*nodes: dict[str, Any]) -> dict[str, Any]:
        return invoice_scan(nodes=[node(1, "button", "Aide", "#help"), *nodes])

    approve(oree, learn(oree, page(node(2, "input", "Statut", "#old"))))
    second = learn(oree, page(node(2, "div", "Statut", "#new", role="textbox", name="etat")))
    assert ids(second) == {"aide", "statut_2"}


def test_two_actions_that_cannot_be_told_apart_are_not_taken_for_one_another(oree):
    def rows_of(*places: int) -> list[dict[str, Any]]:
        context = {"group": "Lignes"}
        return [
            node(place, "button", "Dupliquer", f"ol > li:nth-of-type({place}) > button", context=context)
            for place in places
        ]

    first = approve(oree, learn(oree, invoice_scan(nodes=rows_of(1, 2))))
    approve(oree, edit(oree, first, intents=rows(first, dupliquer={"user_goal": "Dupliquer la première"})))
    second = learn(oree, invoice_scan(nodes=rows_of(3, 4)))
    assert "Dupliquer la première" not in {row["user_goal"] for row in second.actions_json["intents"]}


def test_a_page_learnt_in_another_language_is_worded_anew_and_its_actions_stay_what_they_are(oree, first):
    approve(oree, edit(oree, first, intents=rows(first, check_actif={"user_goal": "Désactiver ce client"})))
    english = learn(oree, scan_of("first"), locale="en")
    assert ids(english) == ids(first)
    assert row(english, "check_actif")["user_goal"].startswith("Tick")


def test_another_organization_s_page_is_another_page(oree, stranger, first):
    approve(oree, edit(oree, first, intents=rows(first, check_actif={"user_goal": "Désactiver ce client"})))
    with tenant_scope(stranger.organization.pk):
        theirs = learn(stranger, scan_of("first"))
    assert row(theirs, "check_actif")["user_goal"] != "Désactiver ce client"
    assert theirs.version == 1


@pytest.fixture
def model() -> Iterator[FakeLlmServer]:
    with FakeLlmServer() as server:
        yield server


def asking(server: FakeLlmServer) -> EngineConfig:
    return EngineConfig("openai", server.base_url, "secret-key", "some-model", timeout_s=5)


def worded(prefix: str) -> Any:
    """A model that begins every goal with the same word, and today's summary with another."""

    def answer(prompt: Any) -> dict[str, Any]:
        goals = [{"i": short, "goal": f"{prefix} {short}", "synonyms": [f"{prefix} aussi"]} for short in prompt.ids]
        return {"summary": f"{prefix} la page.", "goals": goals}

    return answer


def test_a_model_s_words_stay_until_the_page_says_something_else(oree, model):
    model.script = worded("Gérer")
    first = approve(oree, learn(oree, scan_of("first"), asking(model)))
    approve(oree, edit(oree, first, intents=rows(first, check_actif={"user_goal": "Désactiver ce client"})))
    model.script = worded("Traiter")

    again = learn(oree, scan_of("first"), asking(model))
    assert row(again, "nom") == row(first, "nom")
    assert again.summary == "Gérer la page."
    assert row(again, "check_actif")["user_goal"] == "Désactiver ce client"

    second = learn(oree, scan_of("second"), asking(model))
    assert row(second, "nom")["user_goal"] == row(first, "nom")["user_goal"]
    assert row(second, "adresse_e_mail")["user_goal"].startswith("Traiter")
    assert row(second, "telephone")["user_goal"].startswith("Traiter")
    assert second.summary == "Traiter la page."


def test_a_model_that_is_out_of_order_takes_nobody_s_words_away(oree, model):
    model.script = worded("Gérer")
    first = approve(oree, learn(oree, scan_of("first"), asking(model)))
    model.behave("denied")
    again = learn(oree, scan_of("first"), asking(model))
    assert again.actions_json == first.actions_json
