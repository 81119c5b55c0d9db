"""Answers in time, whatever the model does."""

from __future__ import annotations

import threading

import pytest

from engine.deadline import HEDGE_AT, Deadline
from engine.errors import EngineError
from engine.hedging import in_time
from engine.types import AnswerDraft, StepDraft

ANSWER = AnswerDraft("Guide", (), "openai", "m", "answer.fr.v2")
STEP = StepDraft("remise", "La remise", "Saisissez la remise.")


@pytest.fixture
def let_go():
    """What a model waits for; it is let go when the test is over."""
    event = threading.Event()
    yield event
    event.set()


def test_an_answer_in_time_is_the_answer():
    assert in_time(lambda _tell: ANSWER, timeout_s=5) is ANSWER


def test_what_the_provider_raises_is_raised():
    def refuses(_tell):
        raise EngineError("provider_refused")

    with pytest.raises(EngineError, match="provider_refused"):
        in_time(refuses, timeout_s=5)


def test_steps_are_heard_in_the_callers_thread():
    heard: list[tuple[int, threading.Thread]] = []

    def tells(tell):
        tell(0, STEP)
        return ANSWER

    in_time(tells, timeout_s=5, on_step=lambda index, _: heard.append((index, threading.current_thread())))
    assert heard == [(0, threading.current_thread())]


def test_a_model_that_shows_nothing_is_given_up_before_its_time_is_over(let_go):
    def hangs(_tell):
        let_go.wait(10)
        return ANSWER

    with pytest.raises(EngineError) as caught:
        in_time(hangs, timeout_s=0.2)
    assert caught.value.code == "provider_timeout"


def test_a_model_that_has_shown_a_step_gets_all_of_its_time(let_go):
    """It answers after 80 % of its time, which one that shows nothing has not got."""

    def is_late(tell):
        tell(0, STEP)
        let_go.wait(0.85 * 3)
        return ANSWER

    assert HEDGE_AT < 0.85
    assert in_time(is_late, timeout_s=3) is ANSWER


def test_nothing_is_heard_after_the_caller_has_given_up(let_go):
    heard: list[int] = []
    told = threading.Event()

    def late(tell):
        let_go.wait(10)
        tell(0, STEP)
        told.set()
        return ANSWER

    with pytest.raises(EngineError):
        in_time(late, timeout_s=0.1, on_step=lambda index, _: heard.append(index))
    let_go.set()
    assert told.wait(5)
    assert heard == []


def test_a_deadline_is_over_for_new_calls_first():
    assert 0 < Deadline(10).left_to_start() < Deadline(10).left() <= 10
    assert Deadline(-1).left_to_start() < 0
    with pytest.raises(EngineError):
        Deadline(-1).left()
