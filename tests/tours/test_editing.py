"""Reviewers adjust a tour; what is live changes only by an approval."""

import pytest

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from tours.models import Tour, TourVersion
from tours.selectors import published_for_path
from tours.services import tour_edit


@pytest.fixture
def tour(ask):
    return ask().tour


def edit(tenant, tour, **changes):
    tour.refresh_from_db()
    step = tour.current_version.steps[0]
    return tour_edit(
        **{
            "tour": tour,
            "actor": tenant.author,
            "seen_digest": tour.digest,
            "title": "Accorder une remise",
            "steps": [{**step, "text": "Saisissez le pourcentage accordé."}],
            **changes,
        }
    )


def decide(tenant, tour, verb, **changes):
    tour.refresh_from_db()
    review_decide(
        **{
            "model": Tour,
            "subject_id": tour.pk,
            "organization": tenant.organization,
            "actor": tenant.reviewer,
            "verb": verb,
            "seen_digest": tour.digest,
            "reason": "le texte n'est pas clair",
            **changes,
        }
    )
    tour.refresh_from_db()


def test_an_edit_adds_a_version_and_the_first_stays_as_it_was(oree, tour):
    first = tour.current_version
    second = edit(oree, tour)
    assert (first.number, second.number) == (1, 2)
    assert TourVersion.objects.get(pk=first.pk).steps == first.steps
    assert tour.current_version == second
    assert second.author == oree.author


def test_edit_then_approve_publishes_exactly_the_edited_version(oree, tour):
    version = edit(oree, tour)
    decide(oree, tour, Verb.APPROVE)
    assert tour.status == Status.PUBLISHED
    assert tour.published_version == version


def test_an_approval_of_the_version_before_the_edit_is_refused(oree, tour):
    seen = tour.digest
    edit(oree, tour)
    with pytest.raises(ServiceError) as refused:
        decide(oree, tour, Verb.APPROVE, seen_digest=seen)
    assert refused.value.code == "changed_since"


def test_two_editors_on_the_same_version_do_not_overwrite_each_other(oree, tour):
    seen = tour.digest
    edit(oree, tour)
    with pytest.raises(ServiceError) as refused:
        edit(oree, tour, seen_digest=seen, title="Autre titre")
    assert refused.value.code == "changed_since"


def test_saving_the_same_content_makes_no_version(oree, tour):
    version = tour.current_version
    assert edit(oree, tour, title=version.title, steps=version.steps) is None
    assert TourVersion.objects.count() == 1
    assert Decision.objects.filter(verb=Verb.EDIT).count() == 0


def test_a_published_tour_stays_live_while_its_edit_is_under_review(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    live = tour.published_version
    edit(oree, tour)
    assert tour.status == Status.PENDING_REVIEW
    assert [found.published_version for found in published_for_path("/factures/nouvelle")] == [live]


def test_a_refused_edit_of_a_published_tour_leaves_the_live_one(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    live = tour.published_version
    edit(oree, tour)
    decide(oree, tour, Verb.REJECT)
    assert tour.status == Status.PUBLISHED
    assert tour.current_version == tour.published_version == live
    assert tour.digest == live.digest


def test_an_archived_tour_is_gone_for_everybody(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    decide(oree, tour, Verb.ARCHIVE)
    assert tour.status == Status.ARCHIVED
    assert published_for_path("/factures/nouvelle") == []


def test_markup_typed_by_an_editor_is_kept_as_text_without_tags(oree, tour):
    step = tour.current_version.steps[0]
    version = edit(oree, tour, steps=[{**step, "text": "Ici <img src=x onerror=alert(1)> le taux"}])
    assert "<img" not in version.steps[0]["text"]


def test_a_step_can_only_point_at_what_the_page_holds(oree, tour):
    step = tour.current_version.steps[0]
    with pytest.raises(ServiceError) as refused:
        edit(oree, tour, steps=[{**step, "intent_id": "somewhere_else"}])
    assert "steps[0].intent_id" in refused.value.fields


def test_an_editors_selector_is_ignored_for_the_pages_own(oree, tour):
    step = tour.current_version.steps[0]
    version = edit(oree, tour, steps=[{**step, "selector": "#evil", "text": "Autre texte."}])
    assert version.steps[0]["selector"] == step["selector"]


@pytest.mark.parametrize(("field", "value"), [("title", " "), ("text", ""), ("placement", "middle")])
def test_a_step_that_cannot_be_shown_is_refused_by_name(oree, tour, field, value):
    step = tour.current_version.steps[0]
    with pytest.raises(ServiceError) as refused:
        edit(oree, tour, steps=[{**step, field: value}])
    assert f"steps[0].{field}" in refused.value.fields


def test_a_page_learnt_again_keeps_tours_whose_targets_are_still_there(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    skill = oree.learn()
    tour.refresh_from_db()
    assert (tour.page_skill, tour.status) == (skill, Status.PUBLISHED)


def test_a_tour_whose_target_left_the_page_becomes_stale_and_is_no_longer_shown(oree, tour):
    from tests.fixtures import invoice_scan

    decide(oree, tour, Verb.APPROVE)
    without_discount = invoice_scan()
    without_discount["nodes"] = [node for node in without_discount["nodes"] if "Remise" not in node["label"]]
    oree.learn(without_discount)
    tour.refresh_from_db()
    assert tour.status == Status.STALE
    assert published_for_path("/factures/nouvelle") == []


def without_discount():
    from tests.fixtures import invoice_scan

    scan = invoice_scan()
    return {**scan, "nodes": [node for node in scan["nodes"] if "Remise" not in node["label"]]}


def moved_discount():
    from tests.fixtures import invoice_scan

    scan = invoice_scan()
    moved = {"selector": "#elsewhere", "fallbackSelector": "input[name='elsewhere']"}
    return {**scan, "nodes": [{**node, **moved} if "Remise" in node["label"] else node for node in scan["nodes"]]}


def test_an_out_of_date_tour_is_not_live_again_because_somebody_edits_it(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    skill = oree.learn(without_discount())
    tour.refresh_from_db()
    intent = skill.actions_json["intents"][0]["intent_id"]
    edit(oree, tour, steps=[{**tour.current_version.steps[0], "intent_id": intent}])
    tour.refresh_from_db()
    assert tour.status == Status.PENDING_REVIEW
    assert published_for_path("/factures/nouvelle") == []


def test_a_live_tour_sent_back_for_changes_goes_out_of_date_too(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    edit(oree, tour, title="Un autre titre")
    tour.refresh_from_db()
    decide(oree, tour, Verb.REQUEST_CHANGES)
    oree.learn(without_discount())
    tour.refresh_from_db()
    assert tour.status == Status.STALE
    assert published_for_path("/factures/nouvelle") == []


def test_a_tour_whose_target_is_elsewhere_on_the_page_is_no_longer_shown(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    oree.learn(moved_discount())
    tour.refresh_from_db()
    assert tour.status == Status.STALE
    assert published_for_path("/factures/nouvelle") == []


def test_a_live_version_that_lost_its_target_goes_while_its_revision_stays(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    vat = next(i["intent_id"] for i in tour.page_skill.actions_json["intents"] if i["selector"] == "#vat")
    edit(oree, tour, steps=[{**tour.current_version.steps[0], "intent_id": vat}])
    oree.learn(without_discount())
    tour.refresh_from_db()
    assert tour.status == Status.PENDING_REVIEW
    assert tour.published_version is None
    assert published_for_path("/factures/nouvelle") == []
