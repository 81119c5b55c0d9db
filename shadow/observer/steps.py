"""What is understood of a demonstration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shadow.observer.events import Target

StepKind = Literal["click", "fill", "select", "check", "submit", "upload", "navigate", "key"]
ReasonCode = Literal["no_name", "ambiguous_locator", "no_effect", "idle_boundary", "unknown_frame"]
NoticeKind = Literal["step_understood", "unseen"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a step is less sure than it could be: a stable code, and a sentence for people."""

    code: ReasonCode
    sentence: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell while recording goes on."""

    at: float
    kind: NoticeKind
    message: str


@dataclass(frozen=True, slots=True)
class UnderstoodStep:
    """One step of what somebody showed.

    `events` are the sequence numbers that it is made of. `clicks` is 2 for a double click. `cause` says how a
    `navigate` step came about (`typed`, `reload`, `back`…), and `key` what was pressed in a `key` step, or in a
    `submit` step that Enter made. `effect` is the address that the step led to. A step that people made of two by
    merging them has both in `parts`, and is itself what the last one is. A `secret` step has no value.
    """

    kind: StepKind
    intent: str
    confidence: float
    reasons: tuple[Reason, ...]
    first: int
    last: int
    events: tuple[int, ...]
    at: float
    until: float
    target: Target | None = None
    value: str | None = None
    option: str | None = None
    options: tuple[str, ...] = ()
    checked: bool | None = None
    files: tuple[str, ...] = ()
    secret: bool = False
    key: str = ""
    cause: str = ""
    clicks: int = 1
    url: str = ""
    title: str = ""
    frame: str = ""
    effect: str | None = None
    parts: tuple[UnderstoodStep, ...] = ()
