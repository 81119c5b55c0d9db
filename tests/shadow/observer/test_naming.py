"""Intents that people would write themselves, and reasons for doubt."""

from __future__ import annotations

import pytest

from tests.shadow.observer.made import Demonstration


@pytest.mark.parametrize(
    ("kind", "element", "said", "french", "english"),
    [
        ("click", "refund", {}, "Cliquer sur Rembourser", "Click Rembourser"),
        ("click", "next", {"target": {"role": "tab"}}, "Ouvrir l’onglet Suivant", "Open the Suivant tab"),
        ("fill", "amount", {"value": " "}, "Vider Montant", "Clear Montant"),
        (
            "fill",
            "password",
            {"value": "hunter2", "secret": True},
            "Remplir Mot de passe (valeur non retenue)",
            "Fill in Mot de passe (value not kept)",
        ),
        ("check", "gift", {"checked": False}, "Décocher Cadeau", "Untick Cadeau"),
        ("check", "gift", {"checked": True, "target": {"role": "switch"}}, "Activer Cadeau", "Turn on Cadeau"),
        ("key", "refund", {"key": "Control+s"}, "Appuyer sur Ctrl + S", "Press Ctrl + S"),
        ("key", "amount", {"key": "Escape"}, "Appuyer sur Échap dans Montant", "Press Escape in Montant"),
        ("submit", None, {"target": {"tag": "form"}}, "Envoyer le formulaire", "Send the form"),
        (
            "navigate",
            None,
            {"cause": "typed", "title": "Commandes"},
            "Aller à la page « Commandes »",
            "Go to the page “Commandes”",
        ),
        (
            "click",
            "refund",
            {"target": {"name": "", "heading": "Livraison"}},
            "Cliquer sur un bouton sans nom — Livraison",
            "Click a button without a name — Livraison",
        ),
    ],
)
def test_a_step_is_named_in_plain_words(kind, element, said, french, english):
    shown = Demonstration().does(kind, element, **said)
    assert shown.told("fr") == [french]
    assert shown.told("en") == [english]


def test_a_long_value_is_cut_between_words():
    [told] = (
        Demonstration().does("fill", "reason", value="Le colis est arrivé\nabîmé et le client demande un avoir").told()
    )
    assert told == "Saisir « Le colis est arrivé abîmé et le client… » dans Motif"


def test_doubts_add_up_and_each_is_said():
    shown = Demonstration().does("click", "amount").does("click", "next", target={"name": "", "matches": 3}, wait=6)
    doubtful = shown.does("click", "refund").steps()[1]
    assert doubtful.confidence == pytest.approx(0.25)
    assert [reason.sentence for reason in doubtful.reasons] == [
        "Cet élément n’a pas de nom lisible.",
        "3 éléments de la page portent ce nom.",
        "Je n’ai vu aucun effet après cette action.",
        "Rien ne s’est passé pendant plus de 5 secondes autour de cette étape.",
    ]
