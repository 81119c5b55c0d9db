"""The forms of signing in, with our words; what they check is allauth's."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    ChangePasswordForm as BaseChangePasswordForm,
)
from allauth.account.forms import (
    LoginForm,
    ReauthenticateForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
)
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as ReauthenticateByCodeForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from organizations.admin.forms import ServiceForm

NEW_PASSWORD = _("At least eight characters, and none of those that everybody uses.")


class OwnWords:
    """Gives a form's fields our labels, and no words inside them that vanish as one types."""

    labels: ClassVar[dict[str, Any]] = {}
    helps: ClassVar[dict[str, Any]] = {}
    autocomplete: ClassVar[dict[str, str]] = {}
    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.help_text = self.helps.get(name, "")
            field.label = self.labels.get(name, field.label)
            if name in self.autocomplete:
                field.widget.attrs["autocomplete"] = self.autocomplete[name]


class SignInForm(OwnWords, LoginForm):  # type: ignore[misc]
    labels = {"login": _("E-mail address"), "password": _("Password")}
    # "webauthn" lets the browser offer passkeys where it offers addresses.
    autocomplete = {"login": "username webauthn"}


class ConfirmPasswordForm(OwnWords, ReauthenticateForm):  # type: ignore[misc]
    labels = {"password": _("Password")}


class ChangePasswordForm(OwnWords, BaseChangePasswordForm):  # type: ignore[misc]
    labels = {
        "oldpassword": _("Current password"),
        "password1": _("New password"),
        "password2": _("New password, once more"),
    }
    helps = {"password1": NEW_PASSWORD}


class ForgottenPasswordForm(OwnWords, ResetPasswordForm):  # type: ignore[misc]
    labels = {"email": _("E-mail address")}
    autocomplete = {"email": "username"}

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Write to the address, known or not: the page and its pace tell nobody which."""
        if self.users:
            return str(super().save(request, **kwargs))
        email: str = self.cleaned_data["email"]
        get_adapter().send_mail("account/email/unknown_account", email, {})
        return email


class NewPasswordForm(OwnWords, ResetPasswordKeyForm):  # type: ignore[misc]
    labels = {"password1": _("New password"), "password2": _("New password, once more")}
    helps = {"password1": NEW_PASSWORD}


class CodeForm(OwnWords, AuthenticateForm):  # type: ignore[misc]
    labels = {"code": _("Code")}
    helps = {"code": _("Of your authenticator app, or one of your recovery codes.")}


class ConfirmCodeForm(OwnWords, ReauthenticateByCodeForm):  # type: ignore[misc]
    labels = CodeForm.labels
    helps = CodeForm.helps


class FirstCodeForm(OwnWords, ActivateTOTPForm):  # type: ignore[misc]
    labels = {"code": _("The code that the app shows now")}


class AddPasskeyForm(OwnWords, AddWebAuthnForm):  # type: ignore[misc]
    """A passkey: kept by the device, and opened by its PIN, fingerprint or face."""

    labels = {"name": _("Its name")}
    helps = {"name": _("So that you know it again: “Laptop”, “Phone”…")}

    def clean(self) -> dict[str, Any]:
        # Only a passkey that asks for its owner may stand for a password.
        self.cleaned_data["passwordless"] = True
        data: dict[str, Any] = super().clean()
        return data


class JoinForm(ServiceForm):
    """A new person's name and password; whether it is a good one, the service says."""

    first_name = forms.CharField(label=_("First name"), max_length=150, required=False)
    last_name = forms.CharField(label=_("Last name"), max_length=150, required=False)
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=1000,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=NEW_PASSWORD,
    )
    again = forms.CharField(
        label=_("Password, once more"),
        strip=False,
        max_length=1000,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if {"password", "again"} <= data.keys() and data["password"] != data["again"]:
            self.add_error("again", _("The two passwords differ."))
        return data
