"""What is checked before an approval, whichever door it comes through."""

import pytest

from moderation import checks
from moderation.checks import Fault, Finding, findings, register_check
from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from skills.models import PageSkill

FAULTY = Finding(
    code="something_lost",
    heading="Something",
    summary="1 of 2",
    token="these-faults",
    refusal="Something would be lost.",
    note="Something was lost knowingly.",
    faults=[Fault("This one", "is gone")],
)


@pytest.fixture
def skill(oree):
    return oree.learn(approve=False)


@pytest.fixture
def found(monkeypatch):
    """Registers one check of page-skills alone, which finds what the list holds."""
    finding = [FAULTY]
    monkeypatch.setattr(checks, "_checks", {})

    def check(subject, *, deciding):
        return finding[0]

    register_check(PageSkill, check)
    return finding


def decide(oree, skill, verb=Verb.APPROVE, **more):
    return review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=verb,
        seen_digest=skill.digest,
        **more,
    )


def test_a_fault_refuses_the_approval_and_names_itself(oree, skill, found):
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill)
    assert (refused.value.code, refused.value.status) == ("something_lost", 409)
    assert list(refused.value.fields.values()) == ["This one — is gone"]
    skill.refresh_from_db()
    assert skill.status == Status.PENDING_REVIEW


def test_who_saw_the_faults_may_approve_despite_them_and_the_journal_says_so(oree, skill, found):
    decision = decide(oree, skill, reason="Vu.", despite=["these-faults"])
    assert decision.reason == "Vu.\nSomething was lost knowingly."
    assert Decision.objects.get(verb=Verb.APPROVE).reason == decision.reason


def test_who_saw_other_faults_has_not_seen_these(oree, skill, found):
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill, despite=["those-of-yesterday"])
    assert refused.value.code == "something_lost"


def test_faults_keep_nobody_from_refusing(oree, skill, found):
    assert decide(oree, skill, Verb.REJECT, reason="Non.").to_status == Status.REJECTED


def test_what_only_informs_refuses_nothing(oree, skill, found):
    found[0] = Finding(code="c", heading="h", summary="2 of 2")
    assert findings(skill) == [found[0]]
    assert decide(oree, skill).reason == ""


def test_a_lost_decision_is_told_what_it_lost_to_not_what_was_found(oree, skill, found):
    decide(oree, skill, despite=["these-faults"])
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill)
    assert refused.value.code == "already_decided"
