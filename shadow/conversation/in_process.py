"""The gateway of the widget's chat: the services of this very process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from organizations.errors import ServiceError
from organizations.models import Organization, User
from shadow import selectors, services
from shadow.conversation.gateway import (
    Call,
    FeedbackAction,
    FeedbackResult,
    GatewayError,
    MachineSeen,
    Persisted,
    SessionSeen,
    Step,
    steps_read,
)
from shadow.conversation.kinds import kind_of


class InProcessGateway:
    """Speaks for one member of one organization; the caller has opened the organization's scope."""

    def __init__(self, organization: Organization, member: User | None) -> None:
        self._organization = organization
        self._member = member

    def machines(self) -> list[MachineSeen]:
        with _refusals("resolve"):
            found = selectors.machines(self._organization, self._member)
        return [MachineSeen(one["machine_id"], one["name"]) for one in found]

    def sessions(self, machine_id: str) -> list[SessionSeen]:
        with _refusals("resolve"):
            found = selectors.sessions(self._organization, machine_id, self._member)
        return [SessionSeen(one["session_id"], one["machine_id"], one["finalized"], one["recording"]) for one in found]

    def start(self, session_id: str) -> bool:
        with _refusals("start"):
            return services.session_start(**self._caller, session_id=session_id).already

    def stop(self, session_id: str) -> tuple[Step, ...]:
        with _refusals("stop"):
            return steps_read(services.session_stop(**self._caller, session_id=session_id).understanding, "stop")

    def understanding(self, session_id: str) -> tuple[Step, ...]:
        with _refusals("understanding"):
            found = services.session_understanding(**self._caller, session_id=session_id)
        current = found["current_step"]
        return steps_read([*found["steps"], *([current] if current else [])], "understanding")

    def feedback(
        self,
        session_id: str,
        action: FeedbackAction,
        *,
        step_index: int | None = None,
        new_intent: str | None = None,
        at_event_index: int | None = None,
    ) -> FeedbackResult:
        with _refusals("feedback"):
            said = services.feedback_apply(
                **self._caller,
                session_id=session_id,
                action=action,
                step_index=step_index,
                new_intent=new_intent,
                at_event_index=at_event_index,
            )
        result = said["result"]
        steps = steps_read(result["understanding"], "feedback")
        return FeedbackResult(said["status"] == "feedback_applied", result.get("reason", ""), steps)

    def build(self, session_id: str, name: str, parameters: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
        with _refusals("build"):
            built = services.workflow_build(**self._caller, session_id=session_id, name=name, parameters=parameters)
        return built.get("workflow_ir")

    def persist(self, workflow_ir: Mapping[str, Any], machine_id: str) -> Persisted:
        with _refusals("persist"):
            kept = services.competence_persist(**self._caller, workflow_ir=workflow_ir, machine_id=machine_id)
        return Persisted(str(kept["competence_id"]), str(kept.get("tour_id") or ""), str(kept.get("review_url") or ""))

    @property
    def _caller(self) -> dict[str, Any]:
        return {"organization": self._organization, "member": self._member}


@contextmanager
def _refusals(call: Call) -> Iterator[None]:
    try:
        yield
    except ServiceError as refusal:
        raise GatewayError(kind_of(refusal.status, refusal.code, call), call, refusal.detail) from refusal
