"""Orders as a CSV file that a French spreadsheet opens as it is: semicolons, decimal commas, UTF-8 with a mark."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from django.utils import timezone

from .formats import price_fr
from .models import Order
from .selectors import PARIS

BYTE_ORDER_MARK = "\ufeff"
HEADERS = [
    "Numéro",
    "Date",
    "Client",
    "E-mail",
    "Statut",
    "Livraison",
    "Paiement",
    "Articles (EUR TTC)",
    "Frais de livraison (EUR TTC)",
    "Total (EUR TTC)",
    "Remboursé (EUR)",
]
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


class _Echo:
    """A file that hands back what is written to it: csv.writer then gives its lines one at a time."""

    def write(self, text: str) -> str:
        return text


def safe_cell(text: str) -> str:
    """Text that a spreadsheet will not run as a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def orders_csv(orders: Iterable[Order]) -> Iterator[str]:
    """The lines of the file, headers first."""
    writer = csv.writer(_Echo(), delimiter=";", lineterminator="\r\n")
    yield BYTE_ORDER_MARK + writer.writerow(HEADERS)
    for order in orders:
        yield writer.writerow(
            [
                order.number,
                timezone.localtime(order.placed_at, PARIS).strftime("%d/%m/%Y %H:%M"),
                safe_cell(order.customer.name),
                safe_cell(order.customer.email),
                order.get_status_display(),
                order.get_delivery_method_display(),
                order.get_payment_method_display(),
                price_fr(order.lines_total),
                price_fr(order.delivery_fee),
                price_fr(order.total),
                price_fr(order.refunded_amount),
            ]
        )
