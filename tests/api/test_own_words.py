"""An organization's own words over the API: its people's jargon finds the page's field, and nobody else's does."""

from __future__ import annotations

import uuid
from typing import Any

from organizations.lexicon import lexicon_digest, lexicon_replace
from organizations.scoping import tenant_scope
from tests.fixtures import LOCAL, Tenant
from tours.answering.making import question_answer

JARGON = "où mettre le bidule"
DISCOUNT = "[data-testid='invoice-discount-input']"


def answer(tenant: Tenant) -> dict[str, Any]:
    """Ask as the organization's page does, and read the answer as a worker leaves it."""
    asked = tenant.api().post("/v1/ai/ask", {"question": JARGON, "route": "/factures/nouvelle"}, format="json")
    body: dict[str, Any] = asked.json()
    if asked.status_code != 202:
        return body
    with tenant_scope(tenant.organization.id):
        question_answer(question_id=uuid.UUID(body["question_id"]), config=LOCAL)
    headers = {"X-Circuy-Visitor": body["visitor"]}
    read: dict[str, Any] = tenant.api().get(f"/v1/ai/questions/{body['question_id']}", headers=headers).json()
    return read


def found(tenant: Tenant) -> list[str]:
    return [step["attachTo"]["element"] for step in answer(tenant)["steps"]]


def add_words(tenant: Tenant, text: str) -> None:
    lexicon_replace(
        organization=tenant.organization,
        actor=tenant.owner,
        text=text,
        seen_digest=lexicon_digest(tenant.organization),
    )


def test_a_question_in_the_houses_jargon_finds_the_field_once_the_word_is_added(
    oree: Tenant, stranger: Tenant, settings: Any
) -> None:
    settings.ASK_WAIT_MS = 0
    oree.learn()
    with tenant_scope(stranger.organization.id):
        stranger.learn()
    assert found(oree) == []

    add_words(oree, "bidule = remise")

    assert found(oree) == [DISCOUNT]
    assert found(stranger) == []
