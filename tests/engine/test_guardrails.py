from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.guardrails import asks_for_secret, clean_text, unmarked
from engine.types import StepDraft


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("<b>Saisir</b> la remise", "Saisir la remise"),
        ("<script>alert(1)</script>Cliquez ici.", "Cliquez ici."),
        ("<<b>img src=x onerror=alert(1)>Ouvrir", "Ouvrir"),
        ("Voir [le guide](https://evil.example/x) ici", "Voir le guide ici"),
        ("Allez sur https://evil.example maintenant.", "Allez sur maintenant."),
        ("javascript:alert(1) Cliquez", "Cliquez"),
        ("www.evil.example/x Cliquez", "Cliquez"),
        ("A\u202eB\u200bC\x00D", "ABCD"),
        ("**Saisir** `la` _remise_", "Saisir la remise"),
        ("ligne\nsuivante\t!", "ligne suivante !"),
        ("Remise < 10 % et > 5 %", "Remise < 10 % et > 5 %"),
        ("Choisissez «\u00a0Livrée\u00a0»", "Choisissez «\u00a0Livrée\u00a0»"),
        ("# Titre", "Titre"),
        ("e\u0301tat", "état"),
    ],
)
def test_texts_become_plain(text, clean):
    assert clean_text(text, 240) == clean


def test_long_texts_are_cut_at_a_word():
    cut = clean_text("un mot " * 40, 60)
    assert len(cut) <= 60
    assert cut.endswith("…")
    assert not cut.endswith("m…")


@given(st.text(max_size=300))
def test_no_tag_no_control_and_no_overflow_ever_comes_out(text):
    clean = clean_text(text, 60)
    assert len(clean) <= 60
    assert "\u202e" not in clean
    assert "\x00" not in clean
    assert "<script" not in clean.lower()
    assert "http://" not in clean.lower()


@given(st.lists(st.sampled_from(["<", "b", ">", "script", "/", "http://x", " ", "[a](", ")", "*"]), max_size=40))
def test_broken_markup_leaves_no_opening_tag(parts):
    clean = clean_text("".join(parts), 240)
    assert not any(f"<{letter}" in clean for letter in "bsh/")


def test_hostile_length_is_read_to_the_end():
    assert clean_text("<" * 1_000_000 + "b>" * 1_000_000 + " fin", 240).startswith("<")


@pytest.mark.parametrize(
    "text",
    [
        "Entrez votre mot de passe.",
        "Tapez le numéro de carte ici.",
        "Please enter your password",
        "Send us the security code.",
        "Indiquez votre IBAN.",
        "Saisissez la clé d’API.",
    ],
)
def test_asking_for_a_secret_is_noticed(text):
    assert asks_for_secret(text)


@pytest.mark.parametrize("text", ["Saisissez la remise.", "Ouvrez la page du mot de passe.", "Enter the due date."])
def test_harmless_sentences_pass(text):
    assert not asks_for_secret(text)


def test_a_tag_that_a_cut_left_open_goes_too():
    step = unmarked(
        StepDraft("client", "Client <img src=x onerror=alert(1…", "Ouvrez «\u00a0Client <img src=x one…\u00a0».")
    )
    assert (step.title, step.text) == ("Client …", "Ouvrez «\u00a0Client …\u00a0».")
