from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine.local import lexicon as lexicon_module
from engine.local.lexicon import lexicon
from engine.local.text import STOP_WORDS, words

FILES = sorted((Path(lexicon_module.__file__).parent / "lexicon").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_concept_is_well_formed(file):
    for name, value in tomllib.loads(file.read_text(encoding="utf-8")).items():
        assert name.isidentifier(), name
        assert name == name.lower(), name
        assert not isinstance(value, list) or len(value) == 2, name
        body = {"fr": value[0], "en": value[1]} if isinstance(value, list) else value
        assert set(body) <= {"fr", "en", "near", "soft"}, name
        for locale in ("fr", "en"):
            wordings = [wording.strip() for wording in body[locale].split(",")]
            assert all(wordings), f"{name}.{locale} has an empty entry"
            assert len(wordings) == len(set(wordings)), f"{name}.{locale} repeats itself"
        if "soft" in body:
            assert file.name == "actions.toml", name


SAYINGS = sorted((FILES[0].parent.parent / "sayings").glob("*.toml"))


@pytest.mark.parametrize("file", SAYINGS, ids=lambda file: file.name)
def test_sayings_are_of_known_concepts_and_never_one_small_word(file):
    for name, phrases in tomllib.loads(file.read_text(encoding="utf-8")).items():
        assert name in lexicon().concepts, name
        for phrase in phrases.split(","):
            assert words(phrase), f"{name} has an empty saying"
            assert len(words(phrase)) > 1 or words(phrase)[0] not in STOP_WORDS, phrase


def test_signs_mean_known_concepts():
    data = tomllib.loads((FILES[0].parent.parent / "labels.toml").read_text(encoding="utf-8"))
    meant = {name.strip() for names in data.values() for name in names.split(",")}
    assert meant <= set(lexicon().concepts)


def test_concepts_are_unique_over_all_files_and_near_ones_exist():
    names: list[str] = []
    for file in FILES:
        names += tomllib.loads(file.read_text(encoding="utf-8"))
    assert len(names) == len(set(names))
    assert len(names) >= 1_450
    for concept in lexicon().concepts.values():
        assert set(concept.near) <= set(names), concept.name


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("ristournes", "discount"),
        ("a discounted price", "discount"),
        ("mots de passe", "password"),
        ("l’échéance", "due_date"),
        ("ECHEANCE", "due_date"),
        ("get rid of it", "delete"),
        ("sign me out", "log_out"),
        ("la pièce jointe", "attachment"),
        ("fuseau horaire", "timezone"),
    ],
)
def test_inflections_accents_and_phrases_find_their_concept(text, concept):
    assert concept in lexicon().concepts_in(text)


@pytest.mark.parametrize(
    ("text", "concept"), [("facture", "credit_note"), ("passer en livrée", "forward"), ("vous avez", "credit_note")]
)
def test_one_word_of_a_phrase_is_not_the_phrase(text, concept):
    assert concept not in lexicon().concepts_in(text)


def test_the_longest_wording_wins():
    assert lexicon().concepts_in("date d'échéance") == {"due_date"}
    assert "date" not in lexicon().concepts_in("adresse de livraison")
    assert "shipping_address" in lexicon().concepts_in("adresse de livraison")
