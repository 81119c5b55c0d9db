"""A conversation while one sentence is answered: what is remembered, the server behind it, and how Léa speaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from shadow.conversation.acts import FOCUS, LAST
from shadow.conversation.gateway import FeedbackAction, FeedbackResult, Gateway, Step
from shadow.conversation.scope import Asked, State
from shadow.conversation.sentences import Locale, number_said, say

MOST_UNDOS = 20


@dataclass(slots=True)
class Memory:
    """What is remembered of a conversation from one sentence to the next. All of it goes through JSON.

    ``focus`` is the step spoken of last; ``rather`` the sentence that a « oui » would stand for; ``undos`` say, for
    each change, what takes it back; ``varying`` which steps' values were said to change, or to stay.
    """

    locale: Locale = "fr"
    state: State = "idle"
    session_id: str = ""
    machine_id: str = ""
    name: str = ""
    asked: Asked = ""
    rather: str = ""
    focus: int = 0
    suggested: str = ""
    offered: list[str] = field(default_factory=list)
    undos: list[list[dict[str, Any]]] = field(default_factory=list)
    varying: dict[str, bool] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Memory:
        """Read what ``to_json`` gave; what an older release did not know is as at the beginning."""
        known = {one.name for one in fields(cls)}
        return cls(**{key: value for key, value in data.items() if key in known})

    def forget(self, state: State) -> None:
        """Leave the demonstration behind; the machine and the language stay."""
        self.state, self.session_id, self.name = state, "", ""
        self.offered, self.undos, self.varying = [], [], {}
        self.focus, self.suggested = 0, ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What Léa answers. ``choices`` are sentences to offer as buttons; ``tour`` is a guide, or its review."""

    text: str
    state: State
    steps: tuple[Step, ...] | None = None
    choices: tuple[str, ...] = ()
    tour: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """The tab that the conversation is held in, if it can be observed."""

    session_id: str = ""
    machine_id: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer to a question about the application."""

    text: str
    tour: Mapping[str, Any] | None = None
    choices: tuple[str, ...] = ()


@dataclass(slots=True)
class Talk:
    """What the handlers of acts share.

    ``answer`` answers questions, where there is somebody who can. ``reads_out``: steps are listed in the text, for who
    shows nothing but the text.
    """

    gateway: Gateway
    memory: Memory
    place: Place = field(default_factory=Place)
    answer: Callable[[str], Answered] | None = None
    reads_out: bool = True

    def say(self, sentence: str, /, **parts: object) -> str:
        return say(self.memory.locale, sentence, **parts)

    def reply(
        self,
        text: str,
        *,
        steps: tuple[Step, ...] | None = None,
        choices: Sequence[str] = (),
        tour: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Return a reply; ``choices`` are named as among the sentences, without ``choice_``, or said as they are."""
        offered = tuple(self.say(f"choice_{one}") if one.isascii() and one.islower() else one for one in choices)
        return Reply(text, self.memory.state, steps, offered, tour)

    def steps(self) -> tuple[Step, ...]:
        return self.gateway.understanding(self.memory.session_id)

    def feedback(
        self,
        action: FeedbackAction,
        step_index: int | None = None,
        *,
        new_intent: str | None = None,
        at_event_index: int | None = None,
    ) -> FeedbackResult:
        return self.gateway.feedback(
            self.memory.session_id,
            action,
            step_index=step_index,
            new_intent=new_intent,
            at_event_index=at_event_index,
        )

    def number(self, step: int, steps: Sequence[Step]) -> int:
        """Return the number that is meant by ``LAST`` and ``FOCUS``; 0 for the latter where none was spoken of."""
        return {LAST: len(steps), FOCUS: self.memory.focus}.get(step, step)

    def remember_undo(self, takes_back: list[dict[str, Any]]) -> None:
        self.memory.undos = [*self.memory.undos, takes_back][-MOST_UNDOS:]

    def listed(self, steps: Sequence[Step]) -> str:
        """Return the steps as a list: « 1. Ouvrir le Bloc-notes (confiance 0,8) »."""
        return "\n".join(self._line(step) for step in steps) if self.reads_out else ""

    def _line(self, step: Step) -> str:
        said = "step" if step.state == "proposed" else "step_validated"
        confidence = number_said(self.memory.locale, step.confidence)
        return self.say(said, number=step.number, intent=step.intent, confidence=confidence)
