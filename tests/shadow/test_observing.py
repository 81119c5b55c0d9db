"""Events in, observing on and off, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from shadow import ingestion
from shadow.models import Machine, ObservationSession, ObservedEvent
from tests.fixtures import Tenant
from tests.shadow.showing import (
    BEGAN,
    MACHINE,
    ORDER,
    SESSION,
    browser_of_author,
    event,
    presence,
    refund,
    server_of,
    target,
)


def test_a_session_registers_itself_at_its_first_event(oree: Tenant) -> None:
    shower = browser_of_author(oree)
    answer = shower.send(presence(), machine_name="Poste de Camille")
    assert answer.status_code == 202
    assert answer.json() == {
        "status": "accepted",
        "session_id": SESSION,
        "received": 1,
        "duplicates": 0,
        "dropped": [],
        "last_sequence": 0,
        "recording": False,
    }
    session = ObservationSession.objects.get()
    assert (session.member, session.locale) == (oree.author, "fr")
    machines = shower.client.get("/api/v1/traces/stream/machines").json()["machines"]
    assert [(one["machine_id"], one["name"]) for one in machines] == [(MACHINE, "Poste de Camille")]
    sessions = shower.client.get(f"/api/v1/traces/stream/sessions?machine_id={MACHINE}").json()["sessions"]
    assert [(one["session_id"], one["finalized"], one["recording"]) for one in sessions] == [(SESSION, False, False)]
    assert shower.client.get("/api/v1/traces/stream/sessions?machine_id=OTHER").json() == {"sessions": []}


def test_one_event_may_come_by_itself(oree: Tenant) -> None:
    body = {"session_id": SESSION, "machine_id": MACHINE, "event": presence()}
    answer = server_of(oree).client.post("/api/v1/traces/stream/event", body, format="json")
    assert (answer.status_code, answer.json()["received"]) == (202, 1)


def test_observing_begins_goes_on_and_ends(oree: Tenant) -> None:
    shower = browser_of_author(oree)
    shower.send(presence())
    began = shower.post("start").json()
    assert began["status"] == "shadow_started"
    assert (began["session_id"], began["already"]) == (SESSION, False)
    again = shower.post("start").json()
    assert (again["status"], again["already"]) == ("shadow_started", True)
    assert shower.send(*refund()).json()["recording"] is True
    ended = shower.post("stop").json()
    assert ended["status"] == "shadow_stopped"
    assert ended["steps_count"] == len(ended["understanding"]) >= 5
    assert [step["step"] for step in ended["understanding"]] == list(range(1, ended["steps_count"] + 1))
    assert any("Montant" in step["intent"] for step in ended["understanding"])


def test_the_sentences_are_those_of_the_specification(oree: Tenant) -> None:
    shower = browser_of_author(oree)
    assert shower.post("start").json()["detail"] == (
        "Je ne trouve pas de session active. Commence par faire une action pour que je puisse observer."
    )
    shower.send(presence())
    assert shower.post("stop").json()["detail"] == "Je n'étais pas en mode observation."
    assert shower.post("start").json()["message"] == "J'observe. Fais ta tâche."
    assert shower.post("start").json()["message"] == "J'observe déjà cette session."


@pytest.mark.parametrize("what", ["start", "stop", "feedback", "build"])
def test_a_session_that_nobody_heard_of_is_not_found(oree: Tenant, what: str) -> None:
    shower = server_of(oree)
    more = {"feedback": {"action": "validate"}, "build": {"name": "Rien"}}.get(what, {})
    answer = shower.post(what, session_id="sess_nobody", **more)
    assert (answer.status_code, answer.json()["code"]) == (404, "session_not_found")


def test_stopping_what_is_not_observed_says_so(oree: Tenant) -> None:
    shower = server_of(oree)
    shower.send(presence())
    answer = shower.post("stop")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_observing")


def test_the_same_events_again_are_kept_once_and_in_their_order(oree: Tenant) -> None:
    shower = server_of(oree)
    shower.send(presence())
    shower.post("start")
    events = refund()
    late, early = events[4:], events[:5]
    assert shower.send(*late).json()["received"] == 5
    again = shower.send(*early).json()
    assert (again["received"], again["duplicates"], again["last_sequence"]) == (4, 1, 9)
    assert [one.sequence for one in ObservedEvent.objects.all()] == list(range(10))
    assert [step["events"][0] for step in shower.post("stop").json()["understanding"]] == sorted(
        step["events"][0] for step in shower.understanding().json()["steps"]
    )


def test_what_cannot_be_kept_is_named_and_the_rest_is_kept(oree: Tenant) -> None:
    shower = server_of(oree)
    wrong: list[Any] = [
        event(1, "click", trusted=False),
        event(2, "dance"),
        {**event(3, "click"), "at": "yesterday"},
        event(4, "fill", value="x" * 301, target=target("input", "Note", "#note")),
        event(5, "key", key="a"),
        {"kind": "click", "at": BEGAN},
        "no event",
        event(6, "fill", value=["a"], target=target("input", "Note", "#note")),
    ]
    answer = shower.send(presence(), *wrong)
    assert answer.status_code == 202
    assert answer.json()["received"] == 1
    assert [(one["sequence"], one["reason"]) for one in answer.json()["dropped"]] == [
        (1, "untrusted"),
        (2, "invalid"),
        (3, "invalid"),
        (4, "too_long"),
        (5, "invalid"),
        (None, "invalid"),
        (None, "invalid"),
        (6, "invalid"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        {"session_id": "a b", "machine_id": MACHINE, "events": [presence()]},
        {"session_id": SESSION, "machine_id": "é", "events": [presence()]},
        {"session_id": SESSION, "machine_id": MACHINE, "events": []},
        {"session_id": SESSION, "machine_id": MACHINE, "events": [presence()] * 201},
        {"session_id": SESSION, "events": [presence()]},
    ],
)
def test_a_batch_that_cannot_be_is_refused_whole(oree: Tenant, body: dict[str, object]) -> None:
    answer = server_of(oree).client.post("/api/v1/traces/stream/event", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert not Machine.objects.exists()


@pytest.mark.parametrize("raw", ['{"session_id": "a\\u0000"}', '{"session_id": "\\ud800"}', "{"])
def test_texts_that_no_database_keeps_are_refused(oree: Tenant, raw: str) -> None:
    answer = server_of(oree).client.post("/api/v1/traces/stream/event", raw, content_type="application/json")
    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_before_anybody_said_so_only_that_something_happened_is_kept(oree: Tenant) -> None:
    shower = server_of(oree)
    shower.send(event(0, "fill", target=target("input", "Note", "#note"), value="Bonjour"))
    shower.post("start")
    shower.post("stop")
    shower.send(event(1, "fill", target=target("input", "Note", "#note"), value="Bonsoir", at=BEGAN * 2))
    assert [set(one.payload) for one in ObservedEvent.objects.all()] == [{"sequence", "kind", "at", "url"}] * 2
    assert shower.understanding().json()["steps"] == []


def test_what_happened_before_the_end_and_comes_after_it_belongs_to_it(oree: Tenant) -> None:
    shower = server_of(oree)
    shower.send(presence())
    shower.post("start")
    shower.send(*refund()[:7])
    before = shower.post("stop").json()["steps_count"]
    click = event(20, "click", ORDER, target=target("button", "Imprimer", "#print"))
    shower.send(*refund()[7:], click)
    steps = shower.understanding().json()["steps"]
    assert len(steps) == before + 1
    assert "Imprimer" in steps[-1]["intent"]


def test_understanding_tells_what_is_new_while_it_goes_on(oree: Tenant) -> None:
    shower = server_of(oree)
    shower.send(presence())
    shower.post("start")
    shower.send(*refund()[:5])
    now = shower.understanding().json()
    assert (now["status"], now["recording"]) == ("recording", True)
    assert now["steps"]
    assert "Montant" in now["current_step"]["intent"]
    assert now["notifications"]
    later = shower.understanding(query=f"?since_ts={BEGAN + 3}").json()["notifications"]
    assert 0 < len(later) < len(now["notifications"])
    assert shower.understanding(query="?since_ts=soon").status_code == 422


def test_a_second_demonstration_of_a_tab_is_one_of_its_own(oree: Tenant) -> None:
    shower = server_of(oree)
    shower.show()
    shower.build()
    sessions = shower.client.get("/api/v1/traces/stream/sessions").json()["sessions"]
    assert sessions[0]["finalized"] is True
    shower.send(event(30, "focus"))
    assert shower.client.get("/api/v1/traces/stream/sessions").json()["sessions"][0]["finalized"] is False
    assert shower.post("start").json()["already"] is False
    shower.send(event(31, "click", ORDER, target=target("button", "Imprimer", "#print")))
    assert [step["intent"] for step in shower.post("stop").json()["understanding"]] == ["Cliquer sur Imprimer"]


def test_ids_that_cannot_be_are_nobodys(oree: Tenant) -> None:
    shower = server_of(oree)
    shower.send(presence())
    assert shower.understanding(session_id="%00").status_code == 404
    assert shower.client.get("/api/v1/traces/stream/sessions?machine_id=%00").json() == {"sessions": []}


def test_a_session_holds_so_many_events_and_no_more(oree: Tenant, monkeypatch) -> None:
    monkeypatch.setattr(ingestion, "MOST_IN_A_SESSION", 3)
    shower = server_of(oree)
    answer = shower.send(*[event(number, "focus") for number in range(5)]).json()
    assert answer["received"] == 3
    assert [(one["sequence"], one["reason"]) for one in answer["dropped"]] == [(3, "session_full"), (4, "session_full")]


def test_an_event_is_never_changed(oree: Tenant) -> None:
    from django.db import DatabaseError, transaction

    server_of(oree).send(presence())
    with pytest.raises(DatabaseError), transaction.atomic():
        ObservedEvent.objects.update(kind="click")
