"""Nobody approves their own words; where the organization says so, two people approve the same version."""

import pytest

from moderation.models import Decision
from moderation.services import review_decide, review_record_edit
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from organizations.models import Membership, Role, User
from skills.models import PageSkill
from skills.services import skill_edit
from tests.tours.test_editing import edit
from tours.models import Tour


@pytest.fixture
def skill(oree):
    oree.organization.two_approvals = True
    oree.organization.save()
    return oree.learn(approve=False)


@pytest.fixture
def third(oree):
    person = User.objects.create_user("third@oree.example", "secret-words-2026", is_staff=True)
    Membership.objects.create(organization=oree.organization, user=person, role=Role.REVIEWER)
    return person


def decide(tenant, subject, actor, verb=Verb.APPROVE, seen=None):
    subject.refresh_from_db()
    return review_decide(
        model=type(subject),
        subject_id=subject.pk,
        organization=tenant.organization,
        actor=actor,
        verb=verb,
        seen_digest=seen or subject.digest,
        reason="parce que",
    )


def reworded(tenant, skill, actor, name):
    skill.refresh_from_db()
    return skill_edit(
        skill=skill,
        actor=actor,
        seen_digest=skill.digest,
        name=name,
        route_pattern=skill.route_pattern,
        summary=skill.summary,
        intents=skill.actions_json["intents"],
    )


def test_the_first_of_two_publishes_nothing_and_leaves_a_line(oree, skill):
    decision = decide(oree, skill, oree.reviewer)
    skill.refresh_from_db()
    assert (decision.verb, decision.to_status) == (Verb.AGREE, Status.PENDING_REVIEW)
    assert (skill.status, skill.agreed_by) == (Status.PENDING_REVIEW, oree.reviewer)
    assert PageSkill.objects.filter(status=Status.PUBLISHED).count() == 0


def test_somebody_elses_second_publishes_the_same_digest(oree, skill):
    first = decide(oree, skill, oree.reviewer)
    second = decide(oree, skill, oree.owner)
    skill.refresh_from_db()
    assert (skill.status, skill.agreed_by) == (Status.PUBLISHED, None)
    assert second.verb == Verb.APPROVE
    assert first.digest == second.digest == skill.digest
    assert first.actor != second.actor


def test_the_same_person_twice_is_one_approval(oree, skill):
    decide(oree, skill, oree.reviewer)
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill, oree.reviewer)
    assert (refused.value.code, refused.value.status) == ("already_agreed", 409)
    skill.refresh_from_db()
    assert skill.status == Status.PENDING_REVIEW


def test_an_edit_starts_again_from_none(oree, skill, third):
    decide(oree, skill, oree.reviewer)
    reworded(oree, skill, oree.author, "Facturer")
    skill.refresh_from_db()
    assert skill.agreed_by is None
    assert decide(oree, skill, oree.owner).verb == Verb.AGREE


def test_words_that_come_back_do_not_bring_their_approval_back(oree, skill):
    before, name = skill.digest, skill.name
    decide(oree, skill, oree.reviewer)
    reworded(oree, skill, oree.author, "Facturer")
    reworded(oree, skill, oree.author, name)
    skill.refresh_from_db()
    assert skill.digest == before
    assert decide(oree, skill, oree.owner).verb == Verb.AGREE


def test_an_approval_of_somebody_who_may_review_no_more_does_not_count(oree, skill, third):
    decide(oree, skill, third)
    Membership.objects.filter(user=third).update(role=Role.VIEWER)
    assert decide(oree, skill, oree.reviewer).verb == Verb.AGREE
    assert decide(oree, skill, oree.owner).verb == Verb.APPROVE


def test_one_no_is_enough_however_many_said_yes(oree, skill):
    decide(oree, skill, oree.reviewer)
    decide(oree, skill, oree.owner, Verb.REJECT)
    skill.refresh_from_db()
    assert (skill.status, skill.agreed_by) == (Status.REJECTED, None)


def test_a_second_approval_of_what_moved_on_is_refused(oree, skill, third):
    decide(oree, skill, oree.reviewer)
    seen = skill.digest
    reworded(oree, skill, oree.author, "Facturer")
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill, oree.owner, seen=seen)
    assert refused.value.code == "changed_since"


def test_one_is_enough_again_when_the_organization_says_so(oree, skill):
    decide(oree, skill, oree.reviewer)
    oree.organization.two_approvals = False
    oree.organization.save()
    assert decide(oree, skill, oree.owner).verb == Verb.APPROVE


def test_the_one_who_edited_last_does_not_approve(oree, waiting_tour):
    edit(oree, waiting_tour, actor=oree.reviewer)
    with pytest.raises(ServiceError) as refused:
        decide(oree, waiting_tour, oree.reviewer)
    assert refused.value.code == "self_approval"
    assert decide(oree, waiting_tour, oree.owner).verb == Verb.APPROVE


def test_the_one_who_edited_last_approves_where_the_organization_allows_it(oree, waiting_tour):
    oree.organization.allow_self_approval = True
    oree.organization.save()
    edit(oree, waiting_tour, actor=oree.reviewer)
    assert decide(oree, waiting_tour, oree.reviewer).verb == Verb.APPROVE


def test_the_one_who_edited_may_still_refuse(oree, waiting_tour):
    edit(oree, waiting_tour, actor=oree.reviewer)
    assert decide(oree, waiting_tour, oree.reviewer, Verb.REJECT).to_status == Status.REJECTED


@pytest.mark.parametrize("verb", [Verb.SUBMIT, Verb.EDIT, Verb.AGREE, Verb.EXPIRE, Verb.LAPSE])
def test_what_nobody_decides_is_refused_at_the_door(oree, skill, verb):
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill, oree.owner, verb)
    assert refused.value.code == "unknown_decision"
    assert not Decision.objects.filter(subject_id=skill.pk).exclude(verb=Verb.SUBMIT).exists()


@pytest.fixture
def waiting_tour(oree):
    from tests.admin.conftest import ask

    oree.learn()
    tour = ask(oree)
    assert isinstance(tour, Tour)
    return tour


def test_ones_own_words_stay_ones_own_after_somebody_elses_comma(oree, third):
    skill = oree.learn(approve=False)
    reworded(oree, skill, oree.reviewer, "Mes mots")
    reworded(oree, skill, third, "Mes mots,")
    with pytest.raises(ServiceError) as refused:
        decide(oree, skill, oree.reviewer)
    assert refused.value.code == "self_approval"
    assert decide(oree, skill, oree.owner).verb == Verb.APPROVE


def test_what_circuy_edits_stays_the_words_of_who_wrote_them(oree):
    skill = oree.learn(approve=False)
    reworded(oree, skill, oree.reviewer, "Mes mots")
    skill.refresh_from_db()
    review_record_edit(subject=skill, actor=None, seen_digest=skill.digest, digest="e" * 64, changes={})
    skill.refresh_from_db()
    assert skill.edited_by == oree.reviewer
