"""A thousand tours, each approved, rejected and edited at the same moment, on real threads and real connections."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from organizations.models import Membership, Role, User
from organizations.scoping import tenant_scope
from tests.fixtures import LOCAL, Tenant, make_tenant
from tours.answering.making import question_answer
from tours.models import Tour, TourVersion
from tours.services import tour_edit

ROUNDS = 1000
ROUNDS_OF_TWO = 120
LOST = {"already_decided", "changed_since", "already_agreed"}
Job = Callable[[], object]


@pytest.fixture
def tenant(transactional_db):
    made = make_tenant("oree")
    with tenant_scope(made.organization.id):
        made.learn()
        question_answer(question_id=made.asked().pk, config=LOCAL)
        yield made


@pytest.fixture
def reviewers(tenant: Tenant) -> list[User]:
    people = [User.objects.create_user(f"r{n}@oree.example", None, is_staff=True) for n in range(2)]
    for person in people:
        Membership.objects.create(organization=tenant.organization, user=person, role=Role.REVIEWER)
    return [tenant.owner, tenant.reviewer, *people]


def waiting_tours(count: int) -> list[Tour]:
    """Return tours that wait for a review, each with a version of its own."""
    model = Tour.objects.select_related("organization", "page_skill", "current_version").get()
    first = model.current_version
    assert first is not None
    tours = [
        Tour(
            organization=model.organization,
            title=first.title,
            page_skill=model.page_skill,
            locale="fr",
            intent_ids=model.intent_ids,
            digest=first.digest,
            submitted_at=model.submitted_at,
        )
        for _number in range(count)
    ]
    Tour.objects.bulk_create(tours)
    versions = [
        TourVersion(
            organization_id=model.organization_id,
            tour=tour,
            number=1,
            title=first.title,
            steps=first.steps,
            digest=first.digest,
        )
        for tour in tours
    ]
    TourVersion.objects.bulk_create(versions)
    for tour, version in zip(tours, versions, strict=True):
        tour.current_version, tour.status = version, Status.PENDING_REVIEW
    Tour.objects.bulk_update(tours, ["current_version", "status"])
    return tours


def play(tenant: Tenant, rounds: Sequence[Sequence[Job]]) -> list[list[object]]:
    """Have each round's jobs run at the same moment, one thread a place; return what each gave, or its refusal."""
    places = len(rounds[0])
    barrier = Barrier(places)

    def sit(place: int) -> list[object]:
        given: list[object] = []
        try:
            with tenant_scope(tenant.organization.id):
                for jobs in rounds:
                    barrier.wait(timeout=30)
                    try:
                        given.append(jobs[place]())
                    except ServiceError as refused:
                        given.append(refused)
        except BaseException:
            barrier.abort()
            raise
        finally:
            connection.close()
        return given

    with ThreadPoolExecutor(places) as pool:
        by_place = list(pool.map(sit, range(places)))
    return [list(given) for given in zip(*by_place, strict=True)]


def decide(tenant: Tenant, tour: Tour, actor: User, verb: Verb) -> Job:
    seen = tour.digest
    return lambda: review_decide(
        model=Tour,
        subject_id=tour.pk,
        organization=tenant.organization,
        actor=actor,
        verb=verb,
        seen_digest=seen,
        reason="course",
    )


def edit(tenant: Tenant, tour: Tour, words: str) -> Job:
    version = tour.current_version
    assert version is not None
    seen, steps = tour.digest, [{**version.steps[0], "text": words}]
    return lambda: tour_edit(
        tour=tour,
        actor=tenant.author,
        seen_digest=seen,
        title="Édité",
        steps=steps,
    )


def journal() -> dict[object, list[Decision]]:
    """Return, by tour, what was done to it, in that order."""
    lines: dict[object, list[Decision]] = defaultdict(list)
    for line in Decision.objects.exclude(verb=Verb.SUBMIT).order_by("created_at", "pk"):
        lines[line.subject_id].append(line)
    return lines


def assert_only_faults_foreseen(results: Sequence[Sequence[object]]) -> None:
    refusals = Counter(given.code for round_ in results for given in round_ if isinstance(given, ServiceError))
    assert set(refusals) <= LOST


def test_of_a_thousand_rounds_each_has_one_decision_and_nothing_is_live_that_no_one_approved(tenant, reviewers):
    tours = waiting_tours(ROUNDS)
    rounds: list[list[Job]] = []
    for number, tour in enumerate(tours):
        jobs = [
            decide(tenant, tour, reviewers[0], Verb.APPROVE),
            decide(tenant, tour, reviewers[1], Verb.REJECT),
            edit(tenant, tour, f"Texte {number}."),
        ]
        random.shuffle(jobs)
        rounds.append(jobs)

    results = play(tenant, rounds)

    assert_only_faults_foreseen(results)
    lines = journal()
    versions = {version.pk: version for version in TourVersion.objects.all()}
    ends: Counter[str] = Counter()
    for given, tour in zip(
        results, Tour.objects.filter(pk__in=[tour.pk for tour in tours]).order_by("pk"), strict=True
    ):
        decided = [line for line in lines[tour.pk] if line.verb in (Verb.APPROVE, Verb.REJECT)]
        assert [one.pk for one in given if isinstance(one, Decision)] == [line.pk for line in decided]
        edited = any(line.verb == Verb.EDIT for line in lines[tour.pk])
        # Who came after the edit has not seen it: then nobody decided. Otherwise exactly one did.
        assert len(decided) == 1 or (edited and not decided)
        approved = {line.digest for line in decided if line.verb == Verb.APPROVE}
        live = versions.get(tour.published_version_id)
        assert {live.digest} == approved if live else not approved
        assert tour.status != Status.PUBLISHED or live is not None
        ends[decided[0].verb if decided else Verb.EDIT] += 1
    # Were one place always the first, there would have been no race.
    assert all(ends[verb] for verb in (Verb.APPROVE, Verb.REJECT, Verb.EDIT))


def test_with_two_approvals_nothing_is_live_that_two_people_did_not_approve(tenant, reviewers):
    tenant.organization.two_approvals = True
    tenant.organization.save()
    tours = waiting_tours(ROUNDS_OF_TWO)
    rounds: list[list[Job]] = []
    for number, tour in enumerate(tours):
        # The same person at two screens, two others, and somebody who edits or refuses.
        last = edit(tenant, tour, f"Texte {number}.") if number % 2 else decide(tenant, tour, reviewers[3], Verb.REJECT)
        jobs = [*(decide(tenant, tour, reviewers[who], Verb.APPROVE) for who in (0, 0, 1, 2)), last]
        random.shuffle(jobs)
        rounds.append(jobs)

    results = play(tenant, rounds)

    assert_only_faults_foreseen(results)
    lines = journal()
    versions = {version.pk: version for version in TourVersion.objects.all()}
    published = 0
    for tour in Tour.objects.filter(pk__in=[tour.pk for tour in tours]):
        told = lines[tour.pk]
        assert Counter(line.verb for line in told)[Verb.APPROVE] <= 1
        live = versions.get(tour.published_version_id)
        if live is None:
            assert not any(line.verb == Verb.APPROVE for line in told)
            continue
        published += 1
        yes = [line for line in told if line.verb in (Verb.AGREE, Verb.APPROVE)]
        assert [line.verb for line in yes] == [Verb.AGREE, Verb.APPROVE]
        assert {line.digest for line in yes} == {live.digest}
        assert len({line.actor_id for line in yes}) == 2
    assert published
