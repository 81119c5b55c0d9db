"""Whatever breaks, a question ends: with an answer, or with a sentence that its asker reads."""

from __future__ import annotations

import threading
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from engine import service
from engine.types import AnswerDraft
from moderation.services import review_decide
from moderation.states import Status, Verb
from skills.claims import MAX_ATTEMPTS, claim_lasts
from skills.models import PageSkill
from tests.fixtures import LOCAL, Tenant, invoice_scan
from tours.answering import making, waiting
from tours.answering.making import question_answer, stale_questions
from tours.answering.presenting import question_answer_payload
from tours.models import Question, Tour
from tours.tasks import answer_question


def answered(question: Question) -> Question:
    question_answer(question_id=question.pk, config=LOCAL)
    return Question.objects.select_related("tour", "tour_version", "page_skill").get(pk=question.pk)


def silent_for(question: Question, how_long: timedelta) -> None:
    """Make it look as if the worker that claimed a question had been silent for this long."""
    Question.objects.filter(pk=question.pk).update(claimed_at=timezone.now() - how_long)


@pytest.fixture
def broken_engine(monkeypatch):
    def breaks(*_args, **_kwargs):
        raise UnicodeEncodeError("ascii", "clé", 2, 3, "a key that no header can carry")

    monkeypatch.setattr(making, "answer_question", breaks)


def test_what_the_engine_breaks_on_is_said_to_the_asker(oree, broken_engine):
    oree.learn()
    question = answered(oree.asked())
    assert question.outcome == Question.Outcome.FAILED
    answer = question_answer_payload(question)
    assert answer["steps"] == []
    assert answer["message"]
    assert stale_questions() == []


def test_a_question_that_ends_its_workers_is_given_up(oree):
    oree.learn()
    question = oree.asked()
    for _ in range(MAX_ATTEMPTS):
        assert making._claim(question.pk) is not None  # and then its worker is killed
        silent_for(question, claim_lasts() + timedelta(seconds=1))
    assert answered(question).outcome == Question.Outcome.FAILED


def test_a_claim_outlasts_the_slowest_engine_that_can_be_configured(oree, settings):
    settings.ENGINE_TIMEOUT_S = 120.0
    oree.learn()
    question = oree.asked()
    assert making._claim(question.pk) is not None
    silent_for(question, timedelta(seconds=200))
    assert not question_answer(question_id=question.pk, config=LOCAL)


def test_the_sweeper_leaves_alone_what_a_worker_is_answering(oree):
    oree.learn()
    question = oree.asked()
    Question.objects.filter(pk=question.pk).update(asked_at=timezone.now() - timedelta(minutes=5))
    assert stale_questions() == [question.pk]
    assert making._claim(question.pk) is not None
    assert stale_questions() == []


def test_the_bell_rings_for_an_answer_only(oree, monkeypatch):
    oree.learn()
    question = oree.asked()
    rung: list[uuid.UUID] = []
    monkeypatch.setattr(waiting, "ring", rung.append)
    making._claim(question.pk)
    answer_question(str(question.pk))
    assert rung == []
    silent_for(question, claim_lasts() + timedelta(seconds=1))
    answer_question(str(question.pk))
    assert rung == [question.pk]


def test_a_bell_that_rings_late_is_still_heard(db, caplog):
    """Later than the patience that other calls to Valkey have, and within the time that was asked for."""
    waiting.patient_valkey.cache_clear()
    question_id = uuid.uuid4()
    late = threading.Timer(1.3, waiting.ring, [question_id])
    late.start()
    assert waiting.wait(question_id, 10_000)
    late.join()
    assert caplog.records == []
    waiting.patient_valkey.cache_clear()


def learnt_again_while_it_answers(monkeypatch, tenant: Tenant, scan=None) -> list[PageSkill]:
    """Have the page learnt again, and approved, while the engine works on the first answer."""
    made: list[PageSkill] = []

    def slow(*args, **kwargs) -> AnswerDraft:
        draft = service.answer_question(*args, **kwargs)
        if not made:
            made.append(tenant.learn(scan))
        return draft

    monkeypatch.setattr(making, "answer_question", slow)
    return made


def test_a_page_learnt_again_meanwhile_gets_the_tour(oree, monkeypatch):
    oree.learn()
    question = oree.asked()
    made = learnt_again_while_it_answers(monkeypatch, oree)
    question = answered(question)
    assert question.outcome == Question.Outcome.GENERATED
    assert question.tour.page_skill == made[0]
    assert question.page_skill == made[0]


def test_a_target_that_left_the_page_meanwhile_is_not_pointed_at(oree, monkeypatch):
    oree.learn()
    question = oree.asked()
    scan = invoice_scan()
    scan["nodes"] = [node for node in scan["nodes"] if "Remise" not in node["label"]]
    learnt_again_while_it_answers(monkeypatch, oree, scan)
    question = answered(question)
    selectors = [step["selector"] for step in question.tour_version.steps] if question.tour_version else []
    assert "[data-testid='invoice-discount-input']" not in selectors


def test_a_page_archived_meanwhile_is_a_page_not_learnt(oree):
    skill = oree.learn()
    question = oree.asked()
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.ARCHIVE,
        seen_digest=skill.digest,
    )
    assert answered(question).outcome == Question.Outcome.UNKNOWN_PAGE
    assert Tour.objects.count() == 0


@pytest.mark.parametrize("text", ["ﷺ" * 300, "ǅ" * 300, "½" * 300])
def test_characters_that_unfold_into_many_are_kept_within_the_column(oree, text):
    oree.learn()
    assert answered(oree.asked(text)).outcome in (Question.Outcome.NOTHING, Question.Outcome.GENERATED)


def test_a_question_without_a_word_is_not_the_same_as_another_without_one(oree):
    oree.learn()
    first = answered(oree.asked())
    Question.objects.filter(pk=first.pk).update(normalized="")
    review_decide(
        model=Tour,
        subject_id=first.tour_id,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.APPROVE,
        seen_digest=first.tour.digest,
    )
    assert Tour.objects.get().status == Status.PUBLISHED
    assert oree.asked("???").tour is None
