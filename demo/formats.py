"""How amounts, numbers and moments are written and typed, in the language of the page."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from decimal import Decimal

from django.utils.dateformat import format as format_date
from django.utils.timezone import localtime
from django.utils.translation import get_language

from .languages import DEFAULT
from .money import to_cents

NARROW_SPACE = "\u202f"
HARD_SPACE = "\u00a0"


@dataclass(frozen=True)
class Conventions:
    """What one language does its own way; moments are in the words of Django's `date` filter."""

    decimal_mark: str
    thousands_mark: str
    euros: str
    day: str
    moment: str
    weekday: str
    full_moment: str
    csv_delimiter: str
    csv_moment: str


CONVENTIONS = {
    "fr": Conventions(
        decimal_mark=",",
        thousands_mark=NARROW_SPACE,
        euros=f"{{}}{HARD_SPACE}€",
        day="d/m/Y",
        moment="d/m/Y H:i",
        weekday="l j F Y",
        full_moment="j F Y à H:i",
        csv_delimiter=";",
        csv_moment="d/m/Y H:i",
    ),
    # Days before months, as in France: with the month in letters, no one takes 3/4 for the fourth of March. The spaces
    # of a day do not break, for the sake of narrow columns.
    "en": Conventions(
        decimal_mark=".",
        thousands_mark=",",
        euros="€{}",
        day=f"j{HARD_SPACE}M{HARD_SPACE}Y",
        moment=f"j{HARD_SPACE}M{HARD_SPACE}Y, H:i",
        weekday="l j F Y",
        full_moment=r"j F Y \a\t H:i",
        csv_delimiter=",",
        csv_moment="Y-m-d H:i",
    ),
}
ENGLISH_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?")


def conventions() -> Conventions:
    """Those of the language of the moment; French outside a page."""
    return CONVENTIONS.get(get_language() or DEFAULT, CONVENTIONS[DEFAULT])


def number(value: Decimal) -> str:
    """`1234.50` → `1234,5` or `1234.5`: no grouping and no useless zeros, as one types it."""
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace(".", conventions().decimal_mark)


def price(amount: Decimal) -> str:
    """`1234.5` → `1234,50` or `1234.50`: for form fields and spreadsheets."""
    return f"{to_cents(amount):.2f}".replace(".", conventions().decimal_mark)


def euros(amount: Decimal) -> str:
    """`1234.5` → `1 234,50 €` (with spaces that do not break) or `€1,234.50`."""
    ways = conventions()
    units, cents = f"{abs(to_cents(amount)):,.2f}".split(".")
    sign = "-" if amount < 0 else ""
    return sign + ways.euros.format(f"{units.replace(',', ways.thousands_mark)}{ways.decimal_mark}{cents}")


def typed_number(text: str) -> str:
    """What was typed, with a decimal point and nothing else: `1 250,50` → `1250.50`.

    A comma is a decimal mark in both languages, for hands that are used to it; but in English `1,250` and `1,250.50`
    are thousands.
    """
    text = "".join(text.split())
    if conventions().thousands_mark == "," and ENGLISH_THOUSANDS.fullmatch(text):
        return text.replace(",", "")
    return text.replace(",", ".")


def day(value: dt.date) -> str:
    """`14/03/2026` or `14 Mar 2026`; a moment is told on the clock of the page."""
    return format_date(_local(value), conventions().day)


def moment(value: dt.datetime) -> str:
    """`14/03/2026 16:05` or `14 Mar 2026, 16:05`."""
    return format_date(_local(value), conventions().moment)


def weekday(value: dt.date) -> str:
    """`Samedi 14 mars 2026` or `Saturday 14 March 2026`."""
    text = format_date(_local(value), conventions().weekday)
    return text[0].upper() + text[1:]


def full_moment(value: dt.datetime) -> str:
    """`14 mars 2026 à 16:05` or `14 March 2026 at 16:05`."""
    return format_date(_local(value), conventions().full_moment)


def csv_moment(value: dt.datetime) -> str:
    """What a spreadsheet in that language reads as a moment: `14/03/2026 16:05` or `2026-03-14 16:05`."""
    return format_date(_local(value), conventions().csv_moment)


def _local(value: dt.date) -> dt.date:
    return localtime(value) if isinstance(value, dt.datetime) else value
