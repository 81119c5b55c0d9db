"""Opens the tenant scope of whoever is signed in to the administration, as strongly as their organizations ask."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from organizations.models import Membership
from organizations.scoping import every_tenant, tenant_scope
from organizations.second_factor import has_second_factor

# Where somebody signs in or out, or sets up what is asked of them.
_ALWAYS_OPEN = ("/admin/login/", "/admin/logout/", "/admin/invitation/", "/admin/password", "/admin/account/")
_LACKS = "_circuy_lacks_second_factor"


def lacks_second_factor(request: HttpRequest) -> bool:
    """Whether an organization of the signed-in person asks for a second factor that they have not set up."""
    return bool(getattr(request, _LACKS, False))


class TenantScopeMiddleware:
    """Every query of a signed-in person's request sees that person's organizations and no other.

    Who belongs to one that asks for a second factor, and has none, finds every page of the administration closed but
    those where to set one up. Requests of the API carry a key instead; their views open the scope themselves.
    """

    # Beside the administration's own pages: those that Slack sends an administrator back to.
    SESSIONS = ("/admin/", "/slack/oauth/")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(self.SESSIONS) or not request.user.is_authenticated:
            return self.get_response(request)
        with every_tenant():
            own = Membership.objects.filter(user=request.user)
            rows = list(own.values_list("organization_id", "organization__require_second_factor"))
        if any(asks for _pk, asks in rows) and not has_second_factor(request.user):
            setattr(request, _LACKS, True)
            if not request.path.startswith(_ALWAYS_OPEN):
                return HttpResponseRedirect(reverse("mfa_index"))
        with tenant_scope(*(pk for pk, _asks in rows)):
            return self.get_response(request)
