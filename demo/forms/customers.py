from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.forms.models import model_to_dict
from django.utils.translation import gettext_lazy as _

from demo.models import Customer, CustomerKind

from .fields import email_field


class CustomerFilterForm(forms.Form):
    q = forms.CharField(
        label=_("Rechercher"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("Nom, ville, e-mail ou téléphone")}),
    )
    type = forms.ChoiceField(
        label=_("Type de client"), required=False, choices=[("", _("Tous les clients")), *CustomerKind.choices]
    )


class CustomerForm(forms.Form):
    name = forms.CharField(
        label=_("Nom ou raison sociale"), max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    kind = forms.ChoiceField(label=_("Type de client"), choices=CustomerKind.choices)
    email = email_field(autocomplete="off")
    phone = forms.CharField(
        label=_("Téléphone"),
        required=False,
        max_length=20,
        validators=[RegexValidator(r"^\+?[\d\s.\-]{8,}$", _("Saisissez un numéro de téléphone valide."))],
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "off"}),
    )
    street = forms.CharField(label=_("Adresse"), max_length=160, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    postal_code = forms.CharField(
        label=_("Code postal"),
        validators=[RegexValidator(r"^\d{5}$", _("Le code postal comporte cinq chiffres."))],
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    city = forms.CharField(label=_("Ville"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    note = forms.CharField(label=_("Note"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, customer: Customer | None = None, **kwargs: Any) -> None:
        if customer is not None:
            kwargs["initial"] = model_to_dict(customer)
        super().__init__(*args, **kwargs)
