"""The port to the server: one contract, kept in the same process and over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shadow.conversation.gateway import Gateway, GatewayError
from shadow.conversation.in_process import InProcessGateway
from shadow.conversation.over_http import TIMEOUTS, HttpGateway
from shadow.services import events_ingest
from skills.recorder import recorder_code_create, recorder_code_exchange
from tests.fixtures import Tenant
from tests.shadow.showing import MACHINE, SESSION, event, presence, refund

# The live server has connections of its own.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=["in_process", "over_http"])
def gateway(request: pytest.FixtureRequest, settings, tmp_path: Path) -> Iterator[Gateway]:
    settings.COMPETENCES_DIR = tmp_path
    server = request.getfixturevalue("live_server") if request.param == "over_http" else None
    tenant: Tenant = request.getfixturevalue("oree")
    if server is None:
        yield InProcessGateway(tenant.organization, tenant.author)
        return
    code = recorder_code_create(organization=tenant.organization, actor=tenant.author)
    token = recorder_code_exchange(organization=tenant.organization, code=code).token
    patient = dict.fromkeys(TIMEOUTS, 30.0)
    with HttpGateway(server.url, token, timeouts=patient) as client:
        yield client


def test_a_demonstration_from_its_first_event_to_the_saved_task(gateway: Gateway, oree: Tenant) -> None:
    def sends(*events):
        events_ingest(
            organization=oree.organization, member=oree.author, session_id=SESSION, machine_id=MACHINE, events=events
        )

    assert gateway.machines() == []
    assert refused(lambda: gateway.start(SESSION)) == "not_found"
    sends(presence())
    assert [one.machine_id for one in gateway.machines()] == [MACHINE]
    seen = gateway.sessions(MACHINE)
    assert [(one.session_id, one.finalized, one.recording) for one in seen] == [(SESSION, False, False)]
    assert gateway.sessions("another") == []
    assert refused(lambda: gateway.stop(SESSION)) == "not_observing"
    assert gateway.start(SESSION) is False
    assert gateway.start(SESSION) is True
    sends(*refund())
    assert [step.number for step in gateway.understanding(SESSION)][:2] == [1, 2]
    steps = gateway.stop(SESSION)
    count = len(steps)
    assert count >= 4
    assert all(0 < step.confidence <= 1 for step in steps)
    filled = next(step for step in steps if step.parameter)
    assert filled.parameter
    assert filled.parameter.example == "45,00"
    assert refused(lambda: gateway.build(SESSION, "Rembourser", [])) == "bad_request"

    assert not gateway.feedback(SESSION, "undo", step_index=99).applied
    rejected = gateway.feedback(SESSION, "merge_next", step_index=count)
    assert rejected.reason
    assert len(rejected.steps) == count
    corrected = gateway.feedback(SESSION, "correct", step_index=1, new_intent="Ouvrir la commande")
    assert corrected.applied
    assert (corrected.steps[0].intent, corrected.steps[0].state) == ("Ouvrir la commande", "corrected")
    merged = gateway.feedback(SESSION, "merge_next", step_index=2).steps
    assert len(merged) == count - 1
    assert len(merged[1].event_words) == len(merged[1].events) > 1
    assert any("45,00" in words for words in merged[1].event_words) or "Montant" not in merged[1].intent
    apart = gateway.feedback(SESSION, "split", step_index=2, at_event_index=min(steps[2].events)).steps
    assert len(apart) == count
    assert gateway.feedback(SESSION, "validate").applied

    confirmed = [{"step": filled.number, "confirmed": True, "name": "montant"}]
    workflow = gateway.build(SESSION, "Rembourser une commande", confirmed)
    assert workflow
    assert workflow["name"] == "Rembourser une commande"
    kept = gateway.persist(workflow, MACHINE)
    assert kept.competence_id
    assert kept.review_url
    assert kept.tour_id


def test_a_cancelled_session_builds_nothing(gateway: Gateway, oree: Tenant) -> None:
    events_ingest(
        organization=oree.organization,
        member=oree.author,
        session_id=SESSION,
        machine_id=MACHINE,
        events=[event(0, "focus")],
    )
    gateway.start(SESSION)
    assert gateway.feedback(SESSION, "cancel").applied
    assert gateway.build(SESSION, "Rien", []) is None


def refused(call) -> str:
    with pytest.raises(GatewayError) as refusal:
        call()
    return refusal.value.kind
