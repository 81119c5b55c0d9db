"""How amounts and quantities are written in French."""

from __future__ import annotations

from decimal import Decimal

from .money import to_cents

NARROW_SPACE = "\u202f"
HARD_SPACE = "\u00a0"


def decimal_fr(number: Decimal) -> str:
    """`1234.5` → `1234,5`: no grouping and no useless zeros, as one types it."""
    text = f"{number:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace(".", ",")


def price_fr(amount: Decimal) -> str:
    """`1234.5` → `1234,50`: for form fields and spreadsheets."""
    return f"{to_cents(amount):.2f}".replace(".", ",")


def euros(amount: Decimal) -> str:
    """`1234.5` → `1 234,50 €`, with spaces that do not break."""
    grouped = f"{to_cents(amount):,.2f}".replace(",", NARROW_SPACE).replace(".", ",")
    return f"{grouped}{HARD_SPACE}€"
