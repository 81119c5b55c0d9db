"""What the API's description says beside the views themselves: keys, and errors."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

from circuy.problems import CONTENT_TYPE

PROBLEM = {
    "type": "object",
    "description": "RFC 9457, with a stable `code` that programs can rely on.",
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong and what to do, in the caller's language."},
        "code": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"field": {"type": "string"}, "detail": {"type": "string"}},
                "required": ["field", "detail"],
            },
        },
    },
    "required": ["type", "title", "status", "detail", "code"],
}


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """A publishable key from its allowed origins, or a secret key from a server."""

    target_class = "organizations.api.KeyAuthentication"
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:  # noqa: ARG002
        return {"type": "http", "scheme": "bearer", "description": "pk_… from an allowed origin, or sk_…"}


class RecorderScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The recorder's short-lived token."""

    target_class = "skills.api.RecorderAuthentication"
    name = "recorder"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:  # noqa: ARG002
        return {"type": "http", "scheme": "bearer", "description": "rt_…, from POST /v1/recorder/sessions"}


class ObserverScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The organization's server, or a member who shows."""

    target_class = "shadow.credentials.ObserverAuthentication"
    name = "observer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:  # noqa: ARG002
        return {"type": "http", "scheme": "bearer", "description": "sk_…, or rt_… from POST /v1/recorder/sessions"}


class ChatScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """An end user who asks, or a member who shows."""

    target_class = "shadow.chat_api.ChatAuthentication"
    name = "chat"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:  # noqa: ARG002
        return {"type": "http", "scheme": "bearer", "description": "pk_… from an allowed origin, sk_… or rt_…"}


def describe_problems(result: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    """Say of every call that its errors are problem details."""
    result["components"]["schemas"]["Problem"] = PROBLEM
    answer = {
        "description": "Refused or failed.",
        "content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"]["default"] = answer
    return result
