"""What a sentence does, once it is understood. Steps count from 1, and two of them go by other names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Whichever is the last one.
LAST = -1
# The step that was spoken of before.
FOCUS = -2

# Why a sentence is not acted upon: each has a question that Léa asks back.
Doubt = Literal[
    "unknown",
    "several_things",
    "which_step",
    "what_is_step",
    "which_name",
    "yes_or_no",
    "cancel_what",
    "rather_finished",
    "rather_act",
]


@dataclass(frozen=True, slots=True)
class Observe:
    """Begin to observe. ``name`` is what the task was called in passing, if it was."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class Teach:
    """« Apprends-moi à X »: whoever says it may want to show the task, or to be shown it."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class Finish:
    """What was to be shown was shown."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """« Je n'ai pas fini »."""


@dataclass(frozen=True, slots=True)
class Yes:
    """Agreement with what was asked last."""


@dataclass(frozen=True, slots=True)
class No:
    """Disagreement with what was asked last."""


@dataclass(frozen=True, slots=True)
class Correct:
    """Put a step into other words."""

    step: int
    intent: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """A step is not right, and nobody has said yet what it is."""

    step: int


@dataclass(frozen=True, slots=True)
class Delete:
    """Take steps out."""

    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Merge:
    """Make one step of neighbours."""

    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Make two steps of one: after the event that the words name, or before it. ``event`` is its number, if said."""

    step: int
    words: str = ""
    event: int = 0
    before: bool = False


@dataclass(frozen=True, slots=True)
class Validate:
    """Steps are right: these, or (``None``) all of them ``but`` some."""

    steps: tuple[int, ...] | None = None
    but: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class UndoLast:
    """Take back the last change."""


@dataclass(frozen=True, slots=True)
class CancelAll:
    """Forget the whole demonstration."""


@dataclass(frozen=True, slots=True)
class Name:
    """What the task is called."""

    name: str


@dataclass(frozen=True, slots=True)
class Show:
    """Read the steps out again."""


@dataclass(frozen=True, slots=True)
class Help:
    """What one can say."""


@dataclass(frozen=True, slots=True)
class Build:
    """Keep the task."""


@dataclass(frozen=True, slots=True)
class Varies:
    """Values change from time to time, or do not. No ``words``: all of them. ``only``: and no other."""

    words: str = ""
    changes: bool = True
    only: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the application, not about a demonstration."""

    text: str


@dataclass(frozen=True, slots=True)
class Refrain:
    """Something is expressly not to be done."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """Nothing is done; Léa asks. ``rather`` is a sentence that would be clear, for a « oui » to stand for it."""

    doubt: Doubt = "unknown"
    rather: str = ""
    step: int = 0


Act = (
    Observe
    | Teach
    | Finish
    | GoOn
    | Yes
    | No
    | Correct
    | Wrong
    | Delete
    | Merge
    | Split
    | Validate
    | UndoLast
    | CancelAll
    | Name
    | Show
    | Help
    | Build
    | Varies
    | Question
    | Refrain
    | Unclear
)
