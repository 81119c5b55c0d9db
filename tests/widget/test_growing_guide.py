"""A guide whose first step is on the page while a model is still writing the others."""

from __future__ import annotations

import json
from queue import SimpleQueue
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.widget.acting import ask, open_panel, part, until
from tests.widget.circuy_server import NOTHING, TOUR, CircuyServer, Reply
from tests.widget.conftest import OpenPage

QUESTION = "/v1/ai/questions/q1"
PAGE = """<h1>Facture</h1><form><label>Client <input id=client></label><label>Remise <input id=remise></label>
<button type=button id=payer>Payer</button></form>"""
STEPS = [
    {
        "attachTo": {"element": selector, "on": "bottom"},
        "fallback_selector": "",
        "title": title,
        "text": f"Voyez {title}.",
        "buttons": [{"text": "Suivant", "action": "next"}],
    }
    for selector, title in (("#client", "Le client"), ("#remise", "La remise"), ("#payer", "Payer"))
]
LAST = {**STEPS[2], "buttons": [{"text": "Retour", "action": "back"}, {"text": "Terminé", "action": "complete"}]}
WHOLE = {"question_id": "q1", **TOUR, "source": "llm", "steps": [*STEPS[:2], LAST]}


class Model:
    """Writes the answer of the test's server, event by event."""

    def __init__(self, server: CircuyServer) -> None:
        self._events: SimpleQueue[str | None] = SimpleQueue()
        pending = {"question_id": "q1", "visitor": "visitor-token"}
        server.replies["/v1/ai/ask"] = Reply(pending, 202, {"Location": QUESTION})
        server.replies[QUESTION] = Reply(None, events=self._events)

    def step(self, index: int) -> None:
        self._say("step", {"index": index, **STEPS[index]})

    def answer(self, answer: dict[str, Any]) -> None:
        self._say("answer", answer)
        self._events.put(None)

    def breaks_off(self) -> None:
        self._events.put(None)

    def _say(self, name: str, data: Any) -> None:
        self._events.put(f"event: {name}\ndata: {json.dumps(data)}\n\n")


@pytest.fixture
def model(server: CircuyServer) -> Model:
    return Model(server)


def step_on(page: Page, title: str, counter: str) -> None:
    expect(part(page, "step-title")).to_have_text(title)
    expect(part(page, "step-counter")).to_have_text(counter)


def begin(open_page: OpenPage) -> Page:
    page = open_page(PAGE)
    open_panel(page)
    ask(page, "Comment facturer ?")
    return page


def test_the_first_step_is_shown_before_the_others_are_written(open_page, server, model):
    page = begin(open_page)
    model.step(0)
    step_on(page, "Le client", "1 / …")
    model.step(1)
    model.step(2)
    model.answer(WHOLE)
    step_on(page, "Le client", "1 / 3")
    part(page, "step-next").click()
    step_on(page, "La remise", "2 / 3")
    part(page, "step-next").click()
    step_on(page, "Payer", "3 / 3")
    part(page, "step-complete").click()
    expect(part(page, "step-dialog")).to_be_hidden()
    reported = until(lambda: [event for event in server.events() if event["type"] == "completed"], page)
    assert reported
    kinds = [(event["type"], event["tour_id"]) for event in server.events()]
    assert kinds[:2] == [("started", TOUR["tour_id"]), ("step_shown", TOUR["tour_id"])]
    assert len([kind for kind, _ in kinds if kind == "step_shown"]) == 3


def test_who_is_faster_than_the_model_waits_for_the_next_step(open_page, model):
    page = begin(open_page)
    model.step(0)
    part(page, "step-next").click()
    expect(part(page, "tour-waiting")).to_be_visible()
    expect(part(page, "step-dialog")).to_be_hidden()
    model.step(1)
    step_on(page, "La remise", "2 / …")
    expect(part(page, "tour-waiting")).to_be_hidden()
    model.answer(WHOLE)
    step_on(page, "La remise", "2 / 3")


def test_a_guide_that_was_all_there_ends_when_its_last_step_is_done(open_page, model):
    page = begin(open_page)
    model.step(0)
    part(page, "step-next").click()
    expect(part(page, "tour-waiting")).to_be_visible()
    model.answer({**WHOLE, "steps": [{**STEPS[0], "buttons": [{"text": "Terminé", "action": "complete"}]}]})
    expect(part(page, "tour-waiting")).to_be_hidden()
    expect(part(page, "answer")).to_be_visible()


def test_another_answer_in_the_end_takes_the_steps_place(open_page, server, model):
    page = begin(open_page)
    model.step(0)
    step_on(page, "Le client", "1 / …")
    model.answer({**WHOLE, "steps": [LAST]})
    step_on(page, "Payer", "1 / 1")
    until(server.events, page)
    assert {event["tour_id"] for event in server.events()} == {TOUR["tour_id"]}


def test_no_answer_in_the_end_takes_the_step_away_and_says_so(open_page, model):
    page = begin(open_page)
    model.step(0)
    step_on(page, "Le client", "1 / …")
    model.answer({"question_id": "q1", **NOTHING})
    expect(part(page, "step-dialog")).to_be_hidden()
    expect(part(page, "fallback")).to_be_visible()


def test_a_guide_left_before_its_end_was_written_does_not_come_back(open_page, model):
    page = begin(open_page)
    model.step(0)
    part(page, "step-cancel").click()
    expect(part(page, "step-dialog")).to_be_hidden()
    model.step(1)
    model.answer(WHOLE)
    part(page, "launcher").click()
    expect(part(page, "answer")).to_be_visible()
    expect(part(page, "step-dialog")).to_be_hidden()


def test_a_stream_that_breaks_off_leaves_the_answer_to_be_fetched(open_page, server, model):
    page = begin(open_page)
    model.step(0)
    step_on(page, "Le client", "1 / …")
    server.replies[QUESTION] = Reply(WHOLE)
    model.breaks_off()
    step_on(page, "Le client", "1 / 3")
