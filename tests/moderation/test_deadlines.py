"""What nobody reviews: a reminder, then the administrators, then out of the inbox. Never twice, whoever runs it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from moderation import deadlines
from moderation.deadlines import deadlines_apply
from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from moderation.tasks import apply_deadlines
from organizations.models import Role
from skills.models import PageSkill
from skills.services import skill_edit
from tests.admin.conftest import ask
from tests.tours.test_editing import decide, edit
from tours.models import Tour
from tours.selectors import published_for_path


@pytest.fixture
def told(monkeypatch):
    """Keeps who is told of what, in the order of telling."""
    kept: list[tuple[object, int, Role]] = []
    monkeypatch.setattr(deadlines, "remind", lambda *, subject, number, role: kept.append((subject.pk, number, role)))
    return kept


@pytest.fixture
def skill(oree):
    return oree.learn(approve=False)


def after(tenant, days, **hours):
    deadlines_apply(organization=tenant.organization, now=timezone.now() + timedelta(days=days, minutes=1, **hours))


def test_reviewers_are_reminded_once_then_the_administrators_once_then_it_is_out_of_date(oree, skill, told):
    after(oree, 2)
    assert told == []
    for _twice in range(2):
        after(oree, 3)
    assert told == [(skill.pk, 1, Role.REVIEWER)]
    after(oree, 5)
    for _twice in range(2):
        after(oree, 6, hours=1)
    assert told == [(skill.pk, 1, Role.REVIEWER), (skill.pk, 2, Role.ADMIN)]
    skill.refresh_from_db()
    assert skill.status == Status.PENDING_REVIEW
    for _twice in range(2):
        after(oree, 30)
    skill.refresh_from_db()
    assert skill.status == Status.STALE
    [lapse] = Decision.objects.filter(verb=Verb.LAPSE)
    assert (lapse.reason, lapse.actor, lapse.channel) == ("personne ne l’a relu en 30 jours", None, "system")
    assert len(told) == 2


def test_a_backlog_is_told_of_before_it_goes(oree, skill, told):
    """An organization that was away for a year comes back to reminders, not to an empty inbox."""
    after(oree, 365)
    skill.refresh_from_db()
    assert (skill.status, [number for _pk, number, _role in told]) == (Status.PENDING_REVIEW, [1])
    after(oree, 368, hours=1)
    after(oree, 368, hours=2)
    skill.refresh_from_db()
    assert (skill.status, [number for _pk, number, _role in told]) == (Status.PENDING_REVIEW, [1, 2])
    after(oree, 370)
    skill.refresh_from_db()
    assert skill.status == Status.STALE


def test_what_is_decided_is_not_reminded_of(oree, skill, told):
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.APPROVE,
        seen_digest=skill.digest,
    )
    after(oree, 365)
    assert told == []


def test_an_edit_starts_the_waiting_again(oree, skill, told):
    PageSkill.objects.update(submitted_at=timezone.now() - timedelta(days=40))
    after(oree, 0)
    skill.refresh_from_db()
    assert skill.reminded_at is not None
    skill_edit(
        skill=skill,
        actor=oree.author,
        seen_digest=skill.digest,
        name="Facturer",
        route_pattern=skill.route_pattern,
        summary=skill.summary,
        intents=skill.actions_json["intents"],
    )
    skill.refresh_from_db()
    assert skill.reminded_at is None
    after(oree, 2)
    assert len(told) == 1
    after(oree, 3)
    assert len(told) == 2


@pytest.mark.parametrize(("remind", "expire"), [(0, 0), (0, 30), (3, 0)])
def test_an_organization_may_want_neither(oree, skill, told, remind, expire):
    oree.organization.review_remind_days, oree.organization.review_expire_days = remind, expire
    for days in (29, 33, 60, 365):
        after(oree, days)
    skill.refresh_from_db()
    assert [number for _pk, number, _role in told] == ([1, 2] if remind else [])
    assert skill.status == (Status.STALE if expire else Status.PENDING_REVIEW)


def test_a_forgotten_revision_leaves_what_is_live_where_it_was(oree, told):
    oree.learn()
    tour = ask(oree)
    decide(oree, tour, Verb.APPROVE)
    live = tour.published_version
    edit(oree, tour)
    for days in (3, 7, 40):
        after(oree, days)
    tour.refresh_from_db()
    assert (tour.status, tour.current_version, tour.digest, tour.version) == (
        Status.PUBLISHED,
        live,
        live.digest,
        live.number,
    )
    assert [found.published_version for found in published_for_path("/factures/nouvelle")] == [live]
    assert Decision.objects.filter(subject_id=tour.pk, verb=Verb.LAPSE).count() == 1


def test_half_approved_says_what_was_missing(oree, skill, told):
    oree.organization.two_approvals = True
    oree.organization.save()
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.APPROVE,
        seen_digest=skill.digest,
    )
    for days in (3, 7, 40):
        after(oree, days)
    assert Decision.objects.get(verb=Verb.LAPSE).reason == "personne n’a donné la seconde approbation"


def test_the_hourly_task_goes_through_every_organization_within_its_own_walls(
    oree, stranger, skill, told, tasks_run_at_once
):
    from organizations.scoping import tenant_scope

    with tenant_scope(stranger.organization.id):
        theirs = stranger.learn(approve=False)
        PageSkill.objects.update(submitted_at=timezone.now() - timedelta(days=4))
    PageSkill.objects.update(submitted_at=timezone.now() - timedelta(days=4))
    apply_deadlines()
    apply_deadlines()
    assert sorted(pk for pk, _number, _role in told) == sorted([skill.pk, theirs.pk])


def test_a_long_backlog_is_told_of_little_by_little(oree, told, monkeypatch):
    monkeypatch.setattr(deadlines, "REMINDED_AT_ONCE", 2)
    skills = [oree.learn(approve=False) for _ in range(3)]
    after(oree, 3)
    assert [pk for pk, _number, _role in told] == [skill.pk for skill in skills[:2]]
    after(oree, 3)
    assert {pk for pk, _number, _role in told} == {skill.pk for skill in skills}
    assert Tour.objects.count() == 0
