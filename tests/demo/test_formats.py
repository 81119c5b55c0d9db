from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from django.utils import timezone, translation

from demo import formats
from demo.selectors import PARIS

EVENING = dt.datetime(2026, 3, 14, 23, 5, tzinfo=dt.UTC)  # already the 15th in Paris


@pytest.mark.parametrize(
    ("language", "amount", "written"),
    [
        ("fr", "1234.5", "1\u202f234,50\u00a0€"),
        ("fr", "-1234567.891", "-1\u202f234\u202f567,89\u00a0€"),
        ("fr", "0", "0,00\u00a0€"),
        ("en", "1234.5", "€1,234.50"),
        ("en", "-1234567.891", "-€1,234,567.89"),
        ("en", "0", "€0.00"),
    ],
)
def test_amounts_are_written_the_way_of_the_language(language: str, amount: str, written: str) -> None:
    with translation.override(language):
        assert formats.euros(Decimal(amount)) == written


@pytest.mark.parametrize(("language", "mark"), [("fr", ","), ("en", ".")])
def test_numbers_have_the_decimal_mark_of_the_language(language: str, mark: str) -> None:
    with translation.override(language):
        assert formats.price(Decimal("1234.5")) == f"1234{mark}50"
        assert formats.number(Decimal("5.50")) == f"5{mark}5"
        assert formats.number(Decimal("20.00")) == "20"
        assert formats.number(Decimal("100")) == "100"


@pytest.mark.parametrize(
    ("language", "typed", "read"),
    [
        ("fr", "1 250,50", "1250.50"),
        ("fr", "1\u202f250,5", "1250.5"),
        ("fr", "1,250", "1.250"),
        ("fr", "12.5", "12.5"),
        ("en", "1,250.50", "1250.50"),
        ("en", "1,250", "1250"),
        ("en", "1,250,000", "1250000"),
        ("en", "12,50", "12.50"),
        ("en", "12.5", "12.5"),
        ("en", "1,2,3", "1.2.3"),
    ],
)
def test_numbers_are_read_the_way_they_are_typed_in_the_language(language: str, typed: str, read: str) -> None:
    with translation.override(language):
        assert formats.typed_number(typed) == read


@pytest.mark.parametrize(
    ("language", "day", "moment", "full_moment", "weekday"),
    [
        ("fr", "15/03/2026", "15/03/2026 00:05", "15 mars 2026 à 00:05", "Dimanche 15 mars 2026"),
        (
            "en",
            "15\u00a0Mar\u00a02026",
            "15\u00a0Mar\u00a02026, 00:05",
            "15 March 2026 at 00:05",
            "Sunday 15 March 2026",
        ),
    ],
)
def test_moments_are_told_on_paris_time_in_the_language(
    language: str, day: str, moment: str, full_moment: str, weekday: str
) -> None:
    with translation.override(language), timezone.override(PARIS):
        assert formats.day(EVENING) == day
        assert formats.moment(EVENING) == moment
        assert formats.full_moment(EVENING) == full_moment
        assert formats.weekday(EVENING.astimezone(PARIS).date()) == weekday


def test_outside_a_page_amounts_are_french() -> None:
    with translation.override(None):
        assert formats.euros(Decimal("3.5")) == "3,50\u00a0€"
