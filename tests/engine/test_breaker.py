"""Providers that fail are left alone for a while, and tried again one call at a time."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.remote.breaker import MOST_FAILURES, REST_S, Breaker
from engine.service import answer_question
from engine.types import EngineConfig
from tests.engine.scans import learn
from tests.fakes.llm_server import FakeLlmServer

INVOICE = learn("nouvelle_facture")


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker("a server", clock)


def fail(breaker: Breaker, times: int = 1, error: EngineError | None = None) -> None:
    for _ in range(times):
        breaker.check()
        breaker.failed(error or EngineError("provider_unavailable"))


def is_open(breaker: Breaker) -> bool:
    try:
        breaker.check()
    except EngineError as error:
        return error.code == "provider_paused"
    return False


def test_a_few_failures_in_a_row_open_it(breaker):
    fail(breaker, MOST_FAILURES - 1)
    assert not is_open(breaker)
    breaker.failed(EngineError("provider_timeout"))
    assert is_open(breaker)


def test_an_answer_in_between_starts_the_count_anew(breaker):
    fail(breaker, MOST_FAILURES - 1)
    breaker.succeeded()
    fail(breaker, MOST_FAILURES - 1)
    assert not is_open(breaker)


def test_bad_answers_are_no_failures_of_the_server(breaker):
    for code in ("provider_refused", "provider_truncated", "provider_invalid"):
        fail(breaker, MOST_FAILURES, EngineError(code))
    assert not is_open(breaker)


def test_after_a_rest_one_call_tries_and_the_others_still_wait(breaker, clock):
    fail(breaker, MOST_FAILURES)
    clock.now += REST_S
    assert not is_open(breaker)
    assert is_open(breaker)
    breaker.succeeded()
    assert not is_open(breaker)
    assert not is_open(breaker)


def test_a_trial_that_fails_is_another_rest(breaker, clock):
    fail(breaker, MOST_FAILURES)
    clock.now += REST_S
    fail(breaker)
    assert is_open(breaker)
    clock.now += REST_S
    assert not is_open(breaker)


def test_a_server_that_names_a_wait_gets_it_at_once(breaker, clock):
    fail(breaker, 1, EngineError("provider_rate_limited", retry_after_s=60))
    assert is_open(breaker)
    clock.now += 59
    assert is_open(breaker)
    clock.now += 1
    assert not is_open(breaker)


def test_opening_and_closing_are_in_the_log(breaker, clock, caplog):
    fail(breaker, MOST_FAILURES)
    clock.now += REST_S
    breaker.check()
    breaker.succeeded()
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert "a server is left alone for 30 s" in caplog.text
    assert "a server answers again" in caplog.text


def test_while_it_is_open_answers_are_local_at_once_and_the_server_is_not_asked():
    with FakeLlmServer() as server:
        server.behave("denied")
        config = EngineConfig("openai", server.base_url, "k", "m", account="oree")
        codes = [
            answer_question("remise", INVOICE, locale="fr", config=config).fell_back for _ in range(MOST_FAILURES + 2)
        ]
        asked = len(server.requests)
        server.behave("ok")
        other = EngineConfig("openai", server.base_url, "k", "m", account="duval")
        theirs = answer_question("remise", INVOICE, locale="fr", config=other)
    assert codes == ["provider_denied"] * MOST_FAILURES + ["provider_paused"] * 2
    assert asked == MOST_FAILURES
    assert (theirs.provider, theirs.fell_back) == ("openai", "")
