"""Answers that go to the end of what was asked, and no answer rather than the wrong one."""

from __future__ import annotations

import pytest

from engine.service import answer_question, propose_skill, suggest_goals
from engine.types import EngineConfig, Locale, Page, Rejected, Scan, ScanNode

LOCAL = EngineConfig()
STATUS, REFUND, FILTERS = "Changer le statut", "Rembourser la commande", "Filtrer les commandes"


def node(selector: str, tag: str, label: str, **more: object) -> ScanNode:
    return ScanNode(id=selector, tag=tag, selector=selector, label=label, **more)  # type: ignore[arg-type]


def page(name: str, *nodes: ScanNode) -> Page:
    heading = ScanNode(id="h1", tag="h1", selector="h1", label=name, role="heading", is_interactive=False)
    scan = Scan(url_pattern="/x", page_title=name, nodes=(heading, *nodes), locale="fr", name=name)
    skill = propose_skill(scan, locale="fr", config=LOCAL)
    return Page(skill.name, skill.summary, "/x", "fr", skill.intents)


INSIDE = {"form": REFUND, "heading": "Paiement", "closed": True, "opener": "#ouvrir", "required": True}
ORDER = page(
    "Détail d’une commande",
    node("#clients", "a", "Clients", role="link"),
    node("#sortir", "button", "Se déconnecter", type="submit"),
    node("#statut", "select", "Nouveau statut", form=STATUS, options=("Livrée",), heading="Suivi"),
    node("#maj", "button", "Mettre à jour le statut", type="submit", form=STATUS, heading="Suivi"),
    node("#note", "textarea", "Note au client", form="Note", heading="Suivi"),
    node("#ouvrir", "summary", "Rembourser", role="button", heading="Paiement"),
    node("#montant", "input", "Montant à rembourser (€)", type="text", **INSIDE),
    node("#motif", "select", "Motif", options=("Choisir un motif", "Commande annulée"), **INSIDE),
    node("#accord", "input", "Je confirme ce remboursement", type="checkbox", **INSIDE),
    node("#rembourser", "button", "Confirmer le remboursement", type="submit", **(INSIDE | {"required": False})),
)
ORDERS = page(
    "Commandes",
    node("#factures", "a", "Factures", role="link"),
    node("#clients", "a", "Clients", role="link"),
    node("#q", "input", "Rechercher", type="search", placeholder="Numéro, client ou e-mail", form=FILTERS),
    node("#statut", "select", "Statut", form=FILTERS, options=("Tous les statuts", "Livrée", "Annulée")),
    node("#du", "input", "Du", type="date", form=FILTERS, group="Période"),
    node("#au", "input", "Au", type="date", form=FILTERS, group="Période"),
    node("#filtrer", "button", "Filtrer", type="submit", form=FILTERS),
    node("#vider", "a", "Réinitialiser", role="link", form=FILTERS),
    node("#suite", "a", "Page suivante", role="link"),
)
INVOICE = page(
    "Création de facture",
    node("#clients", "a", "Clients", role="link"),
    node("#client", "select", "Client", form="Facture", options=("Choisir un client", "Les Caves"), required=True),
    node("#ajouter", "button", "Ajouter une ligne", type="submit", form="Facture"),
    node("#tva", "select", "Taux de TVA", form="Facture", options=("5,5 % (alimentation)", "20 % (taux normal)")),
    node("#note", "textarea", "Note au client", form="Facture"),
)


def steps(question: str, on: Page, locale: Locale = "fr", **options: object) -> list[str]:
    answer = answer_question(question, on, locale=locale, config=LOCAL, **options)  # type: ignore[arg-type]
    by_id = {intent.intent_id: intent.selector for intent in on.intents}
    return [by_id[step.intent_id] for step in answer.steps]


@pytest.mark.parametrize(
    ("question", "on", "wanted"),
    [
        ("changer le statut", ORDER, ["#statut", "#maj"]),
        ("marquer comme expédiée", ORDER, ["#statut", "#maj"]),
        ("comment rembourser la commande ?", ORDER, ["#ouvrir", "#montant", "#motif", "#accord", "#rembourser"]),
        ("rembourser seulement une partie", ORDER, ["#ouvrir", "#montant", "#motif", "#accord", "#rembourser"]),
        ("pour quelle raison on rembourse ?", ORDER, ["#ouvrir", "#motif"]),
        ("filtrer par date", ORDERS, ["#du", "#au", "#filtrer"]),
        ("voir les commandes de la semaine dernière", ORDERS, ["#du", "#au", "#filtrer"]),
        ("commandes annulées", ORDERS, ["#statut", "#filtrer"]),
        ("remettre les filtres à zéro", ORDERS, ["#vider"]),
        ("find an order by number", ORDERS, ["#q"]),
        ("créer une facture", ORDERS, ["#factures"]),
        ("ajouter un nouveau client", INVOICE, ["#clients"]),
    ],
)
def test_a_guide_goes_to_the_end_of_the_goal(question: str, on: Page, wanted: list[str]) -> None:
    assert steps(question, on) == wanted


@pytest.mark.parametrize(
    ("question", "on"),
    [
        ("supprimer une ligne", INVOICE),
        ("changer le statut d'une commande", ORDERS),
        ("rembourser un client", ORDERS),
        ("supprimer une commande", ORDERS),
    ],
)
def test_the_contrary_or_the_half_of_a_goal_is_no_answer(question: str, on: Page) -> None:
    assert steps(question, on) == []


def test_what_a_person_refused_is_not_replaced_by_something_far_from_it() -> None:
    first = answer_question("Où choisir le client ?", INVOICE, locale="fr", config=LOCAL)
    assert steps("Où choisir le client ?", INVOICE) == ["#client"]
    refused = [Rejected(tuple(step.intent_id for step in first.steps))]
    assert steps("Où choisir le client ?", INVOICE, avoid=refused) != ["#note"]


def test_words_of_the_steps() -> None:
    filters = answer_question("filtrer par date", ORDERS, locale="fr", config=LOCAL)
    assert filters.title == "Filtrer les commandes"
    assert filters.steps[0].text == "Indiquez la date de début dans le champ «\u00a0Du\u00a0»."
    english = answer_question("show orders between two dates", ORDERS, locale="en", config=LOCAL)
    assert (english.steps[0].title, english.steps[1].text) == (
        "Choose the start date",
        "Set the end date in this field.",
    )
    note = answer_question("add a note for the customer", INVOICE, locale="en", config=LOCAL)
    assert note.steps[0].title == "Enter the note"
    refund = answer_question("rembourser la commande", ORDER, locale="fr", config=LOCAL)
    assert refund.title == "Rembourser"
    assert refund.steps[2].text == "Choisissez le motif dans la liste «\u00a0Motif\u00a0»."
    assert refund.steps[3].text == "Cochez «\u00a0Je confirme ce remboursement\u00a0»."
    assert all(len(step.title) <= 40 for step in refund.steps)
    rate = answer_question("mettre la TVA à 5,5 %", INVOICE, locale="fr", config=LOCAL)
    assert "«\u00a05,5 % (alimentation)\u00a0»" in rate.steps[0].text
    following = answer_question("page suivante", ORDERS, locale="fr", config=LOCAL)
    assert (following.title, following.steps[0].text) == (
        "Aller à la page suivante",
        "Cliquez sur «\u00a0Page suivante\u00a0».",
    )


def test_suggestions_leave_out_what_is_on_every_page() -> None:
    assert "Se déconnecter" not in suggest_goals("bonjour", ORDER)


def test_a_cut_label_loses_its_half_word_and_a_list_is_not_called_a_list_twice() -> None:
    learnt = page(
        "Liste des clients",
        node("#logo", "a", "Maison Orée Épicerie fine & p…", role="link"),
        node("#ligne", "a", "Agence Quatre-Saisons", role="link", row="Agence Quatre-Saisons Lille"),
    )
    assert learnt.intents[0].user_goal == "Aller à «\u00a0Maison Orée Épicerie fine\u00a0»"
    assert learnt.summary.startswith("Liste des clients\u00a0: ")
