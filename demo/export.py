"""Orders as a CSV file that a spreadsheet in the language of the page opens as it is (in French, semicolons and decimal
commas), in UTF-8 with a mark.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext_lazy as _

from .formats import conventions, csv_moment, price
from .models import Order

BYTE_ORDER_MARK = "\ufeff"
HEADERS = [
    _("Numéro"),
    _("Date"),
    _("Client"),
    _("E-mail"),
    _("Statut"),
    _("Livraison"),
    _("Paiement"),
    _("Articles (EUR TTC)"),
    _("Frais de livraison (EUR TTC)"),
    _("Total (EUR TTC)"),
    _("Remboursé (EUR)"),
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
    writer = csv.writer(_Echo(), delimiter=conventions().csv_delimiter, lineterminator="\r\n")
    yield BYTE_ORDER_MARK + writer.writerow([str(header) for header in HEADERS])
    for order in orders:
        yield writer.writerow(
            [
                order.number,
                csv_moment(order.placed_at),
                safe_cell(order.customer.name),
                safe_cell(order.customer.email),
                order.get_status_display(),
                order.get_delivery_method_display(),
                order.get_payment_method_display(),
                price(order.lines_total),
                price(order.delivery_fee),
                price(order.total),
                price(order.refunded_amount),
            ]
        )
