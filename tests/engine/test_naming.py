from __future__ import annotations

import pytest

from engine.local.naming import clean_label, named, one_of, quote


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Remise (%)", "la remise"),
        ("Échéance", "l’échéance"),
        ("Date d'échéance", "la date d’échéance"),
        ("Client", "le client"),
        ("TVA", "la TVA"),
        ("Taux de TVA", "le taux de TVA"),
        ("Frais de port", "les frais de port"),
        ("Notes", "les notes"),
        ("Tableaux de bord", "les tableaux de bord"),
        ("Votre nom", "votre nom"),
        ("Nouveau mot de passe", "le nouveau mot de passe"),
        ("Ancienne adresse", "l’ancienne adresse"),
        ("Historique", "l’historique"),
        ("Hauteur", "la hauteur"),
        ("E-mail", "l’e-mail"),
        ("Organisation", "l’organisation"),
        ("ADRESSE DE LIVRAISON", "l’adresse de livraison"),
    ],
)
def test_french_articles_follow_gender_number_and_elision(label, name):
    assert named(label, "fr") == name


@pytest.mark.parametrize("label", ["Réf. interne", "Zxcv", "Êtes-vous d'accord ?", "HT/TTC", "3 mois offerts"])
def test_french_keeps_the_label_in_guillemets_when_grammar_is_unknown(label):
    assert named(label, "fr") == f"«\u00a0{label}\u00a0»"


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Due date", "the due date"),
        ("VAT rate", "the VAT rate"),
        ("Your name", "your name"),
        ("Réf. interne", "“Réf. interne”"),
    ],
)
def test_english_names(label, name):
    assert named(label, "en") == name


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Commandes", "une commande"),
        ("Tableaux de bord", "un tableau de bord"),
        ("Frais", "des frais"),
        ("Prix", "un prix"),
    ],
)
def test_one_of_a_plural_is_singular(label, name):
    assert one_of(label, "fr") == name


@pytest.mark.parametrize(
    ("label", "clean"),
    [
        ("+ Ajouter une ligne", "Ajouter une ligne"),
        ("Nom * :", "Nom"),
        ("Client (obligatoire)", "Client"),
        ("\uf14d Plein  écran", "Plein écran"),
        ("Remise (%)", "Remise (%)"),
    ],
)
def test_labels_lose_their_decoration(label, clean):
    assert clean_label(label) == clean


def test_a_long_label_is_cut_inside_its_quotation_marks():
    assert quote("x" * 80, "en") == "“" + "x" * 39 + "…”"
