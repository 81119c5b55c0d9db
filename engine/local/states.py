"""Boxes with two sides: *désactiver* finds a box called *Actif*, and takes its tick away."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from engine.local.goals import element_label
from engine.local.question import Question
from engine.local.text import stems, words
from engine.types import Intent

_RADIOS = frozenset(("radio", "menuitemradio"))
_NAMES = frozenset(("active", "inactive", "published_state", "unpublished_state"))
_WANTED = frozenset(("enable", "subscribe", "tick", "apply", "publish", "approve"))
_UNWANTED = frozenset(("disable", "unsubscribe", "untick", "delete", "unpublish", "mute", "hide"))
# *Ne pas m'envoyer d'e-mails*: its tick is the refusal.
_REFUSING = frozenset(("pas", "jamais", "ne", "sans", "not", "never", "no", "without"))


@dataclass(frozen=True, slots=True)
class State:
    """What a box stands for: the concepts of who ticks it, and of who unticks it; `proper` is what it is there for."""

    words: tuple[tuple[frozenset[str], ...], ...]
    ticked: frozenset[str]
    unticked: frozenset[str]
    proper: frozenset[str]


def is_box(intent: Intent) -> bool:
    """Tell whether an element has a tick that can be taken away again."""
    element = intent.element
    return intent.action_type == "check" and element.type != "radio" and element.role not in _RADIOS


def state_of(intent: Intent) -> State | None:
    """The state that a box is named after, or None."""
    return _state_in(element_label(intent.element)) if is_box(intent) else None


def wants_ticked(question: Question, intent: Intent) -> bool | None:
    """Tell whether the question wants a box ticked; None when it is no box, or when nothing says which way."""
    if not is_box(intent):
        return None
    text = element_label(intent.element)
    asked = frozenset(concept for unit in question.units for concept in unit.concepts | unit.parts)
    is_refusal = bool(_REFUSING & set(words(text)))
    wanted = _direction(question, state_of(intent), asked)
    return wanted if wanted is None else wanted != is_refusal


def _direction(question: Question, state: State | None, asked: frozenset[str]) -> bool | None:
    """Tell whether what a box stands for shall be so. Who only says its name says nothing of that."""
    wanted = bool(asked & _WANTED - question.refused)
    unwanted = bool(asked & _UNWANTED)
    # *Je n'ai pas la newsletter, comment m'abonner ?*: what is wanted beside a refusal counts.
    refuses = question.refuses and not wanted
    if state is not None:
        on, off = bool(asked & (state.ticked - _NAMES)), bool(asked & (state.unticked - _NAMES))
        if on != off:
            # *Ne plus être actif*: the word of the state, and the refusal beside it.
            return on and not (refuses and not unwanted)
    if refuses or unwanted:
        return False
    return True if wanted else None


@lru_cache(maxsize=4096)
def _state_in(label: str) -> State | None:
    said = [stems(word) for word in words(label)]
    found: list[tuple[int, State]] = []
    for state in _states():
        for phrase in state.words:
            starts = range(len(said) - len(phrase) + 1)
            if any(all(want & have for want, have in zip(phrase, said[at:], strict=False)) for at in starts):
                found.append((len(phrase), state))
    return max(found, key=lambda one: one[0])[1] if found else None


@cache
def _states() -> tuple[State, ...]:
    data = tomllib.loads(files("engine.local").joinpath("states.toml").read_text(encoding="utf-8"))
    return tuple(_state(*(body[key].split(", ") for key in ("words", "ticked", "unticked"))) for body in data.values())


def _state(phrases: list[str], ticked: list[str], unticked: list[str]) -> State:
    known = tuple(tuple(stems(word) for word in words(phrase)) for phrase in phrases)
    return State(known, frozenset(ticked), frozenset(unticked), frozenset((ticked[0], unticked[0])))
