"""The addresses of signing in, under /admin/. allauth finds them by their names; what else it has is not served."""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as codes
from django.contrib import admin
from django.urls import path

from organizations.signin import views
from organizations.signin.joining import invitation_view

member = admin.site.admin_view

urlpatterns = [
    path("login/", views.SignInView.as_view(), name="account_login"),
    path("login/code/", mfa.authenticate, name="mfa_authenticate"),
    path("login/passkey/", views.PasskeySignInView.as_view(), name="mfa_login_webauthn"),
    path("login/closed/", account.account_inactive, name="account_inactive"),
    path("invitation/<str:token>/", invitation_view, name="invitation"),
    path("password/", account.password_reset, name="account_reset_password"),
    path("password/sent/", account.password_reset_done, name="account_reset_password_done"),
    path("password/new/", account.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    path("password/<str:uidb36>/<str:key>/", account.password_reset_from_key, name="account_reset_password_from_key"),
    path("password_change/", member(views.PasswordChangeView.as_view()), name="account_change_password"),
    path("account/", member(views.SecurityView.as_view()), name="mfa_index"),
    path("account/confirm/", member(views.ConfirmPasswordView.as_view()), name="account_reauthenticate"),
    path("account/confirm/code/", member(views.ConfirmCodeView.as_view()), name="mfa_reauthenticate"),
    path("account/confirm/passkey/", member(views.ConfirmPasskeyView.as_view()), name="mfa_reauthenticate_webauthn"),
    path("account/app/", member(views.ActivateTotpView.as_view()), name="mfa_activate_totp"),
    path("account/app/remove/", member(views.DeactivateTotpView.as_view()), name="mfa_deactivate_totp"),
    path("account/codes/", member(views.RecoveryCodesView.as_view()), name="mfa_view_recovery_codes"),
    path("account/codes/new/", member(views.NewRecoveryCodesView.as_view()), name="mfa_generate_recovery_codes"),
    path("account/codes/file/", member(codes.download_recovery_codes), name="mfa_download_recovery_codes"),
    path("account/passkeys/add/", member(views.AddPasskeyView.as_view()), name="mfa_add_webauthn"),
    path("account/passkeys/<int:pk>/remove/", member(views.RemovePasskeyView.as_view()), name="mfa_remove_webauthn"),
]
