"""The words of a house: a question that says them is understood by what the page or everybody calls the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.local import house
from engine.local.house import in_known_words
from engine.service import answer_question, plan_intents, rank_intents, suggest_goals
from engine.types import EngineConfig
from tests.engine.scans import learn

INVOICE = learn("nouvelle_facture")
HOUSE = replace(
    INVOICE,
    house_words=(
        ("avoir", "remise"),
        ("zigouigoui", "note au client"),
        ("papier bleu", "order"),
        ("TVA", "taxe maison"),
    ),
)


@pytest.mark.parametrize(
    ("asked", "heard"),
    [
        ("où est le zigouigoui ?", "où est le note au client ?"),
        ("Les ZIGOUIGOUIS", "Les note au client"),
        ("faire un avoir", "faire un remise"),
        ("je veux avoir le total", "je veux avoir le total"),
        ("imprimer l’avoir du client", "imprimer remise du client"),
        ("où est l'avoir ?", "où est remise ?"),
        ("pas d'avoir pour ce client", "pas remise pour ce client"),
        ("Faut-il l'avoir sur moi ?", "Faut-il l'avoir sur moi ?"),
        ("imprimer le papier bleu", "imprimer le order"),
        ("changer la TVA", "changer la TVA"),
        ("changer la taxe maison", "changer la TVA"),
        ("un papier rouge et bleu", "un papier rouge et bleu"),
    ],
)
def test_a_houses_word_is_heard_as_the_pages_own(asked: str, heard: str) -> None:
    assert in_known_words(asked, HOUSE) == heard


def test_only_the_names_that_begin_like_a_word_of_the_question_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    stands_at = house._stands_at

    def seen(name: Any, *there: Any) -> bool:
        tried.append(name.text)
        return stands_at(name, *there)

    monkeypatch.setattr(house, "_stands_at", seen)
    many = tuple((f"zaz{number}", f"zuz{number}") for number in range(200))
    assert in_known_words("et le zigouigoui ?", replace(HOUSE, house_words=(*many, *HOUSE.house_words)))
    assert set(tried) == {"zigouigoui"}


def test_a_page_without_house_words_hears_what_was_said() -> None:
    assert in_known_words("où est le zigouigoui ?", INVOICE) == "où est le zigouigoui ?"


def test_ranking_plan_answer_and_suggestions_all_know_the_word() -> None:
    asked = "ajouter un zigouigoui"
    assert plan_intents(asked, HOUSE).intent_ids[-1] == "note_client"
    assert "note_client" not in plan_intents(asked, INVOICE).intent_ids
    assert rank_intents(asked, HOUSE)[0].intent.intent_id == "note_client"
    answer = answer_question(asked, HOUSE, locale="fr", config=EngineConfig())
    assert answer.steps[-1].intent_id == "note_client"
    assert suggest_goals("un avoir", HOUSE)[0] == "Appliquer une remise"
    assert suggest_goals("un avoir", INVOICE)[0] != "Appliquer une remise"


def test_a_question_stays_of_a_bounded_length() -> None:
    long = replace(INVOICE, house_words=(("x1", "note au client"),))
    assert rank_intents("x1 " * 300, long)[0].intent.intent_id == "note_client"
