"""What allauth asks of the house: who may have an account, where links lead, what a mail says, how secrets are kept."""

from __future__ import annotations

import logging
import smtplib
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from organizations.addresses import client_address
from organizations.encryption import decrypt, encrypt
from organizations.models import User

log = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts by e-mail address, made by invitations alone."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": _("This e-mail address and password do not go together."),
        "enter_current_password": _("This is not your password."),
        "incorrect_code": _("This code is not right, or was used already."),
        "incorrect_password": _("This is not your password."),
        "too_many_login_attempts": _("Too many tries. Wait a few minutes, then try again."),
        "rate_limited": _("Too many tries. Wait a few minutes, then try again."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return what tries are counted by: proxies are believed as far as ``NUM_PROXIES`` says."""
        return client_address(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return a name for the person and where they try from: who guesses elsewhere locks nobody out."""
        return f"{client_address(request)}:{str(credentials.get('email', '')).lower()}"

    def is_safe_url(self, url: str) -> bool:
        """Whether ``next`` may lead there: to this very site, and nowhere else."""
        request = context.request
        return url_has_allowed_host_and_scheme(
            url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
        )

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:  # noqa: ARG002
        return reverse("mfa_index")

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the link of a mail: on the public address, whatever host the request named."""
        uidb36, _dash, token = key.partition("-")
        return settings.PUBLIC_URL + reverse("account_reset_password_from_key", args=[uidb36, token])

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        words = {
            "reauthenticate": gettext("With your password"),
            "mfa_reauthenticate": gettext("With a code"),
            "mfa_reauthenticate:webauthn": gettext("With a passkey"),
        }
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [{**method, "description": words.get(method["id"], method["description"])} for method in methods]

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send, or leave a line in the log: what was asked for is done, and an unknown address is answered alike."""
        try:
            super().send_mail(template_prefix, email, context)
        except (smtplib.SMTPException, OSError) as error:
            log.error("An e-mail could not be sent (%s): %s", template_prefix, error)


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Second factors, their secrets encrypted with the installation's keys."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": AccountAdapter.error_messages["incorrect_code"],
    }

    def get_totp_issuer(self) -> str:
        return "Circuy"

    def _get_site_name(self) -> str:
        return "Circuy"

    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text)

    def generate_authenticator_name(self, user: User, type: Any) -> str:
        """Return the name that a new passkey is given unless its owner has a better one."""
        from allauth.mfa.models import Authenticator

        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("Passkey") if number == 1 else gettext("Passkey %(number)d") % {"number": number}
