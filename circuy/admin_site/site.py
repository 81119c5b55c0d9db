"""The administration's site: who gets in, its frame, and the pages that are not lists of one model."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth import logout
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import PasswordResetConfirmView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse, reverse_lazy
from django.utils.translation import gettext_lazy as _

from circuy.admin_site.home import home_context
from circuy.admin_site.navigation import navigation
from moderation.views import inbox_view
from organizations.addresses import client_address
from organizations.admin_base import memberships, page
from organizations.ratelimit import RateLimitedError, allow, forget
from skills.admin_learn import learn_view

TRIES_PER_PERSON = 10
TRIES_PER_ADDRESS = 60


class SignInForm(AdminAuthenticationForm):
    """Sign-in by e-mail address, in whatever case it is typed."""

    error_messages = {
        "invalid_login": _("This e-mail address and password do not go together."),
        "inactive": _("This account is closed."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("E-mail address")
        self.fields["username"].widget.attrs |= {"autocomplete": "username", "inputmode": "email"}

    def clean_username(self) -> str:
        return str(self.cleaned_data["username"]).strip().lower()

    def clean(self) -> dict[str, Any]:
        """Check the password, so many times a minute for one person from one address, and for one address.

        The right one starts a person's count anew.
        """
        address = client_address(self.request) if self.request else ""
        person = sha256(self.cleaned_data.get("username", "").encode()).hexdigest()
        try:
            allow(bucket=f"sign-in:{address}", limit=TRIES_PER_ADDRESS)
            allow(bucket=f"sign-in:{address}:{person}", limit=TRIES_PER_PERSON)
        except RateLimitedError as error:
            raise ValidationError(error.detail) from error
        data = super().clean()
        forget(bucket=f"sign-in:{address}:{person}")
        return data

    def confirm_login_allowed(self, user: Any) -> None:
        AuthenticationForm.confirm_login_allowed(self, user)
        request = HttpRequest()
        request.user = user
        if not user.is_superuser and not memberships(request):
            raise ValidationError(_("You are not a member of any organization: ask an administrator to add you."))


class InvitationView(PasswordResetConfirmView):
    """A new member's first page: they choose a password, and are in."""

    template_name = "admin/invitation.html"
    post_reset_login = True
    success_url = reverse_lazy("admin:index")


class CircuyAdminSite(admin.AdminSite):
    """Members of an organization get in, whatever Django's flags say; each sees their own organizations."""

    site_header = "Circuy"
    site_title = "Circuy"
    index_title = _("Home")
    site_url = None
    enable_nav_sidebar = False
    login_form = SignInForm
    empty_value_display = "–"

    def has_permission(self, request: HttpRequest) -> bool:
        user = request.user
        return bool(user.is_authenticated and user.is_active and (user.is_superuser or memberships(request)))

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        context = super().each_context(request)
        if context["has_permission"]:
            context |= {
                "navigation": navigation(request),
                "own_organizations": [row.organization for row in memberships(request)],
            }
        return context

    def get_urls(self) -> list[Any]:
        # Imported late: the administration of tours registers itself at this site.
        from moderation.pages import notification_urls
        from tours.admin.evaluation import evaluation_urls
        from tours.admin.insight import insight_urls

        own = [
            path("inbox/", self.admin_view(inbox_view), name="inbox"),
            path("learn/", self.admin_view(learn_view), name="learn"),
            path("invitation/<uidb64>/<token>/", InvitationView.as_view(), name="invitation"),
            *notification_urls(self.admin_view),
            *evaluation_urls(self.admin_view),
            *insight_urls(self.admin_view),
        ]
        # Django's shortcuts look rows up outside our pages, by model and id; no page of ours leads to them.
        unused = {"autocomplete", "view_on_site"}
        return [*own, *(address for address in super().get_urls() if getattr(address, "name", "") not in unused)]

    def index(self, request: HttpRequest, *_args: Any, **_kwargs: Any) -> TemplateResponse:
        """Show what waits, and what to do next."""
        return page(request, "admin/index.html", {"title": self.index_title, **home_context(request)})

    def app_index(self, request: HttpRequest, *_args: Any, **_kwargs: Any) -> Any:  # noqa: ARG002
        """Lists are found through the rail; an app of models is nothing a member looks for."""
        return HttpResponseRedirect(reverse("admin:index"))

    def logout(self, request: HttpRequest, *_args: Any, **_kwargs: Any) -> Any:
        """Sign out, and show the sign-in page. Only on a POST: somebody else's link must not sign anybody out."""
        if request.method != "POST":
            return HttpResponseRedirect(reverse("admin:index"))
        logout(request)
        return HttpResponseRedirect(reverse("admin:login"))
