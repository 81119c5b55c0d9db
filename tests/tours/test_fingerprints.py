"""A version of a tour points with what it was approved with: selectors and fingerprints."""

import pytest

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from tests.fixtures import QUESTION, invoice_scan
from tours.answering.presenting import question_answer_payload, tour_payload
from tours.models import Tour, TourVersion
from tours.services import tour_edit
from tours.steps import steps_digest

DISCOUNT = "[data-testid='invoice-discount-input']"


def marked_scan(mark, *, without=()):
    """The invoice page with a fingerprint on each element but those named."""
    scan = invoice_scan()
    nodes = [
        one if one["selector"] in without else {**one, "fingerprint": f"{mark}~{one['id']}"} for one in scan["nodes"]
    ]
    return {**scan, "nodes": nodes}


@pytest.fixture
def tour(oree, ask):
    oree.learn(marked_scan("v1", without=("#vat",)))
    return ask(text=QUESTION).tour


def edit(tenant, tour, **changes):
    tour.refresh_from_db()
    version = tour.current_version
    return tour_edit(
        **{
            "tour": tour,
            "actor": tenant.reviewer,
            "seen_digest": tour.digest,
            "title": version.title,
            "steps": version.steps,
            **changes,
        }
    )


def approve(tenant, tour):
    tour.refresh_from_db()
    review_decide(
        model=Tour,
        subject_id=tour.pk,
        organization=tenant.organization,
        actor=tenant.reviewer,
        verb=Verb.APPROVE,
        seen_digest=tour.digest,
    )
    tour.refresh_from_db()


def intent_at(tour, selector):
    return next(i["intent_id"] for i in tour.page_skill.actions_json["intents"] if i["selector"] == selector)


def fingerprints(version):
    return [step["fingerprint"] for step in version.steps]


def test_an_answer_carries_the_fingerprint_of_each_element(oree, ask):
    oree.learn(marked_scan("v1"))
    [step] = question_answer_payload(ask())["steps"]
    assert (step["attachTo"]["element"], step["fingerprint"]) == (DISCOUNT, "v1~n3")
    assert step["fallback_selector"] == "input[name='discount']"


def test_an_answer_on_a_page_without_fingerprints_has_none(ask):
    [step] = question_answer_payload(ask())["steps"]
    assert "fingerprint" not in step


def test_a_page_learnt_again_does_not_change_what_was_approved(oree, tour):
    approve(oree, tour)
    oree.learn(marked_scan("v2"))
    tour.refresh_from_db()
    assert tour.status == Status.PUBLISHED
    shown = tour_payload(tour, tour.published_version, source="published", published=True)
    assert [step["fingerprint"] for step in shown["steps"]] == ["v1~n3"]


def test_a_save_that_changes_nothing_changes_nothing_though_the_page_was_learnt_again(oree, tour):
    approve(oree, tour)
    oree.learn(marked_scan("v2"))
    assert edit(oree, tour) is None
    tour.refresh_from_db()
    assert tour.status == Status.PUBLISHED
    assert TourVersion.objects.filter(tour=tour).count() == 1
    assert Decision.objects.filter(subject_id=tour.pk, verb=Verb.EDIT).count() == 0


def test_a_save_that_changes_nothing_is_still_refused_on_another_version_than_was_seen(oree, tour):
    oree.learn(marked_scan("v2"))
    with pytest.raises(ServiceError) as refused:
        edit(oree, tour, seen_digest="0" * 64)
    assert refused.value.code == "changed_since"


def test_an_edit_points_with_what_the_page_knows_now(oree, tour):
    oree.learn(marked_scan("v2"))
    tour.refresh_from_db()
    steps = [{**step, "text": "Saisissez le taux."} for step in tour.current_version.steps]
    assert fingerprints(edit(oree, tour, steps=steps)) == ["v2~n3"]


def test_a_step_that_points_elsewhere_gets_the_fingerprint_of_the_new_element(oree, tour):
    [step] = tour.current_version.steps
    version = edit(oree, tour, steps=[{**step, "intent_id": intent_at(tour, "button[name='create']")}])
    assert fingerprints(version) == ["v1~n5"]


def test_a_step_that_points_at_an_element_without_one_drops_it(oree, tour):
    [step] = tour.current_version.steps
    version = edit(oree, tour, steps=[{**step, "intent_id": intent_at(tour, "#vat")}])
    assert fingerprints(version) == [""]


def test_an_editors_fingerprint_is_ignored_for_the_pages_own(oree, tour):
    [step] = tour.current_version.steps
    version = edit(oree, tour, steps=[{**step, "fingerprint": "forged", "text": "Autre texte."}])
    assert fingerprints(version) == ["v1~n3"]


def test_two_versions_that_differ_in_what_they_point_with_are_two_things_to_decide(tour):
    version = tour.current_version
    other = [{**step, "fingerprint": "v2~n3"} for step in version.steps]
    assert steps_digest(version.title, version.steps) == version.digest
    assert steps_digest(version.title, other) != version.digest


def test_a_selector_into_a_shadow_root_reaches_the_guide_as_it_is(oree, ask):
    scan = invoice_scan()
    inside, fallback = "#shell >>> input[name='discount']", "#shell >>> iframe >>> #discount"
    moved = {"selector": inside, "fallbackSelector": fallback}
    oree.learn({**scan, "nodes": [{**one, **moved} if one["selector"] == DISCOUNT else one for one in scan["nodes"]]})
    question = ask()
    [step] = question_answer_payload(question)["steps"]
    assert (step["attachTo"]["element"], step["fallback_selector"]) == (inside, fallback)
    edited = [{**one, "text": "Saisissez le taux."} for one in question.tour.current_version.steps]
    assert edit(oree, question.tour, steps=edited).steps[0]["selector"] == inside
