from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from engine import masking
from engine.masking import mask, mask_counted

FOLDER = Path(masking.__file__).parent
VECTORS = json.loads((FOLDER / "vectors.json").read_text(encoding="utf-8"))
RULES = json.loads((FOLDER / "rules.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["input"][:40])
def test_each_vector_is_masked_as_agreed_with_the_sdk(vector):
    assert mask(vector["input"]) == vector["output"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["input"][:40])
def test_masking_twice_changes_nothing(vector):
    assert mask(vector["output"]) == vector["output"]


def test_there_are_enough_vectors_on_both_sides():
    untouched = [vector for vector in VECTORS if vector["input"] == vector["output"]]
    assert len(VECTORS) >= 40
    assert 10 <= len(untouched) <= len(VECTORS) - 25


def test_replacements_are_counted():
    assert mask_counted("a@b.fr et c@d.fr, 06 12 34 56 78") == ("[EMAIL] et [EMAIL], [SENSITIVE_NUMERIC]", 3)
    assert mask_counted("12 produits") == ("12 produits", 0)


@pytest.mark.parametrize("rule", RULES["rules"], ids=lambda rule: rule["id"])
def test_patterns_stay_readable_by_javascript_too(rule):
    assert "(?<" not in rule["pattern"]
    assert not re.search(r"\\[AZzpPwWsSdDB]|\(\?P", rule["pattern"])
    assert re.compile(rule["pattern"]).groups >= 2
    assert set(rule) <= {"id", "pattern", "replacement", "check"}


@pytest.mark.parametrize("piece", ["a.", "+1", "4111 ", "06 ", "AB12 ", "a@", "1-", "0.0.", "(41"])
def test_hostile_text_takes_linear_time(piece):
    def spent(length: int) -> float:
        text = piece * (length // len(piece))
        start = time.perf_counter()
        mask(text)
        return time.perf_counter() - start

    spent(1_000)
    short, long = min(spent(10_000) for _ in range(3)), min(spent(80_000) for _ in range(2))
    assert long < 8 * short * 4 + 0.05
