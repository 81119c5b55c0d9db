"""The port through which Léa reaches the server that observes; in the same process, or over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Call = Literal["resolve", "start", "stop", "understanding", "feedback", "build", "persist"]
FeedbackAction = Literal["validate", "correct", "undo", "cancel", "merge_next", "split"]
Kind = Literal[
    "unreachable", "unauthorized", "not_found", "bad_request", "timeout", "not_observing", "refused", "broken"
]


class GatewayError(Exception):
    """A call that brought no result. ``detail`` is the server's own sentence, where it had one."""

    def __init__(self, kind: Kind, call: Call, detail: str = "") -> None:
        super().__init__(f"{call}: {kind} {detail}".strip())
        self.kind = kind
        self.call = call
        self.detail = detail


@dataclass(frozen=True, slots=True)
class MachineSeen:
    """A machine that was heard of."""

    machine_id: str
    name: str


@dataclass(frozen=True, slots=True)
class SessionSeen:
    """A session of a machine. ``finalized``: nothing more is expected of it."""

    session_id: str
    machine_id: str
    finalized: bool
    recording: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value of a step that its users may change."""

    name: str
    example: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A step as it is understood. ``events`` are numbers, ``event_words`` what happened at each, as far as known.

    ``raw`` is the step as the server gives it.
    """

    number: int
    intent: str
    confidence: float
    state: str = "proposed"
    events: tuple[int, ...] = ()
    event_words: tuple[str, ...] = ()
    parameter: Parameter | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class FeedbackResult:
    """Whether what was said of the steps was applied, why not, and the steps as they stand."""

    applied: bool
    reason: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Persisted:
    """Where a learnt task is kept and reviewed."""

    competence_id: str
    tour_id: str = ""
    review_url: str = ""


class Gateway(Protocol):
    """What Léa asks of the server. Every call raises ``GatewayError`` when it brings no result."""

    def machines(self) -> list[MachineSeen]:
        """Return the machines heard of, the last first."""

    def sessions(self, machine_id: str) -> list[SessionSeen]:
        """Return a machine's sessions, the last active first."""

    def start(self, session_id: str) -> bool:
        """Begin to observe; return whether that was going on already."""

    def stop(self, session_id: str) -> tuple[Step, ...]:
        """End it and return what was understood."""

    def understanding(self, session_id: str) -> tuple[Step, ...]:
        """Return the steps as they stand, the one that may still change included."""

    def feedback(
        self,
        session_id: str,
        action: FeedbackAction,
        *,
        step_index: int | None = None,
        new_intent: str | None = None,
        at_event_index: int | None = None,
    ) -> FeedbackResult:
        """Say something of the steps."""

    def build(self, session_id: str, name: str, parameters: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
        """Return the workflow of the steps, or None for a session that was cancelled."""

    def persist(self, workflow_ir: Mapping[str, Any], machine_id: str) -> Persisted:
        """Keep a workflow as a candidate competence."""


def steps_read(data: Any, call: Call) -> tuple[Step, ...]:
    """Read steps as the server gives them. Raises ``GatewayError`` (``broken``) when that is something else."""
    try:
        return tuple(_step(one) for one in data)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise GatewayError("broken", call) from error


def _step(data: Mapping[str, Any]) -> Step:
    parameter = data.get("parameter")
    return Step(
        number=int(data["step"]),
        intent=str(data["intent"]),
        confidence=float(data["confidence"]),
        state=str(data.get("state", "proposed")),
        events=tuple(int(number) for number in data.get("events") or ()),
        event_words=tuple(str(words) for words in data.get("event_words") or ()),
        parameter=Parameter(str(parameter["name"]), str(parameter.get("example", ""))) if parameter else None,
        raw=data,
    )
