"""What an organization hides of its own: told to the recorder, hidden again in all that is received."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse

from engine.types import EngineConfig
from organizations.masks import OwnMask, masks_digest, masks_replace
from organizations.models import Organization
from skills.recorder import recorder_code_create
from skills.services import scan_accept, scan_learn
from tests.fakes.llm_server import FakeLlmServer
from tests.fixtures import Tenant, invoice_scan, node
from tours.answering.making import question_answer
from tours.models import Question

SECRETS = ("CLI-2041", "Zéphyr", "Durand")


@pytest.fixture
def masked(oree: Tenant) -> Tenant:
    """The organization, with masks of its own."""
    hide(oree, "CLI-####", "Projet Zéphyr", "DOS-##########-*")
    return oree


@pytest.fixture
def model() -> Iterator[FakeLlmServer]:
    with FakeLlmServer() as running:
        yield running


def hide(tenant: Tenant, *patterns: str) -> None:
    masks_replace(
        organization=tenant.organization,
        actor=tenant.owner,
        masks=[OwnMask(name=pattern, pattern=pattern) for pattern in patterns],
        seen_digest=masks_digest(tenant.organization),
    )


def config_for(server: FakeLlmServer) -> EngineConfig:
    return EngineConfig("openai", server.base_url, "secret-key", "some-model", timeout_s=3)


def telling_scan() -> dict[str, object]:
    """A scan from a browser that masked nothing."""
    return invoice_scan(
        pageTitle="Cliente CLI-2041",
        nodes=[
            node(1, "button", "Ouvrir CLI-2041", "#a", context={"heading": "Projet Zéphyr", "row": "cli-2041"}),
            node(2, "input", "Client", "#b", placeholder="DOS-0612345678-Durand"),
            node(3, "select", "Choix", "#c", options=["CLI-2041", "Aucun"]),
        ],
    )


def opened(tenant: Tenant) -> dict[str, Any]:
    code = recorder_code_create(organization=tenant.organization, actor=tenant.author)
    response = tenant.api().post(reverse("recorder-sessions"), {"code": code}, format="json")
    assert response.status_code == 201
    answer: dict[str, Any] = response.json()
    return answer


def test_a_recorder_is_told_what_to_hide(masked: Tenant) -> None:
    assert opened(masked)["masks"] == ["CLI-####", "Projet Zéphyr", "DOS-##########-*"]


def test_a_recorder_of_an_organization_without_masks_is_told_none(oree: Tenant) -> None:
    assert opened(oree)["masks"] == []


def test_a_scan_is_stored_without_what_the_organization_hides(masked: Tenant) -> None:
    scan = scan_accept(
        organization=masked.organization,
        actor=masked.author,
        data=telling_scan(),
        name="Fiche CLI-2041",
        locale="fr",
    )

    stored = json.dumps([scan.payload, scan.name, scan.page_title], ensure_ascii=False)
    assert not [secret for secret in SECRETS if secret.lower() in stored.lower()]
    first, second, third = scan.payload["nodes"]
    assert first["label"] == "Ouvrir [SENSITIVE]"
    assert first["context"] == {"heading": "[SENSITIVE]", "row": "[SENSITIVE]"}
    assert second["placeholder"] == "[SENSITIVE]"
    assert third["options"] == ["[SENSITIVE]", "Aucun"]
    assert scan.name == "Fiche [SENSITIVE]"


def test_a_scan_of_another_organization_keeps_its_words(masked: Tenant, stranger: Tenant) -> None:
    scan = scan_accept(
        organization=stranger.organization, actor=stranger.author, data=telling_scan(), name="", locale="fr"
    )
    assert scan.payload["nodes"][0]["label"] == "Ouvrir CLI-2041"


def test_a_masked_text_of_full_length_is_still_accepted(masked: Tenant) -> None:
    scan = telling_scan()
    scan["nodes"] = [node(1, "button", "CLI-2041 " * 33, "#a")]
    accepted = scan_accept(organization=masked.organization, actor=masked.author, data=scan, name="", locale="fr")
    assert set(accepted.payload["nodes"][0]["label"].split()) == {"[SENSITIVE]"}


def test_a_model_that_learns_a_page_never_sees_it(masked: Tenant, model: FakeLlmServer) -> None:
    scan = scan_accept(
        organization=masked.organization,
        actor=masked.author,
        data=telling_scan(),
        name="Fiche CLI-2041",
        locale="fr",
    )
    scan_learn(scan_id=scan.pk, config=config_for(model))

    asked = json.dumps(model.requests, ensure_ascii=False)
    assert "[SENSITIVE]" in asked
    assert not [secret for secret in SECRETS if secret.lower() in asked.lower()]


def test_a_question_is_stored_and_answered_without_it(masked: Tenant, model: FakeLlmServer) -> None:
    masked.learn()

    question = masked.asked("Comment ajouter une remise à cli-2041 pour le projet Zéphyr ?", page_title="CLI-2041")
    question_answer(question_id=question.pk, config=config_for(model))

    kept = Question.objects.get(pk=question.pk)
    assert kept.text == "Comment ajouter une remise à [SENSITIVE] pour le [SENSITIVE] ?"
    assert kept.page_title == "[SENSITIVE]"
    assert "2041" not in kept.normalized
    asked = json.dumps(model.requests, ensure_ascii=False).lower()
    assert "sensitive" in asked
    assert not [secret for secret in SECRETS if secret.lower() in asked]


def test_what_this_release_cannot_read_stops_neither_scans_nor_questions(oree: Tenant) -> None:
    rows = [{"name": "x", "pattern": "NEW**", "example": ""}, {"name": "y", "pattern": "CLI-####", "example": ""}]
    Organization.objects.filter(pk=oree.organization.pk).update(masks=rows)
    oree.organization.refresh_from_db()
    oree.learn()
    assert oree.asked("Remise pour CLI-2041").text == "Remise pour [SENSITIVE]"
