"""A live tour whose element misses for real users goes out of date by itself, with its repair where there is one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from django_scopes.state import state as scope_state

from moderation.models import Decision
from moderation.states import Status, Verb
from skills.models import PageSkill
from skills.services import skill_edit
from tests.fixtures import Tenant
from tests.tours.happenings import Type, approve, happened, missed, published_tour, saw
from tests.tours.test_insight_health import people
from tours.insight.stale import failing_tours, tour_expire_failing
from tours.models import Tour, TourEvent
from tours.services import tour_edit
from tours.tasks import expire_failing_tours


@pytest.fixture
def tour(oree: Tenant) -> Tour:
    oree.learn()
    made = published_tour(oree)
    Tour.objects.update(published_at=timezone.now() - timedelta(days=30))
    made.refresh_from_db()
    return made


def run_the_task() -> None:
    """Run it as a worker does: outside of any tenant's scope."""
    token = scope_state.set({})
    try:
        expire_failing_tours()
    finally:
        scope_state.reset(token)


def expirations(tour: Tour) -> list[Decision]:
    return list(Decision.objects.filter(subject_id=tour.pk, verb=Verb.EXPIRE))


def element_moves(tenant: Tenant, tour: Tour, selector: str = "#discount") -> None:
    """A reviewer gives the action that the tour shows another selector, in a new version of its page."""
    assert tour.page_skill_id is not None
    skill = PageSkill.objects.get(pk=tour.page_skill_id)
    intent_id = tour.intent_ids[0]
    rows = [
        {**row, "selector": selector} if row["intent_id"] == intent_id else row for row in skill.actions_json["intents"]
    ]
    edited = skill_edit(
        skill=skill,
        actor=tenant.author,
        seen_digest=skill.digest,
        name=skill.name,
        route_pattern=skill.route_pattern,
        summary=skill.summary,
        intents=rows,
    )
    from moderation.services import review_decide

    review_decide(
        model=PageSkill,
        subject_id=edited.pk,
        organization=tenant.organization,
        actor=tenant.reviewer,
        verb=Verb.APPROVE,
        seen_digest=edited.digest,
    )
    tour.refresh_from_db()


@pytest.mark.parametrize(
    ("missing", "fine", "fails"),
    [(4, 0, False), (5, 0, True), (5, 11, True), (5, 12, False), (6, 14, False), (7, 16, True)],
)
def test_it_takes_five_people_and_more_than_thirty_percent(
    oree: Tenant, tour: Tour, missing: int, fine: int, fails: bool
) -> None:
    missed(tour, people(oree, missing))
    saw(tour, people(oree, fine))

    assert bool(failing_tours()) is fails


def test_a_tour_that_fails_is_out_of_use_and_says_where_and_for_how_many(oree: Tenant, tour: Tour) -> None:
    missed(tour, people(oree, 6))
    saw(tour, people(oree, 2))

    run_the_task()

    tour.refresh_from_db()
    assert (tour.status, tour.published_version) == (Status.STALE, None)
    [decision] = expirations(tour)
    assert "introuvable pour 6 personnes sur 8 en 7 jours" in decision.reason
    assert "apprenez-la de nouveau" in decision.reason
    assert (decision.actor, decision.channel) == (None, Decision.Channel.SYSTEM)


def test_running_again_decides_nothing_more(oree: Tenant, tour: Tour) -> None:
    missed(tour, people(oree, 6))
    for _hour in range(3):
        run_the_task()

    assert len(expirations(tour)) == 1


def test_the_reason_is_in_the_organizations_language(oree: Tenant, tour: Tour) -> None:
    type(oree.organization).objects.update(locale="en")
    missed(tour, people(oree, 6))
    run_the_task()

    assert "not found for 6 people of 6 in 7 days" in expirations(tour)[0].reason


def test_what_was_found_in_another_way_fails_no_tour(oree: Tenant, tour: Tour) -> None:
    for who in people(oree, 8):
        happened(tour, who, Type.TARGET_MISSING, Type.STEP_SHOWN, Type.HEALED)

    assert failing_tours() == []


def test_one_person_who_tries_again_and_again_fails_no_tour(oree: Tenant, tour: Tour) -> None:
    who = oree.visitor()
    for _again in range(30):
        missed(tour, [who])

    assert failing_tours() == []


def test_what_happened_more_than_a_week_ago_fails_no_tour(oree: Tenant, tour: Tour) -> None:
    missed(tour, people(oree, 6))
    TourEvent.objects.update(happened_at=timezone.now() - timedelta(days=7, minutes=1))

    assert failing_tours() == []


def test_only_what_happened_since_the_last_approval_counts(oree: Tenant, tour: Tour) -> None:
    missed(tour, people(oree, 6))
    run_the_task()
    tour.refresh_from_db()
    assert tour.current_version is not None
    tour_edit(tour=tour, actor=oree.author, seen_digest=tour.digest, title="Refait", steps=tour.current_version.steps)
    approve(oree, tour)
    TourEvent.objects.update(happened_at=timezone.now() - timedelta(minutes=5))

    run_the_task()

    tour.refresh_from_db()
    assert tour.status == Status.PUBLISHED
    missed(tour, people(oree, 5))
    run_the_task()
    tour.refresh_from_db()
    assert tour.status == Status.STALE


def test_where_the_page_has_the_same_action_elsewhere_the_repair_waits_for_its_review(oree: Tenant, tour: Tour) -> None:
    element_moves(oree, tour)
    assert tour.status == Status.PUBLISHED
    before = tour.published_version
    assert before is not None
    missed(tour, people(oree, 6))

    run_the_task()

    tour.refresh_from_db()
    assert (tour.status, tour.published_version, tour.version) == (Status.PENDING_REVIEW, None, before.number + 1)
    assert tour.current_version is not None
    [step] = tour.current_version.steps
    assert step["selector"] == "#discount"
    assert {**step, **dict.fromkeys(("selector", "fingerprint"), "")} == {
        **before.steps[0],
        **dict.fromkeys(("selector", "fingerprint"), ""),
    }
    assert tour.current_version.author is None
    verbs = list(Decision.objects.filter(subject_id=tour.pk).order_by("id").values_list("verb", flat=True))
    assert verbs[-2:] == [Verb.EXPIRE, Verb.EDIT]
    assert "#discount" in Decision.objects.filter(subject_id=tour.pk).latest("id").reason

    approve(oree, tour)
    assert tour.published_version == tour.current_version


def test_a_revision_that_no_longer_points_there_is_left_to_its_reviewer(oree: Tenant, tour: Tour) -> None:
    element_moves(oree, tour)
    assert tour.current_version is not None
    tour_edit(tour=tour, actor=oree.author, seen_digest=tour.digest, title=tour.title, steps=tour.current_version.steps)
    tour.refresh_from_db()
    assert tour.status == Status.PENDING_REVIEW
    missed(tour, people(oree, 6))

    run_the_task()

    tour.refresh_from_db()
    assert (tour.status, expirations(tour)) == (Status.PENDING_REVIEW, [])
    assert tour.published_version is not None


def test_a_revision_of_the_words_alone_goes_out_of_use_with_what_is_live(oree: Tenant, tour: Tour) -> None:
    assert tour.current_version is not None
    tour_edit(
        tour=tour, actor=oree.author, seen_digest=tour.digest, title="D’autres mots", steps=tour.current_version.steps
    )
    missed(tour, people(oree, 6))

    run_the_task()

    tour.refresh_from_db()
    assert (tour.status, tour.published_version) == (Status.STALE, None)


def test_nothing_is_done_to_a_tour_that_is_not_live(oree: Tenant, tour: Tour) -> None:
    missed(tour, people(oree, 6))
    Tour.objects.update(status=Status.ARCHIVED)

    assert tour_expire_failing(tour_id=tour.pk) is False


def test_another_tenants_tour_is_not_there(oree: Tenant, stranger: Tenant, tour: Tour) -> None:
    from organizations.scoping import tenant_scope

    missed(tour, people(oree, 6))
    with tenant_scope(stranger.organization.pk):
        assert (failing_tours(), tour_expire_failing(tour_id=tour.pk)) == ([], False)
