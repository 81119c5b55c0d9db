"""How tours do: figures that no order, repetition or delay of reports changes."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from organizations.models import EndUser
from organizations.scoping import tenant_scope
from tests.fixtures import Tenant
from tests.tours.happenings import Type, approve, followed, happened, missed, published_tour, saw
from tours.insight.health import TourHealth, health_of
from tours.models import Tour, TourEvent
from tours.services import ReportedEvent, events_record, tour_edit

TWO_STEPS = "Créer une facture pour un client avec une remise"


@pytest.fixture
def tour(oree: Tenant) -> Tour:
    """A live tour of several steps, approved a month ago."""
    oree.learn()
    made = published_tour(oree, TWO_STEPS)
    Tour.objects.update(published_at=timezone.now() - timedelta(days=30))
    made.refresh_from_db()
    assert made.published_version is not None
    assert len(made.published_version.steps) == 3
    return made


def since(days: int = 7) -> datetime:
    return timezone.now() - timedelta(days=days)


def health(tour: Tour, days: int = 7) -> TourHealth:
    tour.refresh_from_db()
    return health_of([tour], since(days))[tour.pk]


def people(tenant: Tenant, number: int) -> list[EndUser]:
    return [tenant.visitor() for _ in range(number)]


def test_a_funnel_counts_who_got_how_far(oree: Tenant, tour: Tour) -> None:
    for steps in (1, 2, 2):
        followed(tour, oree.visitor(), steps, completed=False)
    followed(tour, oree.visitor(), 3)
    followed(tour, oree.visitor(), 3)

    found = health(tour)

    assert (found.people, found.started, found.began, found.completed, found.cancelled) == (5, 5, 5, 2, 3)
    assert [(step.reached, step.left) for step in found.steps] == [(5, 1), (4, 2), (2, 0)]
    assert found.completed_percent == 40


def test_somebody_who_starts_over_counts_once_with_the_furthest_they_got(oree: Tenant, tour: Tour) -> None:
    who = oree.visitor()
    followed(tour, who, 1, completed=False)
    followed(tour, who, 3)
    followed(tour, who, 2, completed=False)

    found = health(tour)

    assert (found.people, found.started, found.completed) == (1, 3, 1)
    assert [(step.reached, step.left) for step in found.steps] == [(1, 0), (1, 0), (1, 0)]


def test_who_closes_the_page_is_where_they_were_last_seen(oree: Tenant, tour: Tour) -> None:
    who = oree.visitor()
    happened(tour, who, Type.STARTED)
    happened(tour, who, Type.STEP_SHOWN, step=0)
    happened(tour, who, Type.STEP_SHOWN, step=1)

    assert [(step.reached, step.left) for step in health(tour).steps] == [(1, 0), (1, 1), (0, 0)]


def test_reports_out_of_order_make_the_same_figures(oree: Tenant, tour: Tour) -> None:
    who, now = oree.visitor(), timezone.now()
    for kind, step, ago in (
        (Type.COMPLETED, 2, 1),
        (Type.STEP_SHOWN, 1, 5),
        (Type.STEP_SHOWN, 2, 3),
        (Type.STARTED, None, 9),
        (Type.STEP_SHOWN, 0, 8),
    ):
        happened(tour, who, kind, step=step, at=now - timedelta(seconds=ago), received=now)

    found = health(tour)

    assert (found.people, found.completed) == (1, 1)
    assert [step.reached for step in found.steps] == [1, 1, 1]


def test_a_resent_report_counts_once(oree: Tenant, tour: Tour) -> None:
    import uuid

    who = oree.visitor()
    event = ReportedEvent(uuid.uuid4(), tour.pk, Type.STARTED, timezone.now())
    for _again in range(3):
        events_record(organization=oree.organization, end_user=who, events=[event, event])

    assert health(tour).started == 1


def test_a_late_report_belongs_to_when_it_happened(oree: Tenant, tour: Tour) -> None:
    now = timezone.now()
    happened(tour, oree.visitor(), Type.STARTED, at=now - timedelta(days=10), received=now)

    assert health(tour, days=7).started == 0
    assert health(tour, days=30).started == 1


def test_a_browser_whose_clock_runs_ahead_does_not_bring_back_an_old_report(oree: Tenant, tour: Tour) -> None:
    now = timezone.now()
    happened(tour, oree.visitor(), Type.STARTED, at=now + timedelta(days=300), received=now - timedelta(days=10))

    assert health(tour, days=7).started == 0


def test_an_element_found_in_another_way_was_not_missed(oree: Tenant, tour: Tour) -> None:
    missed(tour, people(oree, 2))
    late, healed = people(oree, 2)
    happened(tour, late, Type.TARGET_MISSING, Type.STEP_SHOWN, Type.FALLBACK_USED)
    happened(tour, healed, Type.HEALED, Type.STEP_SHOWN)
    happened(tour, healed, Type.TARGET_MISSING)

    first = health(tour).steps[0]

    assert (first.seen, first.missed, first.fallback, first.healed) == (4, 2, 1, 1)
    assert (health(tour).missed_percent, health(tour).fallback_percent) == (50, 25)


def test_a_page_that_draws_itself_again_is_missed_by_one_person(oree: Tenant, tour: Tour) -> None:
    who = oree.visitor()
    happened(tour, who, *[Type.TARGET_MISSING] * 9, Type.STEP_SHOWN)

    assert health(tour).steps[0].missed == 1


def test_thumbs_are_counted_and_make_nobody_a_follower(oree: Tenant, tour: Tour) -> None:
    who = oree.visitor()
    happened(tour, who, Type.RATED, detail="up")
    happened(tour, oree.visitor(), Type.RATED, detail="down")

    found = health(tour)

    assert (found.up, found.down, found.people, found.began) == (1, 1, 0, 0)


def test_steps_count_from_the_approval_of_the_live_version(oree: Tenant, tour: Tour) -> None:
    missed(tour, people(oree, 6))
    assert health(tour).verdict == "bad"
    TourEvent.objects.update(happened_at=timezone.now() - timedelta(hours=1))
    steps = list(tour.current_version.steps) if tour.current_version else []
    tour_edit(tour=tour, actor=oree.author, seen_digest=tour.digest, title="Un meilleur titre", steps=steps)
    assert health(tour).verdict == "bad"

    approve(oree, tour)

    found = health(tour)
    assert found.people == 6
    assert (found.began, found.steps[0].seen, found.steps[0].reached) == (0, 0, 0)
    assert found.verdict == "quiet"


@pytest.mark.parametrize(
    ("missing", "fine", "verdict"),
    [(4, 0, "quiet"), (5, 0, "bad"), (5, 11, "bad"), (5, 12, "warn"), (4, 8, "warn"), (1, 20, "good")],
)
def test_the_verdict_takes_enough_people_and_a_large_share(
    oree: Tenant, tour: Tour, missing: int, fine: int, verdict: str
) -> None:
    missed(tour, people(oree, missing), step=1)
    for who in people(oree, fine):
        followed(tour, who, 3)

    assert health(tour).verdict == verdict


def test_a_tour_that_people_dislike_is_in_bad_health(oree: Tenant, tour: Tour) -> None:
    for who in people(oree, 5):
        followed(tour, who, 3)
        happened(tour, who, Type.RATED, detail="down")

    assert health(tour).verdict == "bad"
    assert "5" in health(tour).complaint


def test_a_tour_found_by_likeness_only_is_to_watch(oree: Tenant, tour: Tour) -> None:
    for who in people(oree, 6):
        followed(tour, who, 3)
        happened(tour, who, Type.HEALED, step=2)

    assert health(tour).verdict == "warn"


def test_another_tenants_events_are_not_counted(oree: Tenant, stranger: Tenant, tour: Tour) -> None:
    saw(tour, people(oree, 1))
    with tenant_scope(stranger.organization.pk):
        assert health_of([tour], since())[tour.pk].people == 0


def test_any_number_of_tours_takes_two_queries(oree: Tenant, tour: Tour) -> None:
    other = published_tour(oree)
    saw(tour, people(oree, 3))
    saw(other, people(oree, 2))

    with CaptureQueriesContext(connection) as queries:
        found = health_of([tour, other], since())

    assert len(queries) == 2
    assert [found[tour.pk].people, found[other.pk].people] == [3, 2]
