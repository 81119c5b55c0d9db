"""How intents are found from other pages, and vectors that are kept beside a page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.embedding import current_embedder
from engine.embedding.kept import kept_rows, vectors_kept
from engine.embedding.space import text_key
from engine.indexing import index_page, seek
from engine.local import meaning
from engine.local.text import stem
from engine.types import ElementContext, Intent, Page, TextVectors

DISCOUNT = Intent(
    "discount",
    "Appliquer une remise",
    "#discount",
    "",
    "input",
    ElementContext(tag="input", label="Remise (%)", form="Nouvelle facture", placeholder="10"),
    synonyms=("geste commercial",),
)
PAGE = Page("Factures", "", "/factures/nouvelle", "fr", (DISCOUNT,))
needs_model = pytest.mark.skipif(current_embedder() is None, reason="the package with the model is not installed here")


def terms_of(page: Page) -> dict[str, str]:
    return index_page(page).entries[0].terms


def test_what_an_intent_is_called_weighs_more_than_where_it_stands() -> None:
    terms = terms_of(PAGE)
    assert (terms["fr:remis"], terms["fr:gest"], terms["fr:factur"]) == ("A", "C", "D")


def test_an_intent_is_found_by_its_concept_in_either_language() -> None:
    assert "@discount" in terms_of(PAGE)
    assert {"@discount"} <= {*seek("how do I add a discount").terms} & {*seek("je veux faire un rabais").terms}


def test_what_people_say_without_naming_it_is_looked_for_too() -> None:
    assert "@log_out" in seek("je veux me deconnecter").terms


def test_what_an_organization_calls_the_same_is_looked_for_too() -> None:
    groups = (("zorgue", "note de crédit"), ("fiche", "dossier"))
    terms = seek("émettre une zorgue", groups).terms
    assert f"fr:{stem('credit', 'fr')}" in terms
    assert f"fr:{stem('dossier', 'fr')}" not in terms


def test_a_question_without_a_word_looks_for_nothing() -> None:
    assert seek(" ?! ").terms == ()


def test_personal_data_in_a_question_is_not_looked_for() -> None:
    assert not any("camille" in term for term in seek("écrire à camille.roux@example.com").terms)


def test_kept_vectors_come_back_as_they_were() -> None:
    keys, rows = kept_rows(vectors_kept("m", {7: [0.5, -0.25], 2**63 + 1: [1.0, 0.0]}))
    assert keys == [7, 2**63 + 1]
    assert rows.tolist() == [[0.5, -0.25], [1.0, 0.0]]


@pytest.mark.parametrize(
    ("keys", "rows"), [(b"", b""), (b"1234567", b"12"), (b"12345678", b""), (b"12345678", b"123")], ids=str
)
def test_what_is_no_list_of_vectors_is_none(keys: bytes, rows: bytes) -> None:
    assert kept_rows(TextVectors("m", keys, rows))[0] == []


@needs_model
def test_vectors_of_another_length_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = current_embedder()
    assert embedder is not None
    monkeypatch.setattr(meaning._Silence, "until", 0.0)
    strange = vectors_kept(embedder.model, {text_key("Geste inconnu au bataillon"): [1.0, 0.0]})
    label = replace(DISCOUNT, element=ElementContext(tag="input", label="Geste inconnu au bataillon"))
    kept = meaning.page_vectors(replace(PAGE, intents=(label,), vectors=strange))
    assert kept is not None
    assert kept_rows(kept)[1].shape[1] > 2


@needs_model
def test_a_page_with_its_vectors_is_the_same_page() -> None:
    vectors = meaning.page_vectors(PAGE)
    assert replace(PAGE, vectors=vectors) == PAGE
    assert hash(replace(PAGE, vectors=vectors)) == hash(PAGE)
