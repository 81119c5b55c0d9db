from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.money import invoice_totals, line_amount, to_cents


@pytest.mark.parametrize(
    ("exact", "rounded"),
    [("0.005", "0.01"), ("1.004999", "1.00"), ("2.675", "2.68"), ("2.665", "2.67"), ("-0.005", "-0.01")],
)
def test_halves_of_a_cent_are_rounded_up(exact: str, rounded: str) -> None:
    assert to_cents(Decimal(exact)) == Decimal(rounded)


def test_a_line_of_a_kilo_and_a_half_is_rounded_to_the_cent() -> None:
    assert line_amount(Decimal("1.5"), Decimal("3.15")) == Decimal("4.73")


def test_discount_then_tax_are_rounded_one_after_the_other() -> None:
    totals = invoice_totals(
        [(Decimal("1"), Decimal("44.90")), (Decimal("1.5"), Decimal("5.45"))],
        discount_percent=Decimal("7.5"),
        vat_rate=Decimal("5.5"),
    )
    assert totals.subtotal == Decimal("53.08")
    assert totals.discount == Decimal("3.98")
    assert totals.net == Decimal("49.10")
    assert totals.vat == Decimal("2.70")
    assert totals.total == Decimal("51.80")


def test_an_invoice_without_lines_is_worth_nothing() -> None:
    totals = invoice_totals([], discount_percent=Decimal("10"), vat_rate=Decimal("20"))
    assert totals.total == totals.subtotal == Decimal("0.00")


amounts = st.decimals(min_value=0, max_value=10_000, places=2)


@given(
    lines=st.lists(st.tuples(amounts, amounts), max_size=8),
    discount=st.decimals(min_value=0, max_value=100, places=2),
    vat=st.sampled_from([Decimal("5.5"), Decimal("10"), Decimal("20")]),
)
def test_figures_on_paper_add_up(lines: list[tuple[Decimal, Decimal]], discount: Decimal, vat: Decimal) -> None:
    totals = invoice_totals(lines, discount_percent=discount, vat_rate=vat)
    assert totals.subtotal - totals.discount == totals.net
    assert totals.net + totals.vat == totals.total
    assert 0 <= totals.discount <= totals.subtotal
    assert all(amount == to_cents(amount) for amount in vars(totals).values())
