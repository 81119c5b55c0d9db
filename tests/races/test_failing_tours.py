"""Workers that find the same tour failing at the same moment."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.scoping import tenant_scope
from tests.fixtures import make_tenant
from tests.races.test_decisions import all_at_once
from tests.tours.happenings import missed, published_tour
from tours.insight.stale import tour_expire_failing
from tours.models import Tour, TourVersion

WORKERS = 6


@pytest.fixture
def tenant(transactional_db):
    made = make_tenant("oree")
    with tenant_scope(made.organization.id):
        made.learn()
        yield made


@pytest.fixture
def failing(tenant):
    tour = published_tour(tenant)
    Tour.objects.update(published_at=timezone.now() - timedelta(days=30))
    missed(tour, [tenant.visitor() for _ in range(6)])
    return tour


def expirations() -> int:
    return Decision.objects.filter(verb=Verb.EXPIRE).count()


def test_many_workers_make_one_decision(tenant, failing):
    job = lambda: tour_expire_failing(tour_id=failing.pk)  # noqa: E731
    results = all_at_once(tenant.organization.id, [job] * WORKERS)

    assert sorted(results) == [False] * (WORKERS - 1) + [True]
    assert expirations() == 1


def test_many_workers_propose_one_repair(tenant, failing):
    from tests.tours.test_insight_stale import element_moves

    element_moves(tenant, failing)
    job = lambda: tour_expire_failing(tour_id=failing.pk)  # noqa: E731
    results = all_at_once(tenant.organization.id, [job] * WORKERS)

    assert sorted(results) == [False] * (WORKERS - 1) + [True]
    assert (expirations(), TourVersion.objects.filter(tour=failing).count()) == (1, 2)


def test_a_reviewer_who_archives_it_meanwhile_and_the_worker_agree_on_one_end(tenant, failing):
    def archive():
        review_decide(
            model=Tour,
            subject_id=failing.pk,
            organization=tenant.organization,
            actor=tenant.reviewer,
            verb=Verb.ARCHIVE,
            seen_digest=failing.digest,
        )

    all_at_once(tenant.organization.id, [archive, lambda: tour_expire_failing(tour_id=failing.pk)])

    failing.refresh_from_db()
    assert failing.published_version is None
    assert failing.status in (Status.ARCHIVED, Status.STALE)
    assert (failing.status == Status.STALE) <= (expirations() == 1)
