"""Opens the tenant scope of whoever is signed in to the administration."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from organizations.models import Membership
from organizations.scoping import every_tenant, tenant_scope


class TenantScopeMiddleware:
    """Every query of a signed-in person's request sees that person's organizations and no other.

    Requests of the API carry a key instead; their views open the scope themselves.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith("/admin/") or not request.user.is_authenticated:
            return self.get_response(request)
        with every_tenant():
            ids = list(Membership.objects.filter(user=request.user).values_list("organization_id", flat=True))
        with tenant_scope(*ids):
            return self.get_response(request)
