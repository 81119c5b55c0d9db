"""What is learnt of elements that the page leaves without a name: a person's word for them wherever there is one."""

from __future__ import annotations

import pytest

from engine.local.icons import meaning_of
from engine.local.writing import write_step
from engine.service import plan_intents, propose_skill
from engine.types import EngineConfig, Intent, Locale, Page, Scan, ScanNode


def learn(*nodes: ScanNode, locale: Locale = "fr", title: str = "Comptes") -> tuple[Intent, ...]:
    heading = ScanNode("h", "h1", "h1", label=title, is_interactive=False)
    return propose_skill(
        Scan("/comptes", title, (heading, *nodes), locale), locale=locale, config=EngineConfig()
    ).intents


def goals(*nodes: ScanNode, **more: str) -> list[str]:
    return [intent.user_goal.replace("\u00a0", " ") for intent in learn(*nodes, **more)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("picture", "locale", "goal"),
    [
        ("icon:trash-alt", "fr", "Supprimer"),
        ("icon:bell", "fr", "Ouvrir les notifications"),
        ("icon:pencil", "en", "Edit"),
        ("icon:gear-fill", "en", "Open the settings"),
        ("icon:ellipsis-v", "fr", "Ouvrir les autres actions"),
        ("icon:rocket-launch", "fr", "Ouvrir « rocket launch »"),
    ],
)
def test_a_button_that_is_only_a_picture_is_called_by_what_it_does(picture, locale, goal):
    assert goals(ScanNode("n", "button", "div > button:nth-of-type(2)", name=picture), locale=locale) == [goal]


def test_a_picture_that_nobody_knows_says_less_than_what_the_developer_wrote():
    [goal] = goals(ScanNode("n", "button", "#archive-invoice", name="icon:qqq"))
    assert "archive invoice" in goal


def test_every_picture_means_something_in_both_languages():
    for icon in ("trash", "pen", "plus", "times", "search", "bars", "sign-out-alt", "paperclip", "globe"):
        assert meaning_of(f"icon:{icon}", "fr")
        assert meaning_of(f"icon:{icon}", "en")
    assert meaning_of("trash", "fr") == ""


def test_the_parts_of_a_field_are_told_apart():
    nodes = (
        ScanNode("n1", "input", "#d0", label="Date d’inscription (date)", name="date_joined_0"),
        ScanNode("n2", "input", "#d1", label="Date d’inscription (heure)", name="date_joined_1"),
    )
    assert goals(*nodes) == ["Saisir la date d’inscription (date)", "Saisir la date d’inscription (heure)"]


def test_the_boxes_of_a_list_pick_its_rows():
    nodes = (
        ScanNode("n1", "input", "table > thead > tr > th > input", type="checkbox", row="Nom", name="toggle"),
        ScanNode("n2", "input", "tr:nth-of-type(1) > td > input", type="checkbox", row="FA-1", name="selected_order"),
        ScanNode("n3", "input", "tr:nth-of-type(2) > td > input", type="checkbox", row="FA-2", name="selected_order"),
    )
    orders = ["Sélectionner toutes les lignes", "Sélectionner une commande", "Sélectionner une commande (« FA-2 »)"]
    assert goals(*nodes, title="Commandes") == orders
    assert goals(*nodes[1:2], title="Bilan") == ["Sélectionner une ligne"]
    assert goals(*nodes[:2], title="Orders", locale="en") == ["Select all rows", "Select an order"]


def test_a_list_that_a_script_drew_is_there_once_under_its_name():
    nodes = (
        ScanNode("n1", "span", "form > span", role="combobox", label="Statut"),
        ScanNode("n2", "span", "form > span > span", role="textbox", label="Statut"),
    )
    assert goals(*nodes) == ["Choisir le statut"]


@pytest.mark.parametrize(
    ("label", "locale", "question"),
    [
        ("Actif", "fr", "Comment désactiver ce compte ?"),
        ("Actif", "fr", "Comment activer ce compte ?"),
        ("Active", "en", "How do I deactivate this account?"),
    ],
)
def test_a_box_named_after_a_state_is_found_by_who_changes_it(label, locale, question):
    intents = learn(
        ScanNode("n1", "input", "#name", label="Nom" if locale == "fr" else "Name"),
        ScanNode("n2", "input", "#active", type="checkbox", role="checkbox", label=label),
        ScanNode("n3", "input", "#mail", label="E-mail"),
        locale=locale,
    )
    box = next(intent for intent in intents if intent.selector == "#active")
    plan = plan_intents(question, Page("Comptes", "", "/comptes", locale, intents))
    assert plan.intent_ids == (box.intent_id,)


def test_both_ways_are_among_the_other_words_for_a_box_named_after_a_state():
    [box] = learn(ScanNode("n", "input", "#active", type="checkbox", role="checkbox", label="Actif"))
    assert {"activer", "désactiver"} <= set(box.synonyms)
    [other] = learn(ScanNode("n", "input", "#news", type="checkbox", role="checkbox", label="Nouveautés"))
    assert "activer" not in other.synonyms


def test_a_button_that_nobody_has_a_word_for_is_told_by_its_heading_and_only_once():
    nodes = (
        ScanNode("n1", "button", "#m > button:nth-of-type(1)", heading="Discussion"),
        ScanNode("n2", "button", "#m > button:nth-of-type(2)", heading="Discussion"),
        ScanNode("n3", "button", "#m > button:nth-of-type(3)"),
    )
    assert goals(*nodes) == ["Utiliser le bouton sans nom de « Discussion »"]


@pytest.mark.parametrize(("locale", "text"), [("fr", "Cliquez sur ce bouton de «\u00a0Chat\u00a0»."), ("en", None)])
def test_what_is_said_of_a_button_without_a_word_quotes_no_name(locale: Locale, text):
    [intent] = learn(ScanNode("n", "button", "#m > button", heading="Chat"))
    step = write_step(intent, locale=locale, page_locale="fr")
    assert step.text == (text or "Click this button.")


def test_nobody_is_sent_to_a_button_that_nobody_knows():
    intents = learn(ScanNode("n", "button", "#m > button", heading="Objectifs"), ScanNode("o", "a", "#a", label="Aide"))
    page = Page("Comptes", "", "/comptes", "fr", intents)
    assert plan_intents("donner un objectif à chaque vendeur", page).intent_ids == ()


def test_a_picture_that_folds_a_part_says_so():
    assert goals(ScanNode("n", "button", "#m > button", name="icon:chevron-expand", heading="Discussion")) == [
        "Déplier ou replier"
    ]
