"""A hostile page, a hostile question and a model that obeys them, through the API: what comes out is a clean guide."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest

from engine.types import EngineConfig
from organizations.scoping import tenant_scope
from tests.engine.injections import ATTACKS, Attack
from tests.fakes.llm_server import FakeLlmServer
from tests.fixtures import invoice_scan
from tours.answering.making import question_answer
from tours.models import Question, Tour

MARKUP = re.compile(r"<[a-z/!?|]|\]\(|https?:|javascript:|data:|mailto:|\bwww\.|on(?:error|click)", re.I)
SENTENCES = {"Retour", "Suivant", "Terminé"}


def hostile_scan(text: str) -> dict[str, Any]:
    scan = invoice_scan(pageTitle=f"Facture {text}"[:200])
    for node in scan["nodes"]:
        node["label"] = f"{node['label']} {text}"[:200]
        node["placeholder"] = text[:200]
        if "options" in node:
            node["options"] = [*node["options"], text[:100]]
    return scan


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_nothing_of_an_attack_reaches_the_askers_page(oree, stranger, settings, attack: Attack):
    settings.ASK_WAIT_MS = 0
    scan = hostile_scan(attack.text)
    oree.learn(scan)
    with tenant_scope(stranger.organization.id):
        stranger.learn()
    body = {"question": f"Ajouter une remise. {attack.text}"[:300], "route": "/factures/nouvelle", "locale": "fr"}
    asked = oree.api().post("/v1/ai/ask", body, format="json").json()
    with FakeLlmServer() as model:
        model.script = attack.script
        config = EngineConfig("openai", model.base_url, "k", "m", timeout_s=20)
        assert question_answer(question_id=uuid.UUID(asked["question_id"]), config=config)
        assert model.requests
    headers = {"X-Circuy-Visitor": asked["visitor"]}
    answer = oree.api().get(f"/v1/ai/questions/{asked['question_id']}", headers=headers).json()
    selectors = {node["selector"] for node in scan["nodes"]}
    assert {step["attachTo"]["element"] for step in answer["steps"]} <= selectors
    assert {step["fallback_selector"] for step in answer["steps"]} <= {
        node["fallbackSelector"] for node in scan["nodes"]
    }
    for step in answer["steps"]:
        assert not MARKUP.search(step["title"] + step["text"])
        assert {button["text"] for button in step["buttons"]} <= SENTENCES
    assert set(answer) >= {"steps", "title", "status", "source"}
    assert not MARKUP.search(answer["title"])
    with tenant_scope(stranger.organization.id):
        assert not Question.objects.exists()
        assert not Tour.objects.exists()
