"""The administration's site: who gets in, its frame, and the pages that are not lists of one model."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _

from circuy.admin_site.home import home_context
from circuy.admin_site.navigation import navigation
from moderation.views import decide_view, inbox_view, selected_view
from organizations.admin_base import memberships, page
from skills.admin_learn import learn_view


class CircuyAdminSite(admin.AdminSite):
    """Members of an organization get in, whatever Django's flags say; each sees their own organizations."""

    site_header = "Circuy"
    site_title = "Circuy"
    index_title = _("Home")
    site_url = None
    enable_nav_sidebar = False
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
            path("inbox/decide/", self.admin_view(decide_view), name="inbox_decide"),
            path("inbox/selected/", self.admin_view(selected_view), name="inbox_selected"),
            path("learn/", self.admin_view(learn_view), name="learn"),
            *notification_urls(self.admin_view),
            *evaluation_urls(self.admin_view),
            *insight_urls(self.admin_view),
        ]
        # Django's shortcuts look rows up outside our pages, by model and id; no page of ours leads to them.
        unused = {"autocomplete", "view_on_site", "password_change_done"}
        return [*own, *(address for address in super().get_urls() if getattr(address, "name", "") not in unused)]

    def login(self, request: HttpRequest, *_args: Any, **_kwargs: Any) -> Any:
        """Sign in as `organizations.signin` has it: its address is this one, and stands before it."""
        from organizations.signin.views import SignInView

        return SignInView.as_view()(request)

    def password_change(self, request: HttpRequest, *_args: Any, **_kwargs: Any) -> Any:
        """Change one's password, with the limits and the e-mail of `organizations.signin`."""
        from organizations.signin.views import PasswordChangeView

        return PasswordChangeView.as_view()(request)

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
