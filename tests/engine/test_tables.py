"""Cells of a table: named by their column where they have no name, and told apart by it where they have the same."""

from __future__ import annotations

from typing import Any

from engine.evaluation import LabelledQuestion, evaluate
from engine.service import propose_skill
from engine.types import EngineConfig, Intent, Page, Scan, ScanNode


def cell(tag: str, column: str, row: int, label: str = "", type_: str = "") -> dict[str, Any]:
    return {
        "id": f"n{row}{column}",
        "tag": tag,
        "type": type_,
        "label": label,
        "name": f"lignes-{row}-{column[:3].lower()}",
        "selector": f"[data-cell='{row}{column}']",
        "isInteractive": True,
        "fingerprint": f"v1~{row}{column[:3].lower()}",
        "context": {"row": f"Ligne {row}", "column": column, "form": "Facture"},
    }


def learnt(*cells: dict[str, Any]) -> tuple[Intent, ...]:
    scan = Scan("/factures/nouvelle", "Facture", tuple(ScanNode.from_wire(one) for one in cells), "fr")
    return propose_skill(scan, locale="fr", config=EngineConfig()).intents


def two_rows(*columns: tuple[str, str, str]) -> tuple[Intent, ...]:
    return learnt(*(cell(tag, column, row, label) for row in (1, 2) for tag, column, label in columns))


def test_a_field_without_a_name_is_called_like_its_column():
    intents = two_rows(("input", "Quantité", ""), ("input", "Prix unitaire HT", ""), ("select", "TVA", ""))
    assert [(one.intent_id, one.user_goal) for one in intents] == [
        ("quantite", "Saisir la quantité"),
        ("prix_unitaire_ht", "Saisir le prix unitaire HT"),
        ("select_tva", "Choisir la TVA"),
    ]


def test_a_fields_own_name_comes_before_its_columns():
    [intent] = learnt(cell("input", "Remise", 1, "Taux appliqué"))
    assert "taux appliqué" in intent.user_goal.lower()


def test_a_button_without_a_name_is_not_called_like_its_column():
    assert learnt({**cell("button", "Actions", 1), "name": ""}) == ()


def test_the_same_button_in_two_columns_is_two_goals_that_read_differently():
    intents = two_rows(("button", "Quantité", "Modifier"), ("button", "Remise", "Modifier"))
    assert [one.selector for one in intents] == ["[data-cell='1Quantité']", "[data-cell='1Remise']"]
    assert [one.user_goal.rpartition("(")[2] for one in intents] == [
        "«\u00a0Quantité\u00a0»)",
        "«\u00a0Remise\u00a0»)",
    ]


def test_a_question_that_names_the_column_finds_its_button():
    intents = two_rows(("button", "Quantité", "Modifier"), ("button", "Remise", "Modifier"))
    page = Page("Facture", "", "/factures/nouvelle", "fr", intents)
    asked = [
        LabelledQuestion(
            "facture", f"comment modifier la {column.lower()}", "fr", "single", ((f"[data-cell='1{column}']",),)
        )
        for column in ("Quantité", "Remise")
    ]
    assert evaluate(asked, {"facture": page}).top1 == 1.0


def test_links_of_a_row_in_several_columns_stay_one_goal():
    links = [cell("a", column, row, f"CMD-{row}0{row}") for row in (1, 2) for column in ("Numéro", "Client")]
    assert len(learnt(*links)) == 1


def test_each_goal_hands_on_the_fingerprint_of_its_element():
    intents = two_rows(("input", "Quantité", ""), ("select", "TVA", ""))
    assert [one.fingerprint for one in intents] == ["v1~1qua", "v1~1tva"]
