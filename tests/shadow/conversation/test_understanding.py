"""What is said, what it does, and what is asked back instead of guessed."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import get_args

import pytest

from shadow.conversation import acts
from shadow.conversation.acts import Act
from shadow.conversation.scope import Setting, State
from shadow.conversation.understanding import understand

TABLE = tomllib.loads((Path(__file__).parent / "sentences.toml").read_text(encoding="utf-8"))
CASES = [(state, text, does) for state, table in TABLE.items() for text, does in table["said"]]
DONE = """
observe teach finish go yes no correct wrong delete merge split validate undo cancel name show help build varies stays
question refrain ask
"""
PLAIN = {
    acts.Finish: "finish",
    acts.GoOn: "go on",
    acts.Yes: "yes",
    acts.No: "no",
    acts.UndoLast: "undo",
    acts.CancelAll: "cancel",
    acts.Show: "show",
    acts.Help: "help",
    acts.Build: "build",
    acts.Question: "question",
    acts.Refrain: "refrain",
}


def written(act: Act) -> str:  # noqa: PLR0911 - one line an act
    """Write an act as the table does."""
    match act:
        case acts.Observe(name) | acts.Teach(name) | acts.Name(name):
            return type(act).__name__.lower() + (f": {name}" if name else "")
        case acts.Correct(step, intent):
            return f"correct {step}: {intent}"
        case acts.Wrong(step):
            return f"wrong {step}"
        case acts.Delete(steps) | acts.Merge(steps):
            return " ".join([type(act).__name__.lower(), *map(str, steps)])
        case acts.Split(step, words, event, before):
            where = f"event {event}" if event else words
            return f"split {step}" + (f" {'before' if before else 'after'} {where}" if where else "")
        case acts.Validate(steps, but):
            which = "all" if steps is None else " ".join(map(str, steps))
            return f"validate {which}" + (f" but {' '.join(map(str, but))}" if but else "")
        case acts.Varies(words, changes, only):
            return " ".join(["varies" if changes else "stays", *(["only"] if only else []), words or "all"])
        case acts.Unclear(doubt, rather, step):
            return f"ask {doubt}" + (f": {rather}" if rather else f" {step}" if step else "")
    return PLAIN[type(act)]


@pytest.mark.parametrize(("state", "text", "does"), CASES, ids=[f"{state}: {text}" for state, text, _ in CASES])
def test_a_sentence_does_what_it_says_or_is_asked_back(state: State, text: str, does: str) -> None:
    assert written(understand(text, Setting(state))) == does


def test_the_table_is_large_and_knows_every_place_and_act() -> None:
    assert len({(state, text) for state, text, _ in CASES}) == len(CASES) >= 300
    assert set(TABLE) < set(get_args(State))
    done = {does.split(":")[0].split(" ")[0] for _, _, does in CASES}
    assert done == set(DONE.split())


@pytest.mark.parametrize(
    "text", ["", " ", "\n\t", "«»", "''", "a" * 100_000, "étape " * 5_000, "\ud83d", "((((" * 500, "1, " * 3_000]
)
@pytest.mark.parametrize("state", get_args(State))
def test_odd_input_is_asked_back(state: State, text: str) -> None:
    asked = understand(text, Setting(state))
    assert isinstance(asked, acts.Unclear | acts.Name | acts.Question)
