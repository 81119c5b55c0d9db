"""A page that answers less than it did is not published unless somebody says so."""

from __future__ import annotations

from functools import partial

import pytest

from moderation.checks import findings
from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from organizations.models import Membership, Role
from organizations.scoping import tenant_scope
from skills.models import PageSkill
from tests.fixtures import invoice_scan, make_tenant, node
from tests.races.test_decisions import all_at_once
from tours.evaluation import gate, judging
from tours.evaluation.references import reference_add

QUESTION = "Comment ajouter une remise ?"
DISCOUNT = "[data-testid='invoice-discount-input']"


def without_discount():
    scan = invoice_scan()
    return {**scan, "nodes": [one for one in scan["nodes"] if one["selector"] != DISCOUNT]}


def goal_of(skill, selector):
    return next(row["intent_id"] for row in skill.actions_json["intents"] if row["selector"] == selector)


def keep(tenant, skill, text=QUESTION, selector=DISCOUNT):
    ids = [goal_of(skill, selector)] if selector else []
    return reference_add(skill=skill, actor=tenant.reviewer, text=text, intent_ids=ids)


def approve(tenant, skill, actor=None, **more):
    return review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=tenant.organization,
        actor=actor or tenant.reviewer,
        verb=Verb.APPROVE,
        seen_digest=skill.digest,
        **more,
    )


@pytest.fixture
def live(oree):
    return oree.learn()


@pytest.fixture
def worse(oree, live):
    keep(oree, live)
    keep(oree, live, "Choisir le client", "#client-select-dropdown")
    return oree.learn(without_discount(), approve=False)


def test_a_version_that_lost_an_answer_is_refused_and_the_question_is_named(oree, live, worse):
    with pytest.raises(ServiceError) as refused:
        approve(oree, worse)

    assert (refused.value.code, refused.value.status) == ("evaluation_regressed", 409)
    assert [QUESTION in text for text in refused.value.fields.values()] == [True]
    for skill, status in ((live, Status.PUBLISHED), (worse, Status.PENDING_REVIEW)):
        skill.refresh_from_db()
        assert skill.status == status


def test_it_is_published_by_who_saw_what_is_lost_and_the_journal_keeps_it(oree, live, worse):
    (finding,) = findings(worse)

    decision = approve(oree, worse, despite=[finding.token])

    worse.refresh_from_db()
    live.refresh_from_db()
    assert (worse.status, live.status) == (Status.PUBLISHED, Status.ARCHIVED)
    assert QUESTION in decision.reason


def test_the_reviewer_sees_how_many_are_found_and_how_many_are_today(oree, worse):
    (finding,) = findings(worse)
    assert "1/2" in finding.summary
    assert "2/2" in finding.summary
    assert [fault.what for fault in finding.faults] == [QUESTION]


def test_a_version_that_answers_as_before_is_approved(oree, live):
    keep(oree, live)
    same = oree.learn(approve=False)
    (finding,) = findings(same)
    assert finding.faults == []
    assert approve(oree, same).reason == ""


def test_what_was_never_answered_right_is_no_loss(oree, live):
    keep(oree, live, "Choisir le client", DISCOUNT)
    keep(oree, live, "Où réserver un vol pour Lisbonne ?", DISCOUNT)
    same = oree.learn(approve=False)
    assert approve(oree, same).to_status == Status.PUBLISHED


def test_an_answer_to_what_has_none_is_a_loss_too(oree):
    scan = invoice_scan()
    keep(oree, oree.learn(scan), "Où imprimer la facture ?", "")
    full = oree.learn(
        {**scan, "nodes": [*scan["nodes"], node(6, "button", "Imprimer la facture", "#print")]}, approve=False
    )

    with pytest.raises(ServiceError) as refused:
        approve(oree, full)
    assert refused.value.code == "evaluation_regressed"


def test_the_first_version_of_a_page_has_nothing_to_lose(oree, live):
    keep(oree, live)
    elsewhere = oree.learn(invoice_scan(urlPattern="/ailleurs"), approve=False)
    assert findings(elsewhere) == []
    assert approve(oree, elsewhere).to_status == Status.PUBLISHED


def test_without_reference_questions_nothing_is_said(oree, live):
    assert findings(oree.learn(approve=False)) == []


def test_what_was_seen_of_one_loss_does_not_excuse_another(oree, live, worse):
    (seen,) = findings(worse)
    keep(oree, live, "Ajouter un rabais")

    with pytest.raises(ServiceError) as refused:
        approve(oree, worse, despite=[seen.token])
    assert refused.value.code == "evaluation_regressed"
    assert len(refused.value.fields) == 2


def test_an_edit_after_the_look_is_asked_again(oree, live, worse):
    """What was remembered of a version's answers is of its content, not of its row."""
    (seen,) = findings(worse)
    PageSkill.objects.filter(pk=worse.pk).update(
        actions_json=live.actions_json, elements_json=live.elements_json, digest="d" * 64
    )
    worse.refresh_from_db()
    assert seen.faults
    assert findings(worse)[0].faults == []


def test_another_organizations_questions_are_not_asked(oree, live, worse, stranger):
    with tenant_scope(stranger.organization.id):
        theirs = stranger.learn()
        again = stranger.learn(without_discount(), approve=False)
    Membership.objects.create(organization=stranger.organization, user=oree.reviewer, role=Role.REVIEWER)
    with tenant_scope(oree.organization.id, stranger.organization.id):
        assert findings(again) == []
        assert approve(stranger, again, actor=oree.reviewer).to_status == Status.PUBLISHED
        theirs.refresh_from_db()
        assert theirs.status == Status.ARCHIVED


def test_answers_are_remembered_between_the_look_and_the_decision(oree, worse, monkeypatch):
    findings(worse)
    monkeypatch.setattr(gate, "judge_surely", lambda *_args: pytest.fail("asked again"))
    with pytest.raises(ServiceError):
        approve(oree, worse)


def test_the_gate_holds_without_valkey(oree, worse, monkeypatch):
    monkeypatch.setattr(gate, "attempt", lambda _what, _work: None)
    with pytest.raises(ServiceError) as refused:
        approve(oree, worse)
    assert refused.value.code == "evaluation_regressed"


def test_an_engine_that_breaks_on_a_question_locks_nobody_out(oree, live, worse, monkeypatch):
    def breaks(*_args, **_kwargs):
        raise RuntimeError("broken")

    monkeypatch.setattr(judging, "answer_question", breaks)
    assert findings(worse)[0].faults == []
    assert approve(oree, worse).to_status == Status.PUBLISHED


@pytest.fixture
def tenant(transactional_db):
    made = make_tenant("oree")
    with tenant_scope(made.organization.id):
        yield made


def test_two_reviewers_who_approve_a_loss_at_once_are_both_refused_and_of_two_who_accept_it_one_wins(tenant):
    keep(tenant, tenant.learn())
    worse = tenant.learn(without_discount(), approve=False)
    reviewers = [tenant.reviewer, tenant.owner] * 2

    refused = all_at_once(tenant.organization.id, [partial(approve, tenant, worse, actor=who) for who in reviewers])
    assert {answer.code for answer in refused} == {"evaluation_regressed"}

    token = findings(worse)[0].token
    answers = all_at_once(
        tenant.organization.id, [partial(approve, tenant, worse, actor=who, despite=[token]) for who in reviewers]
    )
    assert sum(isinstance(answer, Decision) for answer in answers) == 1
    assert {answer.code for answer in answers if isinstance(answer, ServiceError)} == {"already_decided"}


def test_of_a_better_and_a_worse_version_approved_at_once_the_worse_is_never_the_last(tenant):
    """Compared with nothing it would pass: whichever comes second is compared with what is live by then."""
    page = tenant.learn()
    keep(tenant, page)
    PageSkill.objects.filter(pk=page.pk).update(status=Status.ARCHIVED)
    better, worse = tenant.learn(approve=False), tenant.learn(without_discount(), approve=False)

    answers = all_at_once(tenant.organization.id, [partial(approve, tenant, one) for one in (better, worse)])

    better.refresh_from_db()
    assert better.status == Status.PUBLISHED
    assert {answer.code for answer in answers if isinstance(answer, ServiceError)} <= {"evaluation_regressed"}
