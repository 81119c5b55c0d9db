"""When Valkey does not answer: nobody hangs on it, and nothing is lost."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.db import transaction

from organizations import ratelimit, valkey
from organizations.workers import send_after_commit


@pytest.fixture(autouse=True)
def _not_resting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valkey, "_resting_until", 0.0)


@pytest.fixture
def silent_valkey(monkeypatch: pytest.MonkeyPatch) -> Iterator[redis.Redis]:
    """A server that accepts connections and says nothing, as a stopped or unreachable one."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        client = redis.Redis(port=port, socket_timeout=0.2, socket_connect_timeout=0.2)
        monkeypatch.setattr(ratelimit, "valkey", lambda: client)
        yield client


def test_a_silent_valkey_costs_one_request_its_patience_and_refuses_nobody(
    silent_valkey: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def counting(*words: Any) -> Any:
        asked.append(words)
        return redis.Redis.eval(silent_valkey, *words)

    monkeypatch.setattr(silent_valkey, "eval", counting)
    for _ in range(50):
        ratelimit.allow(bucket="somebody", limit=0)
    assert len(asked) == 1


def test_it_is_tried_again_after_a_moment(silent_valkey: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    ratelimit.allow(bucket="somebody", limit=0)
    assert valkey.is_resting()
    monkeypatch.setattr(valkey, "_resting_until", time.monotonic() - 0.001)
    assert not valkey.is_resting()


@pytest.mark.django_db(transaction=True)
def test_a_task_that_cannot_be_queued_does_not_undo_or_break_what_was_committed() -> None:
    def no_broker() -> None:
        raise ConnectionError("no broker")

    with transaction.atomic():
        send_after_commit(no_broker)
    assert valkey.is_resting()


@pytest.mark.django_db(transaction=True)
def test_while_valkey_rests_tasks_are_left_to_the_sweeper() -> None:
    sent: list[int] = []
    valkey.let_rest()
    with transaction.atomic():
        send_after_commit(lambda: sent.append(1))
    assert sent == []


@pytest.mark.django_db(transaction=True)
def test_a_task_is_sent_only_once_its_row_is_committed() -> None:
    sent: list[int] = []
    with transaction.atomic():
        send_after_commit(lambda: sent.append(1))
        assert sent == []
    assert sent == [1]
