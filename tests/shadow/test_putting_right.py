"""What somebody says of the steps: applied when it makes sense, kept either way."""

from __future__ import annotations

from typing import Any

import pytest

from shadow.models import Feedback, UnderstoodStep
from tests.fixtures import Tenant
from tests.shadow.showing import REFUND, Shower, browser_of_author, event, presence, refund, server_of, target


@pytest.fixture
def shower(oree: Tenant) -> Shower:
    """A member's browser, with a whole task shown."""
    one = browser_of_author(oree)
    one.show()
    return one


def say(shower: Shower, action: str, **more: Any) -> tuple[str, dict[str, Any]]:
    answer = shower.post("feedback", action=action, **more)
    assert answer.status_code == 200, answer.content
    return answer.json()["status"], answer.json()["result"]


def test_all_steps_are_validated_at_once_or_one_at_a_time(shower: Shower) -> None:
    _status, one = say(shower, "validate", step_index=2)
    assert [step["state"] for step in one["understanding"]].count("validated") == 1
    assert one["understanding"][1]["state"] == "validated"
    status, result = say(shower, "validate")
    assert status == "feedback_applied"
    assert {step["state"] for step in result["understanding"]} == {"validated"}


def test_a_step_says_what_somebody_says_it_is(shower: Shower) -> None:
    status, result = say(shower, "correct", step_index=2, new_intent="  Ouvrir le\nremboursement ")
    assert status == "feedback_applied"
    step = result["understanding"][1]
    assert (step["intent"], step["state"]) == ("Ouvrir le remboursement", "corrected")
    assert say(shower, "validate")[1]["understanding"][1]["state"] == "corrected"


def test_what_is_personal_in_a_correction_is_masked(shower: Shower) -> None:
    result = say(shower, "correct", step_index=1, new_intent="Appeler le 06 12 34 56 78")[1]
    assert result["understanding"][0]["intent"] == "Appeler le [SENSITIVE_NUMERIC]"
    assert Feedback.objects.get().new_intent == "Appeler le [SENSITIVE_NUMERIC]"


def test_a_step_that_is_taken_out_leaves_no_gap_in_the_numbers(shower: Shower) -> None:
    before = shower.understanding().json()["steps"]
    _status, result = say(shower, "undo", step_index=2)
    after = result["understanding"]
    assert [step["step"] for step in after] == list(range(1, len(before)))
    assert [step["intent"] for step in after] == [step["intent"] for step in before if step["step"] != 2]
    assert UnderstoodStep.objects.get(state="removed").intent == before[1]["intent"]


def test_two_steps_become_one_and_one_becomes_two_again(shower: Shower) -> None:
    before = shower.understanding().json()["steps"]
    status, result = say(shower, "merge_next", step_index=3)
    assert status == "feedback_applied"
    merged = result["understanding"]
    assert len(merged) == len(before) - 1
    assert merged[2]["events"] == sorted(before[2]["events"] + before[3]["events"])
    status, result = say(shower, "split", step_index=3, at_event_index=before[3]["events"][0])
    assert status == "feedback_applied"
    assert [step["events"] for step in result["understanding"]] == [step["events"] for step in before]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"action": "correct", "step_index": 99, "new_intent": "Rien"}, "pas d’étape 99"),
        ({"action": "correct", "step_index": 1}, "en quoi consiste"),
        ({"action": "correct", "new_intent": "Rien"}, "quelle étape"),
        ({"action": "correct", "step_index": 1, "new_intent": "x" * 301}, "300 caractères"),
        ({"action": "undo"}, "quelle étape"),
        ({"action": "undo", "step_index": 0}, "pas d’étape 0"),
        ({"action": "merge_next"}, "quelle étape"),
        ({"action": "split", "step_index": 1}, "quel événement"),
        ({"action": "split", "step_index": 1, "at_event_index": 99}, "ne fait pas partie"),
        ({"action": "split", "step_index": 1, "at_event_index": 1}, "commence par"),
        ({"action": "validate", "step_index": -2_000_000_000_000}, "pas d’étape"),
    ],
)
def test_what_makes_no_sense_changes_nothing_and_says_why(shower: Shower, said: dict[str, Any], why: str) -> None:
    before = shower.understanding().json()["steps"]
    status, result = say(shower, **said)
    assert status == "feedback_rejected"
    assert why in result["reason"]
    assert result["understanding"] == before == shower.understanding().json()["steps"]
    kept = Feedback.objects.get()
    assert (kept.applied, kept.reason) == (False, result["reason"])


def test_the_last_step_has_none_to_be_merged_with(shower: Shower) -> None:
    count = len(shower.understanding().json()["steps"])
    status, result = say(shower, "merge_next", step_index=count)
    assert (status, f"L’étape {count} est la dernière" in result["reason"]) == ("feedback_rejected", True)


def test_nothing_is_said_of_what_was_cancelled_or_learnt(shower: Shower) -> None:
    assert say(shower, "validate")[0] == "feedback_applied"
    assert shower.post("build", name="Rembourser").json()["status"] == "workflow_built"
    status, result = say(shower, "undo", step_index=1)
    assert (status, "déjà apprise" in result["reason"]) == ("feedback_rejected", True)


def test_after_a_cancel_there_is_nothing_to_build(shower: Shower) -> None:
    assert say(shower, "cancel")[0] == "feedback_applied"
    assert shower.post("build", name="Rembourser").json() == {"status": "cancelled"}
    assert say(shower, "validate")[0] == "feedback_rejected"
    assert [one.action for one in Feedback.objects.all()] == ["cancel", "validate"]


def test_while_it_goes_on_it_can_be_called_off_and_nothing_else(oree: Tenant) -> None:
    shower = server_of(oree)
    shower.send(presence())
    shower.post("start")
    shower.send(*refund()[:4])
    assert say(shower, "undo", step_index=1)[0] == "feedback_rejected"
    assert say(shower, "cancel")[0] == "feedback_applied"
    assert shower.post("stop").json()["code"] == "not_observing"


def test_what_comes_late_does_not_undo_what_was_said(shower: Shower) -> None:
    say(shower, "correct", step_index=1, new_intent="Ouvrir la commande")
    late = shower.send(event(10, "click", REFUND, target=target("button", "Imprimer", "#print"))).json()
    assert late["dropped"] == [{"sequence": 10, "reason": "too_late"}]
    assert shower.understanding().json()["steps"][0]["intent"] == "Ouvrir la commande"


def test_an_action_that_does_not_exist_is_refused(shower: Shower) -> None:
    answer = shower.post("feedback", action="approve")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert not Feedback.objects.exists()


def test_nothing_is_built_of_what_nobody_validated(oree: Tenant) -> None:
    shower = browser_of_author(oree)
    shower.show()
    answer = shower.post("build", name="Rembourser")
    assert (answer.status_code, answer.json()["code"]) == (400, "nothing_validated")
    assert answer.json()["detail"] == "Impossible de construire le workflow : aucune étape n'a été validée."
    say(shower, "validate", step_index=1)
    answer = shower.post("build", name="Rembourser", require_all_validated=True)
    assert (answer.status_code, answer.json()["code"]) == (400, "not_all_validated")
    assert shower.post("build", name="Rembourser").json()["status"] == "workflow_built"


def test_nothing_is_built_of_what_is_still_observed(oree: Tenant) -> None:
    shower = server_of(oree)
    shower.send(presence())
    assert shower.post("build", name="Rembourser").json()["code"] == "not_observed"
    shower.post("start")
    assert shower.post("build", name="Rembourser").status_code == 409
