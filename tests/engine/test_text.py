from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.local.text import closest, distance_at_most, fold, stem, stems, words


def test_folding_drops_case_accents_and_ligatures():
    assert fold("Œuvre Échéancée L’Été") == "oeuvre echeancee l'ete"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("l’échéance", ["echeance"]),
        ("jusqu'au 12", ["jusque", "au", "12"]),
        ("don't remove the client's note", ["do", "remove", "the", "client", "note"]),
        ("10 % de remise", ["10", "%", "de", "remise"]),
        ("aujourd'hui", ["aujourd", "hui"]),
    ],
)
def test_words_lose_elided_articles_and_contractions(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(("left", "right"), [("factures", "facturer"), ("exporting", "exports"), ("livrée", "livrées")])
def test_inflections_share_a_stem(left, right):
    assert stems(fold(left)) & stems(fold(right))


def test_stems_compare_within_one_language():
    assert "fr:pass" in stems("passe")
    assert "fr:pass" not in stems("password")
    assert not {stem for stem in stems("chat") if stem.startswith("en:")} & {
        stem for stem in stems("chat") if stem.startswith("fr:")
    }


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("facutre", "facture"), ("echeence", "echeance"), ("remisse", "remise"), ("comande", "commande")],
)
def test_a_typing_error_finds_the_word_that_was_meant(typed, meant):
    assert closest(typed, {"facture", "echeance", "remise", "commande", "client"}) == meant


@pytest.mark.parametrize("typed", ["tva", "abcd", "bonjour", "remorque"])
def test_other_words_are_not_bent_into_known_ones(typed):
    assert closest(typed, {"facture", "echeance", "remise", "commande", "taxe"}) == ""


@given(st.text(alphabet="abcde", max_size=8), st.text(alphabet="abcde", max_size=8))
def test_distance_is_symmetrical_and_zero_only_for_the_same_word(left, right):
    assert distance_at_most(left, right, 2) == distance_at_most(right, left, 2)
    assert distance_at_most(left, right, 0) == (left == right)


@given(st.text(max_size=200))
def test_any_text_can_be_read(text):
    assert all(word for word in words(text))


def test_threads_stem_words_side_by_side():
    inflected = [
        f"{stem}{end}" for stem in ("factur", "command", "rembours", "discount") for end in ("er", "ation", "es")
    ]
    expected = [stem.__wrapped__(word, "fr") for word in inflected]
    with ThreadPoolExecutor(8) as pool:
        rounds = pool.map(lambda _: [stem.__wrapped__(word, "fr") for word in inflected], range(400))
        assert all(stems == expected for stems in rounds)
