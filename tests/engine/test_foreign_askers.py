"""Who asks in the other language than the page was learnt in reads no label as if it stood on the screen."""

from __future__ import annotations

import pytest

from engine.local.translating import foreign_quote, plural, translated_name, translated_order, translated_place
from engine.local.writing import write_step
from engine.types import ActionType, ElementContext, Intent, Locale


def step(label: str, action: ActionType, locale: Locale, **more: object) -> tuple[str, str]:
    element = ElementContext(tag="button", label=label, **more)  # type: ignore[arg-type]
    page_locale: Locale = "fr" if locale == "en" else "en"
    written = write_step(Intent("x", label, "#x", "", action, element), locale=locale, page_locale=page_locale)
    return written.title, written.text


@pytest.mark.parametrize(
    ("label", "action", "title", "text"),
    [
        ("Montant à rembourser (€)", "input", "Enter the amount", "Enter the amount in this field."),
        ("Nouveau statut", "select", "Choose the status", "Choose the status in this list."),
        ("Ajouter une ligne", "click", "Add a line", "Click here to add a line."),
        ("Commandes", "navigate", "Open the orders", "Click here to open the orders."),
        ("Se déconnecter", "submit", "Log out", "Click here to log out."),
        ("Zigouigoui", "input", "Enter “Zigouigoui”", "Fill in this field (“Zigouigoui”)."),
    ],
)
def test_english_askers_of_a_french_page(label: str, action: ActionType, title: str, text: str) -> None:
    assert step(label, action, "en") == (title, text)


@pytest.mark.parametrize(
    ("label", "action", "title", "text"),
    [
        ("Add user", "click", "Ajouter un utilisateur", "Cliquez ici pour ajouter un utilisateur."),
        ("Delivery date", "input", "Saisir la date de livraison", "Saisissez la date de livraison dans ce champ."),
        ("Users", "navigate", "Ouvrir les utilisateurs", "Cliquez ici pour ouvrir les utilisateurs."),
    ],
)
def test_french_askers_of_an_english_page(label: str, action: ActionType, title: str, text: str) -> None:
    assert step(label, action, "fr") == (title, text)


@pytest.mark.parametrize(
    ("label", "locale", "name"),
    [
        ("Reference", "fr", "la référence"),
        ("Customer reference", "fr", "la référence"),
        ("Order reference", "fr", "le numéro de commande"),
        ("Terms", "fr", "les conditions"),
        ("Payment terms", "fr", "les conditions de paiement"),
        ("Balance", "fr", "le solde"),
        ("Référence", "en", "the reference"),
        ("Solde", "en", "the balance"),
    ],
)
def test_a_word_of_many_kinds_stays_as_open_as_it_is(label: str, locale: Locale, name: str) -> None:
    assert translated_name(label, locale) == name


def test_a_title_that_quotes_a_foreign_word_does_not_order_to_type_it() -> None:
    assert step("Rate", "input", "fr") == (
        "Remplir ce champ",
        "Remplissez ce champ (en anglais\u00a0: «\u00a0Rate\u00a0»).",
    )
    assert step("Layout Options 7", "navigate", "fr")[0] == "Ouvrir «\u00a0Layout Options 7\u00a0»"
    element = ElementContext(tag="select", label="Rate")
    choice = write_step(
        Intent("x", "Rate", "#x", "", "select", element), locale="fr", page_locale="en", choice="Blue rate"
    )
    assert choice.text == "Choisissez l’option (en anglais\u00a0: «\u00a0Blue rate\u00a0») dans cette liste."


def test_a_label_that_the_lexicon_does_not_know_whole_is_quoted_as_foreign() -> None:
    assert translated_order("Revenir au site", "en") == ""
    assert translated_place("Layout Options 7", "fr") == ""
    assert (
        step("Layout Options 7", "navigate", "fr")[1]
        == "Cliquez ici (en anglais\u00a0: «\u00a0Layout Options 7\u00a0»)."
    )
    assert foreign_quote("CMD-1060", "en") == "“CMD-1060”"


def test_names_keep_their_number_and_say_what_they_are() -> None:
    assert translated_name("Factures", "en") == "the invoices"
    assert translated_name("Customer email", "fr") == "l’e-mail"
    assert translated_name("Staff status", "fr") == "le statut équipe"
    assert [plural(name, "fr") for name in ("numéro de commande", "total", "pièce jointe")] == [
        "numéros de commande",
        "totaux",
        "pièce jointe",
    ]
    assert [plural(name, "en") for name in ("category", "tax", "order day")] == ["categories", "taxes", "order days"]


def test_an_english_title_is_short_whatever_the_label() -> None:
    title, text = step("Cette longue étiquette ne tiendrait jamais entière", "click", "en")
    assert title == "Click here"
    assert text.startswith("Click here (in French: “Cette longue")
