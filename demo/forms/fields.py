"""Form fields that read and write the way employees type in their language."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from demo import formats

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


class NumberField(forms.DecimalField):
    """A number with a comma or a point, spaces allowed (`1 250,50`), shown as the page's language writes it."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}))
        super().__init__(**kwargs)
        self.error_messages["invalid"] = _("Saisissez un nombre, par exemple 12,50.")

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str):
            value = formats.typed_number(value)
        return super().to_python(value)

    def prepare_value(self, value: Any) -> Any:
        return formats.number(value) if isinstance(value, Decimal) else value


class PriceField(NumberField):
    """An amount in euros, shown with its two decimals."""

    def prepare_value(self, value: Any) -> Any:
        return formats.price(value) if isinstance(value, Decimal) else value


def email_field(*, autocomplete: str, placeholder: _StrOrPromise = "") -> forms.EmailField:
    """An e-mail address."""
    attrs: dict[str, _StrOrPromise] = {"autocomplete": autocomplete}
    if placeholder:
        attrs["placeholder"] = placeholder
    return forms.EmailField(
        label=_("Adresse e-mail"),
        widget=forms.EmailInput(attrs=attrs),
        error_messages={"invalid": _("Saisissez une adresse e-mail valide.")},
    )


def date_field(label: _StrOrPromise, *, required: bool = True, initial: dt.date | None = None) -> forms.DateField:
    """A date with the browser's picker, which wants ISO dates whatever the language."""
    return forms.DateField(
        label=label,
        required=required,
        initial=initial,
        input_formats=["%Y-%m-%d", "%d/%m/%Y"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={"invalid": _("Saisissez une date valide (jj/mm/aaaa).")},
    )
