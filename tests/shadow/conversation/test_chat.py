"""POST /v1/chat: a member teaches Léa, an end user asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from shadow.models import Competence, Conversation, ObservationSession
from skills.recorder import recorder_code_create, recorder_code_exchange
from tests.fixtures import LOCAL, ORIGIN, QUESTION, ApiFromPage, Tenant
from tests.shadow.showing import MACHINE, SESSION, Shower, presence, refund
from tours.answering.making import question_answer
from tours.models import Question

PLACE = {"session_id": SESSION, "machine_id": MACHINE}


@pytest.fixture(autouse=True)
def _at_once(settings, tmp_path: Path) -> None:
    settings.ASK_WAIT_MS = 0
    settings.COMPETENCES_DIR = tmp_path


def member(tenant: Tenant, role: str = "author") -> APIClient:
    code = recorder_code_create(organization=tenant.organization, actor=getattr(tenant, role))
    token = recorder_code_exchange(organization=tenant.organization, code=code).token
    return ApiFromPage(headers={"Authorization": f"Bearer {token}", "Origin": ORIGIN})


def says(client: APIClient, text: str, **more: Any) -> Any:
    response = client.post("/v1/chat", {"session": "talk_1", "text": text, **more}, format="json")
    assert response.status_code == 200, response.content
    return response.json()


def test_a_member_teaches_a_task_in_conversation(oree):
    client = member(oree)
    shower = Shower(client)
    assert "session active" in says(client, "observe ce que je fais", **PLACE)["reply"]
    shower.send(presence())
    begun = says(client, "Léa, observe ce que je fais", **PLACE)
    assert (begun["reply"], begun["state"]) == ("J'observe. Fais ta tâche.", "observing")
    shower.send(*refund())
    ended = says(client, "c'est fini", **PLACE)
    count = len(ended["steps"])
    assert ended["reply"] == f"J'ai observé {count} étapes :\nC'est correct ?"
    assert ended["choices"][0] == "Oui"
    fixed = says(client, "l'étape 1, c'est « Ouvrir la commande »", **PLACE)
    assert fixed["steps"][0]["intent"] == "Ouvrir la commande"
    merged = says(client, "fusionne 3 et 4", **PLACE)
    assert len(merged["steps"]) == count - 1
    split = says(client, "coupe l'étape 3 après le 1er geste", **PLACE)
    assert len(split["steps"]) == count
    says(client, "appelle-la « Rembourser une commande »", **PLACE)
    asked = says(client, "oui", **PLACE)
    assert asked["state"] == "confirming"
    assert "45,00" in asked["reply"]
    learnt = says(client, "seulement le montant", **PLACE)
    assert learnt["state"] == "persisted"
    assert learnt["reply"].startswith("Tâche apprise et sauvegardée.")
    assert learnt["tour"]["review_url"]
    assert Competence.objects.get().name == "Rembourser une commande"


def test_each_member_has_conversations_of_their_own(oree):
    author, reviewer = member(oree), member(oree, "reviewer")
    Shower(author).send(presence())
    says(author, "observe ce que je fais", **PLACE)
    assert says(reviewer, "montre les étapes", **PLACE)["state"] == "idle"
    assert "session active" in says(reviewer, "observe ce que je fais", **PLACE)["reply"]
    assert Conversation.objects.count() == 2
    assert ObservationSession.objects.get().member == oree.author


def test_a_member_may_ask_about_the_page_in_between(oree):
    oree.learn()
    client = member(oree)
    waiting = says(client, QUESTION, route="/factures/nouvelle")
    question_answer(question_id=Question.objects.get().pk, config=LOCAL)
    assert waiting["question_id"] == str(Question.objects.get().pk)
    answered = says(client, QUESTION, route="/factures/nouvelle")
    assert answered["tour"]["steps"][0]["attachTo"]["element"] == "[data-testid='invoice-discount-input']"
    assert answered["state"] == "idle"


def test_an_end_user_is_answered_and_told_who_may_teach(oree):
    oree.learn()
    told = says(oree.api(), "observe ce que je fais")
    assert "membre de l'équipe" in told["reply"]
    assert Question.objects.count() == 0
    asked = says(oree.api(), QUESTION, route="/factures/nouvelle", visitor=told["visitor"])
    question_answer(question_id=Question.objects.get().pk, config=LOCAL)
    again = says(oree.api(), QUESTION, route="/factures/nouvelle", visitor=told["visitor"])
    assert "question_id" in asked
    assert again["reply"].startswith("Voici comment faire")
    assert len(again["tour"]["steps"]) == 1
    assert Conversation.objects.count() == 0


def test_what_is_no_sentence_is_refused(oree):
    client = member(oree)
    for body in (
        {},
        {"session": "talk", "text": ""},
        {"session": "a b", "text": "oui"},
        {"session": "x", "text": "a" * 1001},
    ):
        assert client.post("/v1/chat", body, format="json").status_code == 422
    assert ApiFromPage().post("/v1/chat", {"session": "x", "text": "oui"}, format="json").status_code == 401


def test_talking_is_limited_as_asking_is(oree, settings):
    settings.RATE_LIMIT_ASK_PER_MINUTE = 2
    client = member(oree)
    says(client, "aide")
    says(client, "aide")
    assert client.post("/v1/chat", {"session": "talk_1", "text": "aide"}, format="json").status_code == 429
