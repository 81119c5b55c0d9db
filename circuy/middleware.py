"""What stands in front of the views: the size of the API's bodies, who may read its answers, its errors in one shape;
and, of the pages, no text that the database would choke on."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext as _

from circuy.problems import not_found, problem, server_error
from organizations.keys import origin_is_known

log = logging.getLogger(__name__)

PREFIXES = ("/v1/", "/api/v1/")
MAX_BODY = 256 * 1024
PREFLIGHT_LASTS_S = "7200"
METHODS = "GET, POST, OPTIONS"
HEADERS = "Authorization, Content-Type, If-None-Match, X-Circuy-Visitor, X-Circuy-User, X-Circuy-User-Hash"
EXPOSED = "Location, ETag, Retry-After"


class ApiGuardMiddleware:
    """Bounds bodies before they are read, answers CORS for each key, and turns faults into problem details.

    A preflight carries no key: it is answered for an origin of any live publishable key. The answer itself
    may be read only from an origin of the key that was used; errors, by any known origin, so that the SDK
    can say what is wrong.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(PREFIXES):
            return self.get_response(request)
        with override(get_language_from_request(request)):
            response = self._answer(request)
        self._let_read(request, response)
        return response

    def _answer(self, request: HttpRequest) -> HttpResponse:
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            return HttpResponse(status=204)
        length = request.headers.get("Content-Length") or "0"
        if request.headers.get("Transfer-Encoding"):
            return problem(411, "length_required", _("Send the body with a Content-Length."))
        if not length.isdecimal() or len(length) > len(str(MAX_BODY)) or int(length) > MAX_BODY:
            return problem(
                413,
                "body_too_large",
                _("The body is larger than the %(max)d KB accepted.") % {"max": MAX_BODY // 1024},
            )
        return self._in_one_shape(request, self.get_response(request))

    @staticmethod
    def _in_one_shape(request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Return a fault of the framework's as a problem, and anything else as it is."""
        is_ours = response.headers.get("Content-Type", "").startswith(("application/", "text/event-stream"))
        if response.status_code < 400 or is_ours:
            return response
        if response.status_code == 404:
            return not_found(request)
        if response.status_code < 500:
            # Django refused before any view: an unknown Host, a broken body.
            return problem(response.status_code, "bad_request", _("The request cannot be read."))
        return server_error()

    @staticmethod
    def _let_read(request: HttpRequest, response: HttpResponse) -> None:
        patch_vary_headers(response, ["Origin", "Authorization"])
        origin = request.headers.get("Origin")
        if origin is None:
            return
        is_preflight = response.status_code == 204
        allowed = origin == getattr(request, "cors_origin", None)
        if not allowed and (is_preflight or response.status_code >= 400):
            allowed = origin_is_known(origin)
        if not allowed:
            return
        response["Access-Control-Allow-Origin"] = origin
        response["Access-Control-Expose-Headers"] = EXPOSED
        if is_preflight:
            response["Access-Control-Allow-Methods"] = METHODS
            response["Access-Control-Allow-Headers"] = HEADERS
            response["Access-Control-Max-Age"] = PREFLIGHT_LASTS_S


class NoNulMiddleware:
    """Refuses (400) an address or a form with the character U+0000, which PostgreSQL keeps in no text.

    No page of the administration sends one; without this, each filter, search and field would have to look for
    it. The API's bodies are its parser's to refuse, of Slack's forms nothing but well-formed ids reaches the database
    before it is cleaned, and Maison Orée, a customer, looks after its own forms.
    """

    LOOKED_AFTER_ELSEWHERE = (*PREFIXES, "/slack/", "/maison-oree/")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(self.LOOKED_AFTER_ELSEWHERE) and self._has_nul(request):
            raise BadRequest("U+0000 in the address or in a form")
        return self.get_response(request)

    @staticmethod
    def _has_nul(request: HttpRequest) -> bool:
        if "\x00" in request.path:
            return True
        sent = [request.GET, request.POST] if request.method == "POST" else [request.GET]
        return any("\x00" in text for data in sent for key, values in data.lists() for text in (key, *values))
