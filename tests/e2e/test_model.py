"""The same story with a model behind: an OpenAI-compatible server over real HTTP, well behaved and not."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, Playwright, expect

from tests.e2e.acting import NEW_INVOICE, ask, enter_the_back_office, expect_step_on, hook

SCAN = Path(__file__).parents[2] / "demo" / "scans" / "nouvelle-facture.json"
# Every selector that the approved page-skill can hold: no other may ever come out.
SELECTORS = {node["selector"] for node in json.loads(SCAN.read_text(encoding="utf-8"))["nodes"]}
KEY = "pk_demo_maison_oree_0123456789abcdef"


@pytest.fixture
def api(stack, playwright: Playwright) -> Iterator[APIRequestContext]:
    """The API as a page of Maison Orée calls it."""
    headers = {"Authorization": f"Bearer {KEY}", "Origin": stack.url}
    context = playwright.request.new_context(base_url=stack.url, extra_http_headers=headers)
    yield context
    context.dispose()


def answer_to(api: APIRequestContext, question: str) -> dict[str, Any]:
    """Ask as a visitor nobody has seen, and wait for the answer as the SDK does."""
    response = api.post("/v1/ai/ask", data={"question": question, "route": NEW_INVOICE, "locale": "fr"})
    body = response.json()
    headers = {"X-Circuy-Visitor": body.get("visitor", "")}
    while response.status == 202:
        response = api.get(f"/v1/ai/questions/{body['question_id']}", headers=headers)
    assert response.status == 200, response.text()
    answer: dict[str, Any] = response.json()
    return answer


def test_a_model_answers_and_the_tour_stands_on_the_right_element(stack, people, with_model, model):
    nadia = people("nadia")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    ask(nadia, "Choisir la date d'échéance")
    expect_step_on(nadia, "#id_due_on")
    assert hook(nadia, "step-text").inner_text()
    assert model.requests
    assert "#id_due_on" not in str(model.requests)


@pytest.mark.parametrize(
    ("behaviour", "sources"),
    [
        ("ok", {"llm"}),
        ("rate_limited", {"llm", "local"}),
        ("server_error", {"llm", "local"}),
        ("slow", {"local"}),
        ("truncated", {"llm", "local"}),
        ("refusal", {"local"}),
        ("invented_ids", {"llm", "local"}),
        ("empty", {"llm", "local"}),
        ("markup", {"llm"}),
    ],
)
def test_whatever_the_model_does_the_asker_gets_a_clean_answer(
    stack, with_model, model, api, behaviour: str, sources: set[str]
):
    model.behave(behaviour)
    answer = answer_to(api, f"Saisir la note au client {uuid.uuid4().hex[:4]}")
    assert answer["source"] in sources
    assert answer["steps"]
    assert {step["attachTo"]["element"] for step in answer["steps"]} <= SELECTORS
    assert "<" not in str([step["text"] for step in answer["steps"]])


def test_the_first_step_is_on_the_page_while_the_model_is_still_writing(stack, people, with_model, model):
    nadia = people("nadia")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    model.behave("stalls")
    ask(nadia, "Choisir le client, la date d'échéance puis la note au client")
    # Nobody knows yet how many there will be.
    expect(hook(nadia, "step-counter")).to_contain_text("…")
    assert model.requests[-1]["stream"] is True
    # It never ends: the whole answer is the local engine's, and takes the step's place.
    expect(hook(nadia, "step-counter")).not_to_contain_text("…")
