"""The local provider, end to end: learnt pages, labelled questions, and the words of the answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.evaluation import LabelledQuestion, evaluate
from engine.service import answer_question, plan_intents, rank_intents, suggest_goals
from engine.types import ElementContext, EngineConfig, Intent, Locale, Page
from tests.engine.scans import learn, rejected

LOCAL = EngineConfig()
QUESTIONS = [
    LabelledQuestion.from_json(entry)
    for entry in json.loads((Path(__file__).parent / "questions.json").read_text(encoding="utf-8"))
]
PAGES = {name: learn(name) for name in ("nouvelle_facture", "commandes")}
INVOICE, ORDERS = PAGES["nouvelle_facture"], PAGES["commandes"]


def ask(question: str, page: Page = INVOICE, locale: Locale = "fr", **options):
    return answer_question(question, page, locale=locale, config=LOCAL, **options)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.question)
def test_a_labelled_question_is_answered_with_exactly_its_elements(question):
    result = evaluate([question], PAGES).rows[0]
    assert result.right, result.steps


def test_the_spec_question_gets_the_spec_step():
    answer = ask("Comment ajouter une remise ?")
    assert [(step.intent_id, step.title) for step in answer.steps] == [("remise", "Saisir la remise")]
    assert answer.steps[0].text == "Entrez ici le pourcentage de réduction à appliquer, dans «\u00a0Remise (%)\u00a0»."
    assert answer.title == "Appliquer une remise"
    assert (answer.provider, answer.fell_back) == ("local", "")


@pytest.mark.parametrize(
    ("question", "page", "text"),
    [
        ("passer en livrée", ORDERS, "Choisissez «\u00a0Livrée\u00a0» dans la liste «\u00a0Statut\u00a0»."),
        ("où noter ma référence interne", INVOICE, "Ouvrez d’abord «\u00a0Options avancées\u00a0» pour voir la suite."),
        ("le prix unitaire", INVOICE, "Remplissez le champ «\u00a0Prix unitaire HT\u00a0»."),
        ("ouvrir une commande", ORDERS, "Cliquez sur la ligne de votre choix."),
        ("rembourser une commande", ORDERS, "Cliquez sur «\u00a0Rembourser\u00a0» sur la ligne de votre choix."),
        (
            "exporter en csv",
            ORDERS,
            "Cliquez sur «\u00a0Exporter en CSV\u00a0» pour exporter les commandes en CSV.",
        ),
        ("aller aux clients", ORDERS, "Cliquez sur «\u00a0Clients\u00a0» pour ouvrir cette page."),
    ],
)
def test_french_steps_quote_the_page(question, page, text):
    assert ask(question, page).steps[0].text == text


def test_the_answer_is_in_the_askers_language():
    answer = ask("How do I create an invoice for a customer with a discount?", locale="en")
    assert [(step.title, step.text) for step in answer.steps] == [
        ("Choose the customer", "Pick the customer in this list."),
        ("Enter the discount", "Enter the discount to apply in this field."),
        ("Create the invoice", "To finish, click this button."),
    ]


def test_english_askers_get_options_in_english():
    answer = ask("show me the delivered orders", ORDERS, "en")
    assert answer.steps[0].text == "Choose delivered in this list."


def test_every_title_and_text_is_short():
    for question in QUESTIONS:
        answer = ask(question.question, PAGES[question.page], question.locale)
        assert len(answer.steps) <= 6
        for step in answer.steps:
            assert 0 < len(step.title) <= 40
            assert step.text.endswith(".")
            assert len(step.text) <= 240


def test_the_same_question_always_gets_the_same_answer():
    assert ask("créer une facture avec remise") == ask("créer une facture avec remise")
    assert ask("CREER une FACTURE avec remise") == ask("créer une facture avec remise")


def test_a_rejected_plan_does_not_come_back():
    first = ask("Comment ajouter une remise ?")
    again = ask("Comment ajouter une remise ?", avoid=rejected([step.intent_id for step in first.steps]))
    assert [step.intent_id for step in again.steps] != [step.intent_id for step in first.steps]


def test_an_exhausted_question_gets_no_steps():
    avoid: list[list[str]] = []
    for _ in range(5):
        answer = ask("Comment ajouter une remise ?", avoid=rejected(*avoid))
        if not answer.steps:
            break
        assert [step.intent_id for step in answer.steps] not in avoid
        avoid.append([step.intent_id for step in answer.steps])
    assert not answer.steps


@pytest.mark.parametrize("question", ["", "   ", "?", "\x00", "comment", "12 34", "🙂", "le la les de"])
def test_a_question_without_content_gets_no_steps(question):
    assert ask(question).steps == ()
    assert plan_intents(question, INVOICE).intent_ids == ()


def test_a_page_without_intents_answers_nothing():
    assert ask("Comment ajouter une remise ?", Page("Vide", "", "/", "fr", ())).steps == ()


def test_plans_name_goal_confidence_and_choice():
    plan = plan_intents("filtrer les commandes livrées", ORDERS)
    assert plan.intent_ids == ("select_statut", "filtrer")
    assert plan.choices == ("Livrée",)
    assert 0.4 <= plan.confidence <= 1
    assert plan_intents("filtrer les commandes annulées", ORDERS).choices == ("Annulée",)
    assert plan_intents("réserver un vol", ORDERS).confidence == 0


def test_the_invitation_of_a_list_is_no_choice():
    assert plan_intents("Où choisir le client ?", INVOICE).choices == ()


def test_ranking_holds_every_intent_best_first():
    ranked = rank_intents("Comment ajouter une remise ?", INVOICE)
    assert len(ranked) == len(INVOICE.intents)
    assert ranked[0].intent.intent_id == "remise"
    assert [entry.score for entry in ranked] == sorted((entry.score for entry in ranked), reverse=True)


def test_a_field_hidden_in_a_tab_inside_a_menu_is_reached_through_both():
    menu = ElementContext("button", label="Plus", position=1)
    tab = ElementContext("a", role="tab", label="Sécurité", closed=True, opener="#menu", position=2)
    field = ElementContext("input", type="password", label="Mot de passe", closed=True, opener="#tab", position=3)
    intents = (
        _intent("menu", "#menu", "click", menu),
        _intent("onglet", "#tab", "click", tab),
        _intent("mdp", "#pw", "input", field),
    )
    page = Page("Réglages", "", "/reglages", "fr", intents)
    answer = ask("changer mon mot de passe", page)
    assert [step.intent_id for step in answer.steps] == ["menu", "onglet", "mdp"]
    assert answer.steps[1].text == "Ouvrez d’abord l’onglet «\u00a0Sécurité\u00a0»."


def test_openers_that_open_each_other_do_not_loop():
    one = ElementContext("button", label="Thème", closed=True, opener="#b", position=1)
    other = ElementContext("button", label="Langue", closed=True, opener="#a", position=2)
    page = Page("Réglages", "", "/", "fr", (_intent("a", "#a", "click", one), _intent("b", "#b", "click", other)))
    assert [step.intent_id for step in ask("changer le thème", page).steps] == ["b", "a"]


def test_suggestions_are_goals_of_the_page_without_repeats():
    goals = suggest_goals("je veux facturer une prestation", INVOICE)
    assert len(goals) == 3
    assert len(set(goals)) == 3
    assert set(goals) <= {intent.user_goal for intent in INVOICE.intents}
    assert "Créer la facture" in suggest_goals("bonjour", INVOICE)
    assert suggest_goals("bonjour", INVOICE, limit=1) != []
    assert not any(goal.startswith("Aller") for goal in suggest_goals("météo", ORDERS))


def test_evaluation_counts_what_it_says():
    wrong = LabelledQuestion("nouvelle_facture", "Comment ajouter une remise ?", "fr", "single", (("#facture-tva",),))
    absent = LabelledQuestion("nouvelle_facture", "Comment ajouter une remise ?", "fr", "absent", ())
    refused = LabelledQuestion("nouvelle_facture", "Quelle heure est-il ?", "fr", "single", (("#facture-tva",),))
    score = evaluate([QUESTIONS[0], wrong, absent, refused], PAGES)
    assert score.single_exact == pytest.approx(1 / 3)
    assert score.top1 == pytest.approx(1 / 3)
    assert score.absent_refused == 0
    assert score.false_refusals == pytest.approx(1 / 3)
    assert [row.right for row in score.rows] == [True, False, False, False]


def test_contradictory_labels_are_refused():
    with pytest.raises(ValueError, match="single with 0 targets"):
        LabelledQuestion.from_json({"page": "p", "question": "q", "locale": "fr", "kind": "single", "targets": []})


def _intent(intent_id: str, selector: str, action, element: ElementContext) -> Intent:
    return Intent(intent_id, element.label, selector, "", action, element)
