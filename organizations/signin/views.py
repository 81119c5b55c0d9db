"""The pages of signing in: allauth's views in our frame. Those of a member's own account are open to members alone."""

from __future__ import annotations

from typing import Any

from allauth.account import views as account
from allauth.account.utils import get_next_redirect_url
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as passkeys
from allauth.mfa.webauthn.internal import auth as passkey_auth
from allauth.mfa.webauthn.internal import flows as passkey_flows
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from organizations.admin_base import memberships, signed_in
from organizations.middleware import lacks_second_factor


class InFrame:
    """Shows a view inside the administration's frame; to whom a second factor is still asked, without its rail."""

    title: Any = ""
    request: HttpRequest

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        frame = admin.site.each_context(self.request)
        asked = lacks_second_factor(self.request)
        if asked:
            frame["has_permission"] = False
        return {
            **frame,
            "title": self.title,
            "second_factor_is_asked": asked,
            **super().get_context_data(**kwargs),  # type: ignore[misc]
        }


class SignInView(account.LoginView):  # type: ignore[misc]
    """Sign-in by e-mail address and password, or by passkey."""

    template_name = "account/login.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Tell who is signed in and a member of nothing so: leading them on would lead them back."""
        if request.user.is_authenticated and not admin.site.has_permission(request):
            return render(request, "account/no_organization.html", {"title": gettext("No organization")})
        return super().dispatch(request, *args, **kwargs)


class PasskeySignInView(passkeys.LoginWebAuthnView):  # type: ignore[misc]
    """Sign-in by passkey alone, and on to where the person wanted to go."""

    def form_valid(self, form: Any) -> HttpResponse:
        authenticator = form.cleaned_data["credential"]
        login = passkeys.Login(user=authenticator.user, redirect_url=get_next_redirect_url(self.request))
        response: HttpResponse = passkey_flows.perform_passwordless_login(self.request, authenticator, login)
        return response


class PasswordChangeView(InFrame, account.PasswordChangeView):  # type: ignore[misc]
    title = _("Change password")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Send who has no password to where a mail lets them choose one."""
        if not signed_in(request).has_usable_password():
            return HttpResponseRedirect(reverse("account_reset_password"))
        return super().dispatch(request, *args, **kwargs)


class ConfirmPasswordView(InFrame, account.ReauthenticateView):  # type: ignore[misc]
    title = _("Is it you?")


class ConfirmCodeView(InFrame, mfa.ReauthenticateView):  # type: ignore[misc]
    title = _("Is it you?")


class ConfirmPasskeyView(InFrame, passkeys.ReauthenticateWebAuthnView):  # type: ignore[misc]
    title = _("Is it you?")

    def form_invalid(self, form: Any) -> HttpResponse:
        """Say it on this page; allauth goes to the sign-in, which sends whoever is signed in elsewhere."""
        super().form_invalid(form)
        return HttpResponseRedirect(self.request.get_full_path())


class SecurityView(InFrame, mfa.IndexView):  # type: ignore[misc]
    """How a member signs in: password, authenticator app, passkeys, recovery codes."""

    title = _("My sign-in")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        asking = [row.organization for row in memberships(self.request) if row.organization.require_second_factor]
        return {**super().get_context_data(**kwargs), "asking": asking}


class ActivateTotpView(InFrame, totp.ActivateTOTPView):  # type: ignore[misc]
    title = _("Authenticator app")


class DeactivateTotpView(InFrame, totp.DeactivateTOTPView):  # type: ignore[misc]
    title = _("Take the authenticator app away")


class RecoveryCodesView(InFrame, codes.ViewRecoveryCodesView):  # type: ignore[misc]
    title = _("Recovery codes")


class NewRecoveryCodesView(InFrame, codes.GenerateRecoveryCodesView):  # type: ignore[misc]
    title = _("New recovery codes")


class AddPasskeyView(InFrame, passkeys.AddWebAuthnView):  # type: ignore[misc]
    """Every key is a passkey: the device keeps it and asks for its owner, so that it signs in without a password."""

    title = _("New passkey")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        # allauth leaves out what it is given: a form that says what was wrong.
        context = {**super().get_context_data(**kwargs), **kwargs}
        options = passkey_auth.begin_registration(self.request.user, passwordless=True)
        return {**context, "options": options["publicKey"]}


class RemovePasskeyView(InFrame, passkeys.RemoveWebAuthnView):  # type: ignore[misc]
    title = _("Remove the passkey")
    success_url = reverse_lazy("mfa_index")
