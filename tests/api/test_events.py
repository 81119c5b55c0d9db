"""POST /v1/events: what happened on the page, kept once."""

import uuid

import pytest

from tests.fixtures import LOCAL
from tours import api
from tours.answering.making import question_answer
from tours.models import Tour, TourEvent

AT = "2026-11-30T10:00:00Z"


@pytest.fixture
def tour(oree, settings):
    settings.ASK_WAIT_MS = 0
    oree.learn()
    body = {"question": "Comment ajouter une remise ?", "route": "/factures/nouvelle"}
    asked = oree.api().post("/v1/ai/ask", body, format="json").json()
    question_answer(question_id=uuid.UUID(asked["question_id"]), config=LOCAL)
    return Tour.objects.get()


def event(tour, **changes):
    return {"id": str(uuid.uuid4()), "tour_id": str(tour.pk), "type": "started", "at": AT, **changes}


def send(tenant, *events):
    return tenant.api().post("/v1/events", {"events": list(events)}, format="json")


def test_events_are_kept(oree, tour):
    response = send(oree, event(tour), event(tour, type="step_shown", step=0))
    assert (response.status_code, response.json()) == (202, {"accepted": 2, "duplicates": 0})
    assert set(TourEvent.objects.values_list("type", flat=True)) == {"started", "step_shown"}


def test_a_resend_adds_nothing(oree, tour):
    first = event(tour)
    send(oree, first)
    assert send(oree, first, event(tour)).json() == {"accepted": 1, "duplicates": 1}
    assert TourEvent.objects.count() == 2


def test_events_on_another_organizations_tour_are_left_out(oree, tour, stranger):
    assert send(stranger, event(tour)).json() == {"accepted": 0, "duplicates": 0}
    assert TourEvent.objects.count() == 0


@pytest.mark.parametrize(
    "wrong", [{"type": "exploded"}, {"step": -1}, {"at": "yesterday"}, {"id": "1"}, {"detail": "x" * 301}]
)
def test_a_wrong_event_is_named(oree, tour, wrong):
    response = send(oree, event(tour, **wrong))
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == f"events[0].{next(iter(wrong))}"
    assert TourEvent.objects.count() == 0


@pytest.mark.parametrize(
    "at", ["0001-01-01T00:00:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59Z", "1999-12-31T00:00:00Z"]
)
def test_a_time_that_no_clock_shows_is_named(oree, tour, at):
    response = send(oree, event(tour, at=at))
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == "events[0].at"
    assert TourEvent.objects.count() == 0


def test_a_browser_that_never_stops_reporting_is_told_to_wait(oree, tour, monkeypatch):
    monkeypatch.setattr(api, "BATCHES_PER_MINUTE", 1)
    client = oree.api()
    visitor = client.post("/v1/ai/ask", {"question": "?", "route": "/x"}, format="json").json()["visitor"]
    body = {"visitor": visitor, "events": [event(tour)]}
    statuses = [client.post("/v1/events", body, format="json").status_code for _ in range(2)]
    assert statuses == [202, 429]
