"""Form fields that read and write the way French employees type."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

from django import forms

from demo.formats import decimal_fr, price_fr


class FrenchDecimalField(forms.DecimalField):
    """A number with a comma or a point, spaces allowed (`1 250,50`), shown with a comma."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}))
        super().__init__(**kwargs)
        self.error_messages["invalid"] = "Saisissez un nombre, par exemple 12,50."

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str):
            value = "".join(value.split()).replace(",", ".")
        return super().to_python(value)

    def prepare_value(self, value: Any) -> Any:
        return decimal_fr(value) if isinstance(value, Decimal) else value


class PriceField(FrenchDecimalField):
    """An amount in euros, shown with its two decimals."""

    def prepare_value(self, value: Any) -> Any:
        return price_fr(value) if isinstance(value, Decimal) else value


def email_field(*, autocomplete: str, placeholder: str = "") -> forms.EmailField:
    """An e-mail address."""
    attrs = {"autocomplete": autocomplete} | ({"placeholder": placeholder} if placeholder else {})
    return forms.EmailField(
        label="Adresse e-mail",
        widget=forms.EmailInput(attrs=attrs),
        error_messages={"invalid": "Saisissez une adresse e-mail valide."},
    )


def date_field(label: str, *, required: bool = True, initial: dt.date | None = None) -> forms.DateField:
    """A date with the browser's picker, which wants ISO dates whatever the language."""
    return forms.DateField(
        label=label,
        required=required,
        initial=initial,
        input_formats=["%Y-%m-%d", "%d/%m/%Y"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={"invalid": "Saisissez une date valide (jj/mm/aaaa)."},
    )
