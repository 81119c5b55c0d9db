from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import masking
from engine.masking import mask, mask_counted

FOLDER = Path(masking.__file__).parent
VECTORS = json.loads((FOLDER / "vectors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: ascii(vector["input"][:40]))
def test_each_vector_is_masked_as_agreed_with_the_sdk(vector):
    assert mask(vector["input"]) == vector["output"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: ascii(vector["input"][:40]))
def test_masking_twice_changes_nothing(vector):
    assert mask(vector["output"]) == vector["output"]


def test_there_are_enough_vectors_on_both_sides():
    untouched = [vector for vector in VECTORS if vector["input"] == vector["output"]]
    assert len(VECTORS) >= 140
    assert 50 <= len(untouched) <= len(VECTORS) - 80


def test_replacements_are_counted():
    assert mask_counted("a@b.fr et c@d.fr, 06 12 34 56 78") == ("[EMAIL] et [EMAIL], [SENSITIVE_NUMERIC]", 3)
    assert mask_counted("12 produits") == ("12 produits", 0)


def test_tokens_of_an_earlier_masking_are_not_counted_again():
    assert mask_counted("[EMAIL] 06 12 34 56 78") == ("[EMAIL] [SENSITIVE_NUMERIC]", 1)


def test_masking_before_cutting_leaves_no_half_number():
    text = "Carte de la cliente 4111 1111 1111 1111"
    assert mask(text[:30]) == text[:30]
    assert "4111" not in mask(text)[:30]


HOSTILE = (
    "a.|+1|4111 |06 |AB12 |a@|1-|0.0.|(41|a@b.|%40a|%40a.bc|FR76|2001:|né le |9|1.|12/03/|mars |tel 1|a (at) "
    "|DE1 |00|٠ |[EMAIL]|Alice Martin 12/03/1985 "
)


@pytest.mark.parametrize("piece", HOSTILE.split("|"))
def test_hostile_text_is_masked_to_the_end(piece):
    """That the time grows with the length alone is proven on the patterns, in test_masking_linear."""
    masked = mask(piece * (24_000 // len(piece)) + " alice@example.com")
    assert masked.endswith("[EMAIL]")
