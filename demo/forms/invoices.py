"""The invoice form: a head, a foot, and as many lines as needed."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.forms.formsets import BaseFormSet, formset_factory
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from demo.models import Customer, Invoice, InvoiceStatus, Product, VatRate
from demo.money import ZERO, InvoiceTotals, invoice_totals
from demo.services import InvoiceLineInput

from .fields import NumberField, PriceField, date_field

MAX_LINES = 50
PAYMENT_DAYS = 30


class InvoiceFilterForm(forms.Form):
    q = forms.CharField(
        label=_("Rechercher"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("Numéro ou client")}),
    )
    statut = forms.ChoiceField(
        label=_("Statut"), required=False, choices=[("", _("Tous les statuts")), *InvoiceStatus.choices]
    )


class InvoiceForm(forms.Form):
    customer = forms.ModelChoiceField(
        label=_("Client"),
        queryset=Customer.objects.all(),
        empty_label=_("Choisir un client"),
        widget=forms.Select(attrs={"id": "client-select-dropdown"}),
        error_messages={
            "required": _("Choisissez le client à facturer."),
            "invalid_choice": _("Ce client n'existe plus : choisissez-en un autre."),
        },
    )
    due_on = date_field(_("Date d'échéance"))
    discount = NumberField(
        label=_("Remise (%)"),
        required=False,
        min_value=0,
        max_value=100,
        max_digits=5,
        decimal_places=2,
        widget=forms.TextInput(
            attrs={"inputmode": "decimal", "autocomplete": "off", "data-testid": "invoice-discount-input"}
        ),
        error_messages={
            "min_value": _("La remise ne peut pas être négative."),
            "max_value": _("La remise ne peut pas dépasser 100 %%."),
        },
    )
    vat_rate = forms.ChoiceField(label=_("Taux de TVA"), choices=VatRate.choices)
    note = forms.CharField(
        label=_("Note au client"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "placeholder": _("Conditions, référence de bon de commande…")}),
    )

    def __init__(self, *args: Any, invoice: Invoice | None = None, customer: str = "", **kwargs: Any) -> None:
        kwargs["initial"] = (
            {
                "customer": invoice.customer_id,
                "due_on": invoice.due_on,
                "discount": invoice.discount_percent,
                "vat_rate": f"{invoice.vat_rate.normalize():f}",
                "note": invoice.note,
            }
            if invoice
            else {
                "customer": customer,
                "due_on": timezone.localdate() + dt.timedelta(days=PAYMENT_DAYS),
                "discount": ZERO,
                "vat_rate": VatRate.REDUCED,
            }
        )
        super().__init__(*args, **kwargs)

    def add_prefix(self, field_name: str) -> str:
        """The accounting tool that reads this form too knows the customer as `clientId`."""
        return "clientId" if field_name == "customer" else super().add_prefix(field_name)

    def clean_discount(self) -> Decimal:
        return self.cleaned_data["discount"] or ZERO

    def clean_due_on(self) -> dt.date:
        due_on: dt.date = self.cleaned_data["due_on"]
        if due_on < timezone.localdate():
            raise forms.ValidationError(_("L'échéance ne peut pas être passée."))
        return due_on


class ProductSelect(forms.Select):
    """Options carry the business price, which the page proposes when an article is chosen."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        product = getattr(value, "instance", None)
        if isinstance(product, Product):
            option["attrs"]["data-price"] = str(product.business_price)
        return option


class InvoiceLineForm(forms.Form):
    product = forms.ModelChoiceField(
        label=_("Article"),
        queryset=Product.objects.all(),
        empty_label=_("Choisir un article"),
        widget=ProductSelect,
        error_messages={"required": _("Choisissez un article.")},
    )
    quantity = NumberField(
        label=_("Quantité"),
        min_value=Decimal("0.01"),
        max_digits=8,
        decimal_places=2,
        error_messages={
            "required": _("Indiquez la quantité."),
            "min_value": _("La quantité doit être supérieure à zéro."),
        },
    )
    unit_price = PriceField(
        label=_("Prix unitaire HT (€)"),
        min_value=0,
        max_digits=8,
        decimal_places=2,
        error_messages={"required": _("Indiquez le prix."), "min_value": _("Le prix ne peut pas être négatif.")},
    )

    def line(self) -> InvoiceLineInput | None:
        """The line if it is complete and valid, else None; call after validation."""
        valid = getattr(self, "cleaned_data", {})
        if self.errors or not valid.get("product"):
            return None
        return InvoiceLineInput(product=valid["product"], quantity=valid["quantity"], unit_price=valid["unit_price"])


if TYPE_CHECKING:
    LineFormSetBase = BaseFormSet[InvoiceLineForm]
else:
    LineFormSetBase = BaseFormSet


class LineFormSet(LineFormSetBase):
    """Lines of an invoice; empty ones are skipped, and at least one must be filled in."""

    @classmethod
    def get_default_prefix(cls) -> str:
        return "lines"

    def lines(self) -> list[InvoiceLineInput]:
        return [line for form in self.forms if (line := form.line()) is not None]

    def clean(self) -> None:
        if not any(self.errors) and not self.lines():
            raise forms.ValidationError(_("Ajoutez au moins une ligne à la facture."))


InvoiceLineFormSet = cast(
    type[LineFormSet],
    formset_factory(
        InvoiceLineForm, formset=LineFormSet, extra=1, max_num=MAX_LINES, validate_max=True, absolute_max=MAX_LINES
    ),
)


def line_initials(invoice: Invoice) -> list[dict[str, Any]]:
    """What a draft's lines put in the form."""
    return [
        {"product": line.product_id, "quantity": line.quantity, "unit_price": line.unit_price}
        for line in invoice.lines.all()
    ]


def preview(form: InvoiceForm, lines: LineFormSet) -> InvoiceTotals:
    """Totals of what is typed and valid so far."""
    valid = getattr(form, "cleaned_data", {})
    return invoice_totals(
        [(line.quantity, line.unit_price) for line in lines.lines()] if lines.is_bound else [],
        discount_percent=valid.get("discount", ZERO),
        vat_rate=Decimal(valid.get("vat_rate", VatRate.REDUCED)),
    )
