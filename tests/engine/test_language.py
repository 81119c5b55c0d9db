"""The language of a question, from its small words."""

import pytest

from engine.language import question_locale


@pytest.mark.parametrize(
    "question",
    [
        "How do I add a discount?",
        "where can I change the VAT rate",
        "I want to export the orders",
        "show me how to refund this order",
    ],
)
def test_an_english_question_on_a_french_page_is_english(question):
    assert question_locale(question, "fr") == "en"


@pytest.mark.parametrize(
    "question",
    [
        "Comment ajouter une remise ?",
        "je veux changer le client",
        "Où est-ce que l’on modifie la date d’échéance ?",
        "voir seulement les commandes livrées",
    ],
)
def test_a_french_question_on_an_english_page_is_french(question):
    assert question_locale(question, "en") == "fr"


@pytest.mark.parametrize("question", ["TVA", "export CSV", "discount", "", "🙂", "filter by status"])
@pytest.mark.parametrize("default", ["fr", "en"])
def test_what_could_be_either_keeps_the_pages_language(question, default):
    assert question_locale(question, default) == default
