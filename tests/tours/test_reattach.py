"""A reviewer points a step at another element of the page: a new version under review, and nothing else."""

from typing import Any

import pytest

from moderation.models import Decision
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from tests.fixtures import invoice_scan, node
from tests.tours.test_editing import decide, edit
from tours.models import Tour, TourVersion
from tours.preview import preview_token_create
from tours.selectors import published_for_path
from tours.services import step_reattach

PAGE = "/factures/nouvelle"
HELP = node(
    9, "button", "Aide sur la facture", "#help", fallback="form > button:nth-of-type(2)", fingerprint="button~h"
)


@pytest.fixture
def tour(ask):
    return ask().tour


def attach(tenant, tour, element: Any = HELP, **changes: Any):
    tour.refresh_from_db()
    return step_reattach(
        **{
            "tour": tour,
            "actor": tenant.author,
            "seen_digest": tour.digest,
            "index": 0,
            "node": element,
            "route": PAGE,
            **changes,
        }
    )


def refusal(tenant, tour, element: Any = HELP, **changes: Any) -> ServiceError:
    with pytest.raises(ServiceError) as refused:
        attach(tenant, tour, element, **changes)
    assert TourVersion.objects.filter(tour=tour).count() == 1
    return refused.value


def test_the_step_points_at_the_element_in_a_new_version_under_review(oree, tour):
    before = tour.current_version.steps[0]
    version = attach(oree, tour)
    [step] = version.steps
    assert (step["selector"], step["fallback_selector"], step["fingerprint"]) == (
        "#help",
        "form > button:nth-of-type(2)",
        "button~h",
    )
    assert (step["picked"], step["action_type"]) == ("Aide sur la facture", "click")
    assert {key: step[key] for key in ("intent_id", "title", "text", "placement")} == {
        key: before[key] for key in ("intent_id", "title", "text", "placement")
    }
    assert (version.number, version.author, tour.status) == (2, oree.author, Status.PENDING_REVIEW)


def test_the_journal_says_who_pointed_it_elsewhere(oree, tour):
    attach(oree, tour)
    decision = Decision.objects.get(subject_id=tour.pk, verb=Verb.EDIT)
    assert (decision.actor, decision.version) == (oree.author, 2)


def test_what_is_published_stays_live_until_the_new_version_is_approved(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    live = tour.published_version
    version = attach(oree, tour)
    assert [found.published_version for found in published_for_path(PAGE)] == [live]
    decide(oree, tour, Verb.APPROVE)
    assert tour.published_version == version


def test_an_element_that_the_page_knows_makes_the_step_one_about_that_action(oree, tour):
    vat = invoice_scan()["nodes"][3]
    [step] = attach(oree, tour, vat).steps
    intent = next(i for i in tour.page_skill.actions_json["intents"] if i["selector"] == "#vat")
    assert (step["intent_id"], step["picked"], step["action_type"]) == (intent["intent_id"], "", "select")


def test_pointing_where_the_step_points_already_changes_nothing(oree, tour):
    assert attach(oree, tour, invoice_scan()["nodes"][2]) is None
    assert TourVersion.objects.filter(tour=tour).count() == 1
    assert tour.status == Status.PENDING_REVIEW
    assert not Decision.objects.filter(subject_id=tour.pk, verb=Verb.EDIT).exists()


def test_an_element_without_a_name_is_called_by_what_it_is(oree, tour):
    [step] = attach(oree, tour, node(9, "button", "", "#icon")).steps
    assert step["picked"] == "button"


def test_of_two_at_once_the_second_is_told(oree, tour):
    seen = tour.digest
    edit(oree, tour, title="Un autre titre")
    with pytest.raises(ServiceError) as refused:
        attach(oree, tour, seen_digest=seen)
    assert (refused.value.code, refused.value.status) == ("changed_since", 409)


def test_what_was_rejected_is_not_changed(oree, tour):
    decide(oree, tour, Verb.REJECT)
    assert refusal(oree, tour).code == "already_decided"


def test_who_only_reads_may_not(oree, stranger, tour):
    assert refusal(oree, tour, actor=oree.viewer).code == "forbidden"
    assert refusal(oree, tour, actor=stranger.author).status == 404


@pytest.mark.parametrize("index", [-1, 1, 99])
def test_a_step_that_is_not_there_cannot_be_pointed_anywhere(oree, tour, index):
    assert refusal(oree, tour, index=index).status == 404


def test_an_element_of_another_page_is_refused(oree, tour):
    assert refusal(oree, tour, route="/clients").code == "other_page"


@pytest.mark.parametrize(
    "element",
    [
        None,
        "#help",
        {**HELP, "selector": ""},
        {**HELP, "selector": "x" * 301},
        {**HELP, "isInteractive": "yes"},
        {**HELP, "fingerprint": "<script>"},
        {key: value for key, value in HELP.items() if key != "tag"},
    ],
)
def test_what_is_no_element_is_refused(oree, tour, element):
    assert refusal(oree, tour, element).code == "invalid_node"


def test_an_element_that_only_one_person_has_is_refused(oree, tour):
    assert (
        refusal(oree, tour, {**HELP, "selector": "a[href='mailto:jean.dupont@example.fr']"}).code == "personal_selector"
    )


def test_a_password_is_refused(oree, tour):
    assert refusal(oree, tour, node(9, "input", "Mot de passe", "#pw", type="password")).code == "password_field"


def test_personal_data_in_its_name_is_masked(oree, tour):
    [step] = attach(oree, tour, {**HELP, "label": "Écrire à jean.dupont@example.fr"}).steps
    assert "jean" not in step["picked"]
    assert step["picked"].startswith("Écrire à ")


def test_the_organization_s_own_masks_count_too(oree, tour):
    oree.organization.masks = [{"name": "Clients", "pattern": "CLI-####", "example": ""}]
    oree.organization.save()
    tour = Tour.objects.get(pk=tour.pk)
    assert refusal(oree, tour, {**HELP, "selector": "#CLI-2041"}).code == "personal_selector"
    assert "2041" not in attach(oree, tour, {**HELP, "label": "Ouvrir CLI-2041"}).steps[0]["picked"]


def words(version, **changes):
    return [{**step, **changes} for step in version.steps]


def test_an_edit_of_the_words_keeps_the_element_that_was_picked(oree, tour):
    picked = attach(oree, tour).steps[0]
    version = edit(oree, tour, steps=words(TourVersion.objects.get(tour=tour, number=2), text="Cliquez ici."))
    assert version.steps == [{**picked, "text": "Cliquez ici."}]


def test_an_editor_can_go_back_to_the_page_s_own_element_and_to_the_picked_one_again(oree, tour):
    first, second = tour.current_version, attach(oree, tour)
    back = edit(oree, tour, title=first.title, steps=words(second, picked=""))
    assert back.steps[0]["selector"] == first.steps[0]["selector"]
    again = edit(oree, tour, title=first.title, steps=words(second, text="Cliquez ici."))
    assert (again.steps[0]["selector"], again.steps[0]["picked"]) == ("#help", "Aide sur la facture")


def test_an_editor_s_own_words_for_a_picked_element_are_not_read(oree, tour):
    second = attach(oree, tour)
    forged = {"fallback_selector": "#evil", "fingerprint": "evil", "picked": "Gratuit", "text": "Cliquez ici."}
    [step] = edit(oree, tour, steps=words(second, **forged)).steps
    assert (step["fallback_selector"], step["fingerprint"], step["picked"]) == (
        HELP["fallbackSelector"],
        "button~h",
        "Aide sur la facture",
    )


def test_nobody_picks_an_element_by_editing(oree, tour):
    with pytest.raises(ServiceError) as refused:
        edit(oree, tour, steps=words(tour.current_version, picked="Ici", selector="#evil"))
    assert "steps[0].intent_id" in refused.value.fields


def test_a_save_that_changes_nothing_keeps_the_version_with_a_picked_element(oree, tour):
    second = attach(oree, tour)
    assert edit(oree, tour, title=second.title, steps=second.steps) is None
    assert TourVersion.objects.filter(tour=tour).count() == 2


def learnt_again(tenant, tour, *more):
    scan = invoice_scan()
    tenant.learn({**scan, "nodes": [*scan["nodes"], *more]})
    tour.refresh_from_db()


def test_a_page_learnt_again_with_the_picked_element_on_it_keeps_the_tour(oree, tour):
    attach(oree, tour)
    decide(oree, tour, Verb.APPROVE)
    learnt_again(oree, tour, HELP)
    assert tour.status == Status.PUBLISHED
    assert tour.published_version.steps[0]["selector"] == "#help"


def test_a_page_learnt_again_without_it_makes_the_tour_stale(oree, tour):
    attach(oree, tour)
    decide(oree, tour, Verb.APPROVE)
    learnt_again(oree, tour)
    assert tour.status == Status.STALE


def post(tenant, tour, token, index=0, **changes):
    body = {"preview": token, "route": PAGE, "node": HELP, **changes}
    return tenant.api().post(f"/v1/tours/{tour.pk}/steps/{index}/target", body, format="json")


def test_the_page_gets_the_new_version_and_a_token_for_it(oree, tour):
    answer = post(oree, tour, preview_token_create(version=tour.current_version, actor=oree.author))
    assert answer.status_code == 200
    body = answer.json()
    assert body["steps"][0]["attachTo"]["element"] == "#help"
    assert (body["preview"]["version"], body["preview"]["editable"]) == (2, True)
    again = oree.api().get(f"/v1/tours/{tour.pk}", {"preview": body["preview"]["token"]}).json()
    assert again["steps"] == body["steps"]


def test_a_token_of_the_version_before_is_refused_once_it_changed(oree, tour):
    token = preview_token_create(version=tour.current_version, actor=oree.author)
    assert post(oree, tour, token).status_code == 200
    second = post(oree, tour, token, node={**HELP, "selector": "#other"})
    assert (second.status_code, second.json()["code"]) == (409, "changed_since")
    assert TourVersion.objects.filter(tour=tour).count() == 2


def test_without_a_good_token_nothing_is_changed(oree, stranger, tour):
    token = preview_token_create(version=tour.current_version, actor=oree.author)
    assert post(oree, tour, "forged.x").status_code == 401
    assert post(stranger, tour, token).status_code == 404
    assert post(oree, tour, token, index=7).status_code == 404
    assert post(oree, tour, token, node=None).status_code == 422
    assert TourVersion.objects.filter(tour=tour).count() == 1


@pytest.mark.parametrize(
    ("element", "advances"),
    [
        (node(9, "button", "Valider", "#x"), {"event": "click"}),
        (node(9, "a", "Clients", "#x"), {"event": "click"}),
        (node(9, "select", "Pays", "#x"), {"event": "change"}),
        (node(9, "input", "J'accepte", "#x", type="checkbox"), {"event": "click"}),
        (node(9, "input", "Nom", "#x", type="text"), None),
    ],
)
def test_the_guide_goes_on_by_what_people_do_on_such_an_element(oree, tour, element, advances):
    token = preview_token_create(version=tour.current_version, actor=oree.author)
    [step] = post(oree, tour, token, node=element).json()["steps"]
    assert step.get("advanceOn") == advances
