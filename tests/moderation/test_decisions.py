"""Decisions: bound to a version, made once, by somebody who may."""

import pytest

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from organizations.models import Membership, Role
from organizations.scoping import tenant_scope
from skills.models import PageSkill


def decide(tenant, skill, verb, *, actor=None, seen=None, reason="parce que"):
    return review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=tenant.organization,
        actor=actor or tenant.reviewer,
        verb=verb,
        seen_digest=seen or skill.digest,
        reason=reason,
    )


@pytest.fixture
def skill(oree):
    return oree.learn(approve=False)


def test_an_approval_publishes_and_leaves_a_line_in_the_journal(oree, skill):
    decision = decide(oree, skill, Verb.APPROVE)
    skill.refresh_from_db()
    assert skill.status == Status.PUBLISHED
    assert skill.reviewed_by == oree.reviewer
    assert (decision.from_status, decision.to_status) == (Status.PENDING_REVIEW, Status.PUBLISHED)
    assert (decision.version, decision.digest, decision.actor) == (skill.version, skill.digest, oree.reviewer)


def test_a_second_reviewer_is_told_it_was_decided(oree, skill):
    decide(oree, skill, Verb.APPROVE)
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill, Verb.REJECT, actor=oree.owner)
    assert refused.value.code == "already_decided"
    assert str(oree.reviewer) in refused.value.detail


def test_a_decision_on_a_version_that_moved_on_is_refused(oree, skill):
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill, Verb.APPROVE, seen="0" * 64)
    assert refused.value.code == "changed_since"
    skill.refresh_from_db()
    assert skill.status == Status.PENDING_REVIEW


@pytest.mark.parametrize("verb", [Verb.REJECT, Verb.REQUEST_CHANGES])
def test_a_refusal_needs_a_reason(oree, skill, verb):
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill, verb, reason="  ")
    assert refused.value.code == "reason_required"


@pytest.mark.parametrize("who", ["author", "viewer"])
def test_a_lower_role_may_not_approve(oree, skill, who):
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill, Verb.APPROVE, actor=getattr(oree, who))
    assert refused.value.code == "forbidden"


def test_a_stranger_cannot_tell_that_it_exists(oree, skill, stranger):
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill, Verb.APPROVE, actor=stranger.owner)
    assert refused.value.code == "not_found"
    with pytest.raises(ServiceError) as refused:
        decide(stranger, skill, Verb.APPROVE, actor=stranger.owner)
    assert refused.value.code == "not_found"


def test_nobody_approves_their_own_work_unless_the_organization_says_so(oree, skill):
    oree.author.memberships.update(role="reviewer")
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill, Verb.APPROVE, actor=oree.author)
    assert refused.value.code == "self_approval"
    oree.organization.allow_self_approval = True
    oree.organization.save()
    decide(oree, skill, Verb.APPROVE, actor=oree.author)


def test_a_deactivated_member_decides_nothing(oree, skill):
    oree.reviewer.is_active = False
    oree.reviewer.save()
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill, Verb.APPROVE)
    assert refused.value.code == "not_found"


def test_a_refused_decision_leaves_no_line_in_the_journal(oree, skill):
    before = Decision.objects.count()
    with pytest.raises(ServiceError):
        decide(oree, skill, Verb.APPROVE, seen="0" * 64)
    assert Decision.objects.count() == before


def test_a_member_of_two_organizations_decides_within_one_of_them(oree, stranger):
    with tenant_scope(stranger.organization.id):
        theirs = stranger.learn()
    Membership.objects.create(organization=oree.organization, user=stranger.reviewer, role=Role.REVIEWER)
    oree.learn()
    ours = oree.learn(approve=False)
    with tenant_scope(oree.organization.id, stranger.organization.id):
        review_decide(
            model=PageSkill,
            subject_id=ours.pk,
            organization=oree.organization,
            actor=stranger.reviewer,
            verb=Verb.APPROVE,
            seen_digest=ours.digest,
        )
        theirs.refresh_from_db()
        assert theirs.status == Status.PUBLISHED
        assert PageSkill.objects.filter(status=Status.PUBLISHED).count() == 2
