"""A demonstration on real threads: the same batches twice, and several starts and stops, at the same moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from organizations.errors import ServiceError
from organizations.scoping import tenant_scope
from shadow.models import Competence, Machine, ObservationSession, ObservedEvent, UnderstoodStep
from shadow.services import (
    Ingested,
    Started,
    Stopped,
    competence_persist,
    events_ingest,
    feedback_apply,
    session_start,
    session_stop,
    workflow_build,
)
from tests.fixtures import Tenant, make_tenant
from tests.races.test_decisions import all_at_once
from tests.shadow.showing import MACHINE, REFUND, event, presence, refund, target
from tours.models import Tour

ROUNDS = 5


@pytest.fixture
def tenant(transactional_db, settings, tmp_path) -> Iterator[Tenant]:
    settings.COMPETENCES_DIR = tmp_path
    made = make_tenant("oree")
    with tenant_scope(made.organization.id):
        yield made


def test_nothing_is_lost_or_kept_twice_and_observing_begins_once(tenant: Tenant) -> None:
    own: dict[str, Any] = {"organization": tenant.organization, "member": tenant.author}
    for number in range(ROUNDS):
        session_id = f"sess_{number}"
        send = partial(events_ingest, **own, session_id=session_id, machine_id=MACHINE)
        # A session that nobody has heard of, by its first event, four times at once.
        first = all_at_once(tenant.organization.id, [partial(send, events=[presence()])] * 4)
        assert sorted(one.received for one in first if isinstance(one, Ingested)) == [0, 0, 0, 1]
        starts = all_at_once(tenant.organization.id, [partial(session_start, **own, session_id=session_id)] * 4)
        assert sorted(one.already for one in starts if isinstance(one, Started)) == [False, True, True, True]
        fills = [
            event(10 + place, "click", REFUND, target=target("button", f"B{place}", f"#b{place}"))
            for place in range(20)
        ]
        events = [*refund(), *fills]
        batches = [events[place : place + 5] for place in range(0, len(events), 5)]
        jobs: list[Callable[[], object]] = [partial(send, events=batch) for batch in [*batches, *reversed(batches)]]
        sent = [one for one in all_at_once(tenant.organization.id, jobs) if isinstance(one, Ingested)]
        assert sum(one.received for one in sent) == len(events)
        assert sum(one.duplicates for one in sent) == len(events)
        kept = ObservedEvent.objects.filter(session__session_id=session_id).order_by("sequence")
        assert [one.sequence for one in kept] == list(range(len(events) + 1))
        stops = all_at_once(tenant.organization.id, [partial(session_stop, **own, session_id=session_id)] * 4)
        (stopped,) = [one for one in stops if isinstance(one, Stopped)]
        assert {one.code for one in stops if isinstance(one, ServiceError)} == {"not_observing"}
        steps = UnderstoodStep.objects.filter(session__session_id=session_id).order_by("index")
        assert [step.index for step in steps] == list(range(1, stopped.steps_count + 1))
        assert [number for step in steps for number in step.events] == sorted(
            number for step in steps for number in step.events
        )
        session = ObservationSession.objects.get(session_id=session_id)
        assert (session.events_count, session.last_sequence) == (len(events) + 1, len(events))
    assert Machine.objects.count() == 1


def test_a_workflow_that_is_kept_by_many_at_once_is_kept_once(tenant: Tenant) -> None:
    own: dict[str, Any] = {"organization": tenant.organization, "member": tenant.author}
    sent: dict[str, Any] = {**own, "session_id": "sess_1", "machine_id": MACHINE}
    events_ingest(**sent, events=[presence()])
    session_start(**own, session_id="sess_1")
    events_ingest(**sent, events=refund())
    session_stop(**own, session_id="sess_1")
    said = [partial(feedback_apply, **own, session_id="sess_1", action="undo", step_index=1)] * 3
    answers = all_at_once(tenant.organization.id, said)
    assert all(isinstance(answer, dict) and answer["status"] == "feedback_applied" for answer in answers)
    left = UnderstoodStep.objects.filter(index__isnull=False).order_by("index").values_list("index", flat=True)
    assert list(left) == list(range(1, len(left) + 1))
    feedback_apply(**own, session_id="sess_1", action="validate")
    ir = workflow_build(**own, session_id="sess_1", name="Rembourser")["workflow_ir"]
    keep = partial(competence_persist, **own, workflow_ir=ir, machine_id=MACHINE)
    kept = all_at_once(tenant.organization.id, [keep] * 4)
    assert len({str(one) for one in kept}) == 1, kept
    assert (Competence.objects.count(), Tour.objects.count()) == (1, 1)
