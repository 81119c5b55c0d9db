"""Many reviewers at once, on real threads and real connections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from django.db import connection, transaction

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from organizations.scoping import tenant_scope
from skills.models import PageSkill
from tests.fixtures import LOCAL, make_tenant
from tours.answering.making import question_answer
from tours.models import Tour
from tours.services import tour_edit, version_add

THREADS = 8
ROUNDS = 12


def all_at_once(organization_id, jobs: Sequence[Callable[[], object]]) -> list[object]:
    """Run the jobs at the same moment, each on a connection of its own; return results or refusals."""
    barrier = Barrier(len(jobs))

    def run(job: Callable[[], object]) -> object:
        try:
            with tenant_scope(organization_id):
                barrier.wait(timeout=10)
                return job()
        except ServiceError as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


@pytest.fixture
def tenant(transactional_db):
    made = make_tenant("oree")
    with tenant_scope(made.organization.id):
        made.learn()
        yield made


def test_a_question_delivered_to_many_workers_leaves_one_tour(tenant):
    question = tenant.asked()
    jobs = [lambda: question_answer(question_id=question.pk, config=LOCAL)] * THREADS
    results = all_at_once(tenant.organization.id, jobs)
    assert sorted(results, key=bool) == [[]] * (THREADS - 1) + [[question.pk]]
    assert Tour.objects.count() == 1


def test_many_askers_of_the_same_thing_make_one_tour_for_the_inbox(tenant):
    questions = [tenant.asked() for _ in range(THREADS)]
    all_at_once(
        tenant.organization.id,
        [lambda pk=question.pk: question_answer(question_id=pk, config=LOCAL) for question in questions],
    )
    tour = Tour.objects.get()
    assert tour.asked_count == THREADS
    assert Decision.objects.filter(subject_id=tour.pk, verb=Verb.SUBMIT).count() == 1


def test_two_new_versions_of_a_page_approved_at_once_leave_one_published(tenant):
    from skills.models import PageSkill

    candidates = [tenant.learn(approve=False) for _ in range(4)]
    jobs = [
        lambda skill=skill: review_decide(
            model=PageSkill,
            subject_id=skill.pk,
            organization=tenant.organization,
            actor=tenant.reviewer,
            verb=Verb.APPROVE,
            seen_digest=skill.digest,
        )
        for skill in candidates
    ]
    all_at_once(tenant.organization.id, jobs)
    published = PageSkill.objects.filter(status=Status.PUBLISHED, route_pattern="/factures/nouvelle")
    assert published.count() == 1


def test_an_editor_and_workers_that_answer_more_askers_take_different_numbers(tenant):
    question = tenant.asked()
    question_answer(question_id=question.pk, config=LOCAL)
    tour = Tour.objects.get()
    for round_number in range(ROUNDS):
        tour.refresh_from_db()
        step = tour.current_version.steps[0]

        def edit(tour=tour, step=step, number=round_number):
            return tour_edit(
                tour=tour,
                actor=tenant.reviewer,
                seen_digest=tour.digest,
                title=f"Titre {number}",
                steps=[step],
            )

        def add(number=0, round_number=round_number, step=step):
            with transaction.atomic():
                return version_add(tour=tour, title=f"Autre {round_number} {number}", steps=[step], author=None)

        results = all_at_once(tenant.organization.id, [edit, *(partial(add, number) for number in range(4))])
        assert not [result for result in results if isinstance(result, ServiceError)]
    numbers = list(tour.versions.values_list("number", flat=True))
    assert len(numbers) == len(set(numbers)) == 1 + 5 * ROUNDS


def test_two_versions_of_a_page_approved_at_once_leave_one_live_and_no_fault(tenant):
    for _ in range(ROUNDS):
        skills = [tenant.learn(approve=False) for _ in range(3)]

        def approve(skill):
            return review_decide(
                model=PageSkill,
                subject_id=skill.pk,
                organization=tenant.organization,
                actor=tenant.reviewer,
                verb=Verb.APPROVE,
                seen_digest=skill.digest,
            )

        results = all_at_once(tenant.organization.id, [partial(approve, skill) for skill in skills])
        assert [type(result) for result in results] == [Decision] * 3
        assert PageSkill.objects.filter(status=Status.PUBLISHED).count() == 1
