"""How long what finds an element is likely to hold: the same words as on the page that is tried out."""

from __future__ import annotations

import pytest

from skills.locators import Strength, strength_of

NAMED = "button~a1b2~~~~~fr"
NAMELESS = "button~~~~~~fr"


@pytest.mark.parametrize(
    ("selector", "fallback", "fingerprint", "strength"),
    [
        ("#client", "", "", Strength.STRONG),
        ("[data-testid='remise']", "", "", Strength.STRONG),
        ("form > input:nth-of-type(3)", "input[name='discount']", "", Strength.STRONG),
        ("form > input:nth-of-type(3)", "", NAMED, Strength.STRONG),
        ("[aria-label='Aller > ici']", "", "", Strength.MEDIUM),
        ("#invoice input", "", "", Strength.MEDIUM),
        ("input[type='number']", "", "", Strength.MEDIUM),
        ("form > input:nth-of-type(3)", "", NAMELESS, Strength.FRAGILE),
        ("#shell >>> div > button", "main > button", "", Strength.FRAGILE),
        ("button", "", "", Strength.FRAGILE),
    ],
)
def test_an_element_is_found_for_as_long_as_its_best_mark_lasts(
    selector: str, fallback: str, fingerprint: str, strength: Strength
) -> None:
    assert strength_of(selector, fallback, fingerprint) == strength
