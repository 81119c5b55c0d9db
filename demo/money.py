"""Amounts in euros: rounding and invoice arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
ZERO = Decimal("0.00")


def to_cents(amount: Decimal) -> Decimal:
    """Round to the cent, halves away from zero, as French commercial practice does."""
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def line_amount(quantity: Decimal, unit_price: Decimal) -> Decimal:
    """Amount of one line, rounded to the cent."""
    return to_cents(quantity * unit_price)


@dataclass(frozen=True)
class InvoiceTotals:
    """What the foot of an invoice shows, every amount in euros and rounded to the cent."""

    subtotal: Decimal
    discount: Decimal
    net: Decimal
    vat: Decimal
    total: Decimal


def invoice_totals(
    lines: Iterable[tuple[Decimal, Decimal]], *, discount_percent: Decimal, vat_rate: Decimal
) -> InvoiceTotals:
    """Totals for `(quantity, unit price before tax)` lines.

    Each printed amount is rounded before it enters the next one, so that adding up the figures on paper gives the
    figures on paper.
    """
    subtotal = sum((line_amount(quantity, price) for quantity, price in lines), ZERO)
    discount = to_cents(subtotal * discount_percent / 100)
    net = subtotal - discount
    vat = to_cents(net * vat_rate / 100)
    return InvoiceTotals(subtotal=subtotal, discount=discount, net=net, vat=vat, total=net + vat)
