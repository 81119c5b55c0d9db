"""An answer that is on another page, at each door of the API."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from engine.types import EngineConfig
from organizations.scoping import tenant_scope
from tests.api.test_streaming import Asked, events_of, leave
from tests.fakes.llm_server import FakeLlmServer
from tests.fakes.llm_words import Prompt, reply
from tests.fixtures import LOCAL, QUESTION
from tests.tours.test_elsewhere import list_scan, order_scan
from tours.answering.making import question_answer
from tours.models import Question

ELSEWHERE = {"route": "/commandes"}


@pytest.fixture(autouse=True)
def no_wait(settings):
    settings.ASK_WAIT_MS = 0


@pytest.fixture
def pages(oree):
    oree.learn(list_scan())
    return oree.learn()


def test_who_waits_for_the_answer_reads_where_it_is(oree, pages):
    asked = Asked(oree, **ELSEWHERE)
    assert asked.asked.status_code == 202
    question_answer(question_id=asked.id, config=LOCAL)
    answer = oree.api().get(f"/v1/ai/questions/{asked.id}", headers=asked.headers).json()
    assert answer["message"].startswith("C’est sur Création de facture → ")
    assert {step["route"] for step in answer["steps"]} == {"/factures/nouvelle"}
    tour = oree.api().get(f"/v1/tours/{answer['tour_id']}", headers=asked.headers)
    assert tour.json()["steps"] == answer["steps"]
    assert oree.api().get(f"/v1/tours/{answer['tour_id']}").status_code == 404


def test_who_asks_again_has_the_same(oree, pages):
    asked = Asked(oree, **ELSEWHERE)
    question_answer(question_id=asked.id, config=LOCAL)
    asking = {"question": QUESTION, **ELSEWHERE}
    again = oree.api().post("/v1/ai/ask", asking, format="json", headers=asked.headers).json()
    question_answer(question_id=uuid.UUID(again["question_id"]), config=LOCAL)
    answer = oree.api().get(f"/v1/ai/questions/{again['question_id']}", headers=asked.headers).json()
    assert answer["source"] == "history"
    assert answer["message"].startswith("C’est sur Création de facture → ")


def test_a_stream_ends_with_where_it_is(oree, pages):
    asked = Asked(oree, **ELSEWHERE)
    question_answer(question_id=asked.id, config=LOCAL)
    response = asked.follow()
    [(name, answer)] = list(events_of(response))
    leave(response)
    assert name == "answer"
    assert answer["message"].startswith("C’est sur Création de facture → ")
    assert {step["route"] for step in answer["steps"]} == {"/factures/nouvelle"}


def test_a_page_that_no_address_names_alone_is_an_answer_without_a_guide(oree):
    oree.learn(list_scan())
    oree.learn(order_scan())
    asked = Asked(oree, "Comment changer le statut de la commande ?", **ELSEWHERE)
    question_answer(question_id=asked.id, config=LOCAL)
    answer = oree.api().get(f"/v1/ai/questions/{asked.id}", headers=asked.headers).json()
    assert (answer["steps"], answer["tour_id"], answer["suggestions"]) == ([], None, [])
    assert answer["message"].endswith("Ouvrez cette page, puis reposez-moi la question.")


def test_a_model_writes_the_guide_of_the_other_page_and_both_calls_are_counted(oree, pages):
    asked = Asked(oree, **ELSEWHERE)
    prompts: list[Prompt] = []

    def says(prompt: Prompt) -> dict[str, Any]:
        prompts.append(prompt)
        return reply(prompt, "ok")

    with FakeLlmServer() as model:
        model.script = says
        config = EngineConfig("openai", model.base_url, "k", "m", timeout_s=10)
        question_answer(question_id=asked.id, config=config)
    answer = oree.api().get(f"/v1/ai/questions/{asked.id}", headers=asked.headers).json()
    assert (answer["source"], {step["route"] for step in answer["steps"]}) == ("llm", {"/factures/nouvelle"})
    assert len(prompts) == 2
    counted = Question.objects.get(pk=asked.id).prompt_tokens
    assert counted == sum((len(prompt.system) + len(prompt.user)) // 4 for prompt in prompts)


def test_another_organization_learns_nothing_of_it(oree, pages, stranger):
    with tenant_scope(stranger.organization.pk):
        stranger.learn(list_scan())
    asked = Asked(stranger, **ELSEWHERE)
    with tenant_scope(stranger.organization.pk):
        assert question_answer(question_id=asked.id, config=LOCAL) == [asked.id]
    answer = stranger.api().get(f"/v1/ai/questions/{asked.id}", headers=asked.headers).json()
    assert (answer["steps"], answer["tour_id"]) == ([], None)
    assert "facture" not in answer["message"]
