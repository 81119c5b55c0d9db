"""Errors of the API as RFC 9457 problem details with a stable ``code``."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from organizations.errors import ServiceError
from organizations.ratelimit import RateLimitedError

log = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"


def problem(
    status: int, code: str, detail: str, *, fields: dict[str, str] | None = None, retry_after: int | None = None
) -> JsonResponse:
    """Return a problem as a Django response; ``fields`` become ``errors: [{field, detail}]``."""
    body: dict[str, Any] = {
        "type": f"https://circuy.dev/problems/{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
    }
    if fields:
        body["errors"] = [{"field": field, "detail": text} for field, text in fields.items()]
    response = JsonResponse(body, status=status, content_type=CONTENT_TYPE, json_dumps_params={"ensure_ascii": False})
    if retry_after is not None:
        response["Retry-After"] = str(retry_after)
    if status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = "Bearer"
    return response


def exception_handler(error: Exception, context: dict[str, Any]) -> JsonResponse | Response | None:  # noqa: ARG001
    """DRF's hook: every error of a view, ours or the framework's, in one shape."""
    answer = _answer(error)
    if answer is not None:
        set_rollback()
    return answer


def not_found(request: HttpRequest, exception: Exception | None = None) -> JsonResponse:  # noqa: ARG001
    """Answer for an address of the API that does not exist."""
    return problem(404, "not_found", _("There is nothing at %(path)s.") % {"path": request.path[:200]})


def server_error() -> JsonResponse:
    """Answer for a fault of ours; the log has the rest."""
    return problem(500, "internal_error", _("Something went wrong on our side. Try again."))


def _answer(error: Exception) -> JsonResponse | None:
    if isinstance(error, ServiceError):
        retry_after = error.retry_after if isinstance(error, RateLimitedError) else None
        return problem(error.status, error.code, error.detail, fields=error.fields, retry_after=retry_after)
    if isinstance(error, exceptions.ValidationError):
        return problem(422, "invalid_input", _("The body is not as expected."), fields=_flatten(error.detail))
    for kinds, status, code, detail in _frameworks_errors():
        if isinstance(error, kinds):
            return problem(status, code, detail)
    if isinstance(error, exceptions.APIException):
        return problem(error.status_code, str(error.default_code), str(error.detail))
    return None


def _frameworks_errors() -> list[tuple[tuple[type[Exception], ...], int, str, str]]:
    """Errors of Django and DRF that get a sentence of ours, in the caller's language."""
    return [
        ((Http404, exceptions.NotFound), 404, "not_found", _("There is nothing here.")),
        ((PermissionDenied, exceptions.PermissionDenied), 403, "forbidden", _("You may not do this.")),
        ((exceptions.MethodNotAllowed,), 405, "method_not_allowed", _("This address does not answer that method.")),
        ((exceptions.UnsupportedMediaType,), 415, "unsupported_media_type", _("Send the body as application/json.")),
        ((exceptions.NotAcceptable,), 406, "not_acceptable", _("Only application/json can be answered.")),
    ]


def _flatten(detail: Any, path: str = "") -> dict[str, str]:
    """Turn DRF's nested errors into ``{"events[0].type": "…"}``."""
    if isinstance(detail, dict):
        found: dict[str, str] = {}
        for key, value in detail.items():
            found.update(_flatten(value, _inside(path, key)))
        return found
    if isinstance(detail, list) and any(isinstance(item, dict | list) for item in detail):
        found = {}
        for index, item in enumerate(detail):
            found.update(_flatten(item, f"{path}[{index}]"))
        return found
    texts = detail if isinstance(detail, list) else [detail]
    return {path or "body": " ".join(str(text) for text in texts)} if texts else {}


def _inside(path: str, key: Any) -> str:
    """Name a part of a value; DRF keys the errors of a list by position."""
    if key == "non_field_errors":
        return path
    if isinstance(key, int) or str(key).isdecimal():
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else str(key)
