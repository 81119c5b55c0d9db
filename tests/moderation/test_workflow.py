"""The table of transitions: whole, and drawn in the documentation as it is."""

import runpy
from pathlib import Path

import pytest

from moderation.states import DECISIONS, TRANSITIONS, Status, Verb

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "workflow.py"))


def test_the_documentation_shows_the_workflow_as_it_is():
    page = SCRIPT["PAGE"].read_text(encoding="utf-8")
    assert SCRIPT["redrawn"](page) == page, "python scripts/workflow.py draws it again"


def test_every_verb_has_its_row():
    assert set(TRANSITIONS) == set(Verb)


def test_only_a_rejection_is_for_good():
    """From everywhere else something leads on."""
    left = {status for transition in TRANSITIONS.values() for status in transition.sources}
    assert set(Status) - left == {Status.REJECTED}


@pytest.mark.parametrize("target", list(Status))
def test_every_status_can_be_reached(target):
    assert target == Status.DRAFT or target in {transition.target for transition in TRANSITIONS.values()}


def test_nothing_but_an_approval_leads_to_what_everybody_gets():
    assert [verb for verb, transition in TRANSITIONS.items() if transition.target == Status.PUBLISHED] == [Verb.APPROVE]


@pytest.mark.parametrize("verb", sorted(DECISIONS))
def test_what_a_person_decides_needs_a_role(verb):
    assert TRANSITIONS[verb].role is not None
