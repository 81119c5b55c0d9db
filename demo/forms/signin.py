from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from .fields import email_field


class SignInForm(forms.Form):
    email = email_field(autocomplete="username", placeholder=_("prenom.nom@example.com"))
    password = forms.CharField(
        label=_("Mot de passe"),
        strip=False,
        max_length=128,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
