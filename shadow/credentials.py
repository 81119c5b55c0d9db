"""Who may observe: the organization's server with a secret key, or a member's browser with a recorder token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from organizations.api import TenantView, bearer, request_origin
from organizations.errors import ServiceError
from organizations.keys import PREFIXES, sdk_key_find
from organizations.models import Organization, SdkKey, User
from organizations.scoping import every_tenant
from skills.api import require_known_origin
from skills.recorder import TOKEN_PREFIX, recorder_token_read


@dataclass(frozen=True, slots=True)
class Observer:
    """The organization that is spoken for, and the member who shows; None for the organization's own server."""

    organization: Organization
    member: User | None


class ObserverAuthentication(BaseAuthentication):
    """Puts an ``Observer`` in ``request.auth``.

    A recorder token that comes from a page works only from the organization's own. Without any key the first
    organization is meant where ``RPA_AUTH_DISABLED`` says so, which counts only together with ``DEBUG``.
    """

    def authenticate(self, request: Request) -> tuple[Any, Observer]:
        if settings.RPA_AUTH_DISABLED and "Authorization" not in request.headers:
            return AnonymousUser(), Observer(_first_organization(), None)
        token = bearer(request)
        if token.startswith(TOKEN_PREFIX):
            return AnonymousUser(), _recording(request, token)
        key = sdk_key_find(token) if token.startswith(PREFIXES[SdkKey.Kind.SECRET]) else None
        if key is None:
            raise ServiceError(
                "key_unknown",
                _("This takes a secret key of the organization (sk_…) or a recorder token (rt_…)."),
                status=401,
            )
        return AnonymousUser(), Observer(key.organization, None)

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        return "Bearer"


class ObserverView(TenantView):
    """A view for whoever may observe."""

    authentication_classes = [ObserverAuthentication]

    @property
    def observer(self) -> Observer:
        """Who the request speaks for."""
        observer: Observer = cast("Any", self.request.auth)
        return observer


def _recording(request: Request, token: str) -> Observer:
    with every_tenant():
        session = recorder_token_read(token)
    if request_origin(request) is not None:
        require_known_origin(request, session.organization)
    return Observer(session.organization, session.member)


def _first_organization() -> Organization:
    organization = Organization.objects.order_by("pk").first()
    if organization is None:
        raise ServiceError("key_unknown", _("There is no organization yet."), status=401)
    return organization
