"""How a request to the API says who it is for: DRF authentication by key, origin and end user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.views import APIView

from organizations.addresses import client_address
from organizations.errors import ServiceError
from organizations.identity import Identified, end_user_find, end_user_identify
from organizations.keys import sdk_key_find
from organizations.models import EndUser, Organization, SdkKey
from organizations.scoping import tenant_scope

if TYPE_CHECKING:
    from rest_framework.request import Request


@dataclass(frozen=True, slots=True)
class Caller:
    """The organization a request speaks for, and the key that proves it."""

    organization: Organization
    key: SdkKey


def bearer(request: Request) -> str:
    """Return the token of the ``Authorization: Bearer`` header.

    Raises ``ServiceError`` (``authentication_required``, 401) when there is none.
    """
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise ServiceError(
            "authentication_required",
            _("Send your key in the header “Authorization: Bearer pk_…”."),
            status=401,
        )
    return token.strip()


def request_origin(request: Request) -> str | None:
    """Return the origin of the page that sends the request, or None when the browser did not say.

    Browsers leave ``Origin`` out of same-origin GETs but then say so in ``Sec-Fetch-Site``.
    """
    origin = request.headers.get("Origin")
    if origin is None and request.headers.get("Sec-Fetch-Site") == "same-origin":
        return f"{request.scheme}://{request.get_host()}"
    return origin


def authenticate_key(request: Request) -> Caller:
    """Return the caller behind a publishable or secret key.

    Raises ``ServiceError``: ``key_unknown`` (401), or ``origin_not_allowed`` (403) for a publishable key
    used from an origin that is not one of its own. A missing or ``null`` origin is not one.
    """
    key = sdk_key_find(bearer(request))
    if key is None:
        raise ServiceError("key_unknown", _("This key does not exist or was revoked."), status=401)
    if key.kind == SdkKey.Kind.PUBLISHABLE:
        origin = request_origin(request)
        if origin not in key.allowed_origins:
            raise ServiceError(
                "origin_not_allowed",
                _("The key %(key)s… does not work from %(origin)s. Add this origin to the key in the administration.")
                % {"key": key.prefix, "origin": origin or _("a request without an origin")},
                status=403,
            )
        request._request.cors_origin = origin  # type: ignore[attr-defined]
    return Caller(key.organization, key)


class KeyAuthentication(BaseAuthentication):
    """Puts a ``Caller`` in ``request.auth``."""

    def authenticate(self, request: Request) -> tuple[Any, Any]:
        return AnonymousUser(), authenticate_key(request)

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        return "Bearer"


class HasCaller(BasePermission):
    """Lets in whoever authentication named; there is no anonymous use of the API."""

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002
        return request.auth is not None


class TenantView(APIView):
    """A view of the API: authenticated by key, and running inside its organization's scope."""

    authentication_classes = [KeyAuthentication]
    permission_classes = [HasCaller]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self._scope = tenant_scope(self.caller.organization.id)
        self._scope.__enter__()

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().dispatch(request, *args, **kwargs)
        finally:
            scope = self.__dict__.pop("_scope", None)
            if scope is not None:
                scope.__exit__(None, None, None)

    @property
    def caller(self) -> Caller:
        """Who the request speaks for."""
        caller: Caller = cast("Any", self.request.auth)
        return caller

    def identify(self, request: Request, data: dict[str, Any]) -> Identified:
        """Return the end user of a POST, new ones included.

        Raises ``ServiceError`` (``identity_invalid``, ``rate_limited``) as ``end_user_identify`` does.
        """
        # A secret key is a server's, which speaks for many people from one address.
        is_page = self.caller.key.kind == SdkKey.Kind.PUBLISHABLE
        return end_user_identify(
            organization=self.caller.organization,
            address=client_address(request._request) if is_page else "",
            **_claims(request, data),
        )

    def known_end_user(self, request: Request) -> EndUser | None:
        """Return the end user that a GET's headers name, or None: a read makes nobody up.

        Raises ``ServiceError`` (``identity_invalid``) as ``end_user_find`` does.
        """
        return end_user_find(organization=self.caller.organization, **_claims(request, {}))


def _claims(request: Request, data: dict[str, Any]) -> dict[str, str]:
    """Return who a request says it is for: in its body, else in its headers."""
    user = data.get("user") or {}
    return {
        "external_id": user.get("id") or request.headers.get("X-Circuy-User", ""),
        "user_hash": user.get("hash") or request.headers.get("X-Circuy-User-Hash", ""),
        "visitor": data.get("visitor") or request.headers.get("X-Circuy-Visitor", ""),
    }
