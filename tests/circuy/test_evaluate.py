"""`manage.py evaluate` on the demonstration's own pages and questions."""

import json

import pytest
from django.core.management import CommandError, call_command


def test_the_demonstrations_questions_reach_the_right_element_offline(capsys):
    call_command("evaluate", goal=0.8)
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["questions"] * figures["right"] >= 20
    assert figures["absent_refused"] == 1.0


def test_a_score_below_the_goal_is_a_failure(capsys):
    with pytest.raises(CommandError, match="below the goal"):
        call_command("evaluate", goal=1.01)


def test_a_labelled_file_with_a_mistake_is_named(tmp_path):
    file = tmp_path / "questions.json"
    file.write_text('[{"page": "commandes", "question": "?", "locale": "fr", "kind": "plan", "targets": []}]')
    with pytest.raises(CommandError, match=r"questions\.json"):
        call_command("evaluate", questions=file)
