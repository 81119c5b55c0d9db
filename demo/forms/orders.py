from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from demo.models import Order, OrderStatus, RefundReason
from demo.selectors import OrderFilters

from .fields import PriceField, date_field


class OrderFilterForm(forms.Form):
    """The filters of the list and of the export; their names are the words of the address."""

    q = forms.CharField(
        label=_("Rechercher"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("Numéro, client ou e-mail")}),
    )
    statut = forms.ChoiceField(
        label=_("Statut"), required=False, choices=[("", _("Tous les statuts")), *OrderStatus.choices]
    )
    du = date_field(_("Du"), required=False)
    au = date_field(_("Au"), required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        first, last = cleaned.get("du"), cleaned.get("au")
        if first and last and first > last:
            self.add_error("au", _("La fin de la période précède son début."))
        return cleaned

    def filters(self) -> OrderFilters:
        """The filters that are valid; call after `is_valid()`."""
        valid = self.cleaned_data
        return OrderFilters(
            search=valid.get("q", ""),
            status=valid.get("statut", ""),
            first_day=valid.get("du"),
            last_day=valid.get("au"),
        )


class StatusForm(forms.Form):
    """Offers the steps that follow the order's status, and says which status they were offered for (`seen`).

    Any status is let through: whether a step is allowed is for the service to say, for the status of that moment.
    """

    seen = forms.CharField()
    status = forms.ChoiceField(label=_("Nouveau statut"), choices=OrderStatus.choices)

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = [(status.value, status.label) for status in order.next_statuses]
        cast(forms.Select, self.fields["status"].widget).choices = offered


class NoteForm(forms.Form):
    note = forms.CharField(
        label=_("Note interne"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4, "placeholder": _("Visible par l'équipe seulement")}),
    )


class RefundForm(forms.Form):
    amount = PriceField(
        label=_("Montant à rembourser (€)"),
        max_digits=10,
        decimal_places=2,
        error_messages={"max_decimal_places": _("Pas plus de deux chiffres après la virgule.")},
    )
    reason = forms.ChoiceField(label=_("Motif"), choices=[("", _("Choisir un motif")), *RefundReason.choices])
    confirm = forms.BooleanField(
        label=_("Je confirme ce remboursement"),
        error_messages={"required": _("Cochez la case pour confirmer le remboursement.")},
    )
