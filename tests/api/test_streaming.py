"""An answer that is read while it is made: GET /v1/ai/questions/{id} with Accept: text/event-stream."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections, connection

from engine.types import EngineConfig
from organizations.scoping import tenant_scope
from tests.fakes.llm_server import FakeLlmServer
from tests.fixtures import LOCAL, QUESTION, Tenant, make_tenant
from tours.answering import streaming, waiting
from tours.answering.making import question_answer
from tours.models import Question

STREAM = {"Accept": "text/event-stream"}


@pytest.fixture(autouse=True)
def no_wait(settings, monkeypatch):
    settings.ASK_WAIT_MS = 0
    monkeypatch.setattr(streaming, "LOOKS_EVERY_S", 0.2)
    assert streaming._open_streams == 0
    yield
    assert streaming._open_streams == 0


class Asked:
    """A question that was asked over the API, and the way to follow it."""

    def __init__(self, tenant: Tenant, question: str = QUESTION, **changes: Any) -> None:
        self.api = tenant.api()
        body = {"question": question, "route": "/factures/nouvelle", **changes}
        self.asked = self.api.post("/v1/ai/ask", body, format="json")
        self.id = uuid.UUID(self.asked.json()["question_id"])
        self.headers = {"X-Circuy-Visitor": self.asked.json()["visitor"]}

    def follow(self, **headers: str) -> Any:
        return self.api.get(f"/v1/ai/questions/{self.id}", headers={**self.headers, **STREAM, **headers})


def leave(response: Any) -> None:
    """Go away, as a client does, and stay in the test's transaction, as Django's own test client does."""
    request_finished.disconnect(close_old_connections)
    response.close()
    request_finished.connect(close_old_connections)


def events_of(response: Any) -> Iterator[tuple[str, Any]]:
    """The named events of a stream; comments and the retry time are none."""
    for chunk in response.streaming_content:
        fields = dict(line.split(": ", 1) for line in chunk.decode().splitlines() if not line.startswith(":") and line)
        if "event" in fields:
            yield fields["event"], json.loads(fields["data"])


def test_steps_come_while_they_are_made_and_then_the_whole_answer(transactional_db):
    tenant = make_tenant("oree")
    with tenant_scope(tenant.organization.id):
        tenant.learn()
        asked = Asked(tenant, "Créer la facture d'un client avec une remise")
    with FakeLlmServer(piece_s=0.01) as model:
        config = EngineConfig("openai", model.base_url, "k", "m", timeout_s=10)

        def work() -> None:
            with tenant_scope(tenant.organization.id):
                for answered in question_answer(question_id=asked.id, config=config):
                    waiting.ring(answered)
            connection.close()

        response = asked.follow()
        worker = threading.Thread(target=work)
        worker.start()
        events = list(events_of(response))
        worker.join()
    leave(response)
    names = [name for name, _ in events]
    assert names == ["step"] * (len(names) - 1) + ["answer"]
    steps, answer = [data for name, data in events if name == "step"], events[-1][1]
    assert [step["index"] for step in steps] == list(range(len(answer["steps"])))
    assert [step["attachTo"] for step in steps] == [step["attachTo"] for step in answer["steps"]]
    assert steps[-1]["buttons"][-1]["action"] == "next"
    assert answer["source"] == "llm"
    assert response["Content-Type"] == "text/event-stream"
    assert response["Cache-Control"] == "no-store"


def test_an_answer_that_is_there_comes_at_once(oree):
    oree.learn()
    asked = Asked(oree)
    question_answer(question_id=asked.id, config=LOCAL)
    response = asked.follow()
    [(name, answer)] = list(events_of(response))
    leave(response)
    assert name == "answer"
    assert answer == oree.api().get(f"/v1/ai/questions/{asked.id}", headers=asked.headers).json()


def test_who_comes_late_gets_the_steps_that_were_told_before(oree):
    oree.learn()
    asked = Asked(oree)
    waiting.tell_step(asked.id, 0, {"title": "La remise"})
    response = asked.follow()
    events = events_of(response)
    assert next(events) == ("step", {"index": 0, "title": "La remise"})
    question_answer(question_id=asked.id, config=LOCAL)
    assert next(events)[0] == "answer"
    leave(response)


def test_a_second_reader_gets_the_same(oree):
    oree.learn()
    asked = Asked(oree)
    readers = [events_of(asked.follow()) for _ in range(2)]
    waiting.tell_step(asked.id, 0, {"title": "La remise"})
    assert [next(reader)[0] for reader in readers] == ["step", "step"]
    question_answer(question_id=asked.id, config=LOCAL)
    assert [[name for name, _ in reader] for reader in readers] == [["answer"], ["answer"]]


def test_who_asks_the_same_words_sees_the_steps_of_the_one_answer(oree):
    oree.learn()
    first, second = Asked(oree), Asked(oree)
    waiting.tell_step(first.id, 0, {"title": "La remise"})
    response = second.follow()
    events = events_of(response)
    assert next(events)[0] == "step"
    question_answer(question_id=first.id, config=LOCAL)
    name, answer = next(events)
    leave(response)
    assert (name, answer["question_id"]) == ("answer", str(second.id))


def test_without_valkey_the_answer_comes_all_the_same(oree, monkeypatch):
    oree.learn()
    asked = Asked(oree)
    monkeypatch.setattr(waiting, "attempt", lambda *_: None)
    response = asked.follow()
    chunks = iter(response.streaming_content)
    assert next(chunks).startswith(b"retry: ")
    assert next(chunks) == b": still here\n\n"
    question_answer(question_id=asked.id, config=LOCAL)
    assert next(chunks).startswith(b"event: answer\n")
    leave(response)


def test_a_stream_does_not_last_for_ever(oree, monkeypatch):
    monkeypatch.setattr(streaming, "LASTS_S", 0.3)
    oree.learn()
    response = Asked(oree).follow()
    chunks = list(response.streaming_content)
    leave(response)
    assert set(chunks[1:]) == {b": still here\n\n"}


def test_a_question_that_is_gone_is_a_problem(oree):
    oree.learn()
    asked = Asked(oree)
    response = asked.follow()
    Question.objects.all().delete()
    [(name, problem)] = list(events_of(response))
    leave(response)
    assert (name, problem["code"], problem["status"]) == ("problem", "not_found", 404)


def test_where_there_is_no_room_the_answer_is_json(oree, settings):
    settings.WEB_THREADS = 2
    oree.learn()
    asked = Asked(oree)
    first = asked.follow()
    second = asked.follow()
    assert first.streaming
    assert (second.status_code, second["Content-Type"]) == (202, "application/json")
    leave(first)
    third = asked.follow()
    assert third.streaming
    leave(third)


def test_closing_twice_frees_one_place(oree, settings):
    settings.WEB_THREADS = 2
    oree.learn()
    response = Asked(oree).follow()
    leave(response)
    leave(response)
    assert streaming._open_streams == 0


@pytest.mark.parametrize(("threads", "waits"), [(4, 250), (1, 2500)])
def test_who_can_follow_is_not_kept_waiting(oree, settings, monkeypatch, threads, waits):
    settings.ASK_WAIT_MS, settings.WEB_THREADS = 2500, threads
    patience: list[int] = []
    monkeypatch.setattr(waiting, "wait", lambda _id, ms: bool(patience.append(ms)))
    oree.learn()
    body = {"question": QUESTION, "route": "/factures/nouvelle"}
    oree.api().post("/v1/ai/ask", body, format="json")
    oree.api().post("/v1/ai/ask", body, format="json", headers={"Accept": "application/json, text/event-stream"})
    assert patience == [2500, waits]


def test_nobody_elses_answer_is_streamed(oree, stranger):
    oree.learn()
    asked = Asked(oree)
    refused = stranger.api().get(f"/v1/ai/questions/{asked.id}", headers={**asked.headers, **STREAM})
    assert refused.status_code == 404
    assert refused["Content-Type"] == "application/problem+json"
    assert oree.api().get(f"/v1/ai/questions/{asked.id}", headers=STREAM).status_code == 404
