"""The same question asked by many in the same moment, and budgets that many calls share, on real threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from engine.types import EngineConfig
from moderation.models import Decision
from moderation.states import Verb
from organizations.budget import tokens_hold, tokens_settle
from organizations.models import TokenHold, TokenUse
from organizations.scoping import tenant_scope
from tests.fakes.llm_server import FakeLlmServer
from tests.fixtures import LOCAL, QUESTION, Tenant, make_tenant
from tests.races.test_decisions import all_at_once
from tours.answering.making import question_answer, stale_questions
from tours.answering.presenting import question_answer_payload
from tours.models import Question, Tour, TourGrant

THREADS = 8
ROUNDS = 6


@pytest.fixture
def tenant(transactional_db) -> Iterator[Tenant]:
    made = make_tenant("oree")
    with tenant_scope(made.organization.id):
        made.learn()
        yield made


@pytest.fixture
def model() -> Iterator[FakeLlmServer]:
    with FakeLlmServer() as server:
        yield server


def asked_at_once(tenant: Tenant, text: str = QUESTION) -> list[Question]:
    visitors = [tenant.visitor() for _ in range(THREADS)]
    jobs = [lambda visitor=visitor: tenant.asked(text, visitor) for visitor in visitors]
    questions = all_at_once(tenant.organization.id, jobs)
    assert all(isinstance(question, Question) for question in questions)
    return questions  # type: ignore[return-value]


def test_the_same_words_in_the_same_moment_are_one_call_and_everybodys_answer(tenant, model):
    config = EngineConfig("openai", model.base_url, "k", "m")
    for number in range(ROUNDS):
        asked = asked_at_once(tenant, f"Ajouter une remise, cas {number}")
        [leader] = [question for question in asked if question.leads]
        before = len(model.requests)
        answered = question_answer(question_id=leader.pk, config=config)
        assert sorted(answered) == sorted(question.pk for question in asked)
        assert len(model.requests) == before + 1
        rows = Question.objects.filter(pk__in=answered).select_related("tour", "tour_version", "page_skill")
        assert {row.outcome for row in rows} == {Question.Outcome.GENERATED}
        assert len({row.tour_version_id for row in rows}) == 1
        assert all(question_answer_payload(row)["steps"] for row in rows)
        assert TourGrant.objects.filter(end_user__in=[row.end_user_id for row in rows]).count() == THREADS
        assert sum(row.prompt_tokens > 0 for row in rows) == 1
    assert Tour.objects.get().asked_count == THREADS * ROUNDS
    assert Decision.objects.filter(verb=Verb.SUBMIT, subject_id=Tour.objects.get().pk).count() == 1


def test_a_question_asked_while_the_answer_is_saved_is_answered_too(tenant, model):
    config = EngineConfig("openai", model.base_url, "k", "m")
    for number in range(ROUNDS):
        text = f"Ajouter une remise, fois {number}"
        first = tenant.asked(text)
        visitors = [tenant.visitor() for _ in range(THREADS - 1)]
        jobs: list[Callable[[], object]] = [partial(question_answer, question_id=first.pk, config=config)]
        jobs += [lambda visitor=visitor, text=text: tenant.asked(text, visitor) for visitor in visitors]
        all_at_once(tenant.organization.id, jobs)
        # Whoever came too late to join has a question that leads, or that was answered with the first.
        for left in Question.objects.filter(outcome=Question.Outcome.WAITING, leads=True):
            question_answer(question_id=left.pk, config=config)
        assert not Question.objects.filter(outcome=Question.Outcome.WAITING).exists()
        assert Question.objects.filter(text=text).count() == THREADS


def test_workers_that_take_up_leader_and_followers_at_once_answer_each_once(tenant):
    asked = asked_at_once(tenant)
    jobs = [lambda pk=question.pk: question_answer(question_id=pk, config=LOCAL) for question in asked]
    results = all_at_once(tenant.organization.id, jobs)
    answered = [pk for result in results for pk in result]
    assert sorted(answered) == sorted(question.pk for question in asked)
    assert Tour.objects.get().asked_count == THREADS


def test_when_the_engine_breaks_everybody_reads_that_it_did(tenant, monkeypatch):
    from tours.answering import making

    def breaks(*_args: object, **_more: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(making, "answer_question", breaks)
    asked = asked_at_once(tenant)
    [leader] = [question for question in asked if question.leads]
    assert len(question_answer(question_id=leader.pk, config=LOCAL)) == THREADS
    assert set(Question.objects.values_list("outcome", flat=True)) == {Question.Outcome.FAILED}


def test_a_question_whose_leader_is_gone_is_taken_up_by_the_sweeper(tenant):
    from datetime import timedelta

    from django.utils import timezone

    asked = asked_at_once(tenant)
    Question.objects.update(asked_at=timezone.now() - timedelta(minutes=5))
    [leader] = [question for question in asked if question.leads]
    assert stale_questions() == [leader.pk]
    leader.delete()
    assert sorted(stale_questions()) == sorted(question.pk for question in asked if question.pk != leader.pk)


def test_other_words_another_language_or_no_words_at_all_are_answered_by_themselves(tenant):
    questions = [
        tenant.asked("Ajouter une remise"),
        tenant.asked("Enlever une remise"),
        tenant.asked("???"),
        tenant.asked("!!!"),
    ]
    assert all(question.leads for question in questions)
    assert not tenant.asked("ajouter UNE remise !").leads


def test_calls_that_ask_for_the_budget_at_once_never_get_more_than_there_is(tenant):
    organization = tenant.organization
    organization.monthly_token_budget = 1_000
    organization.save()
    jobs = [lambda: tokens_hold(organization=organization, most=300)] * THREADS
    holds = [hold for hold in all_at_once(organization.id, jobs) if isinstance(hold, TokenHold)]
    assert len(holds) == 3
    all_at_once(
        organization.id,
        [lambda hold=hold: tokens_settle(hold=hold, prompt_tokens=100, completion_tokens=50) for hold in holds],
    )
    use = TokenUse.objects.get(organization=organization)
    assert (use.prompt_tokens, use.completion_tokens) == (300, 150)
    assert not TokenHold.objects.exists()
