"""What servers refuse, in the words in which they were seen to refuse it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

ServerKind = Literal[
    "plain",
    "openai",
    "responses_only",
    "newer_openai_chat",
    "llama_cpp_before_schemas",
    "llama_cpp_one_grammar",
    "llama_cpp_python",
    "deepseek",
    "groq",
    "no_formats",
    "no_stream_options",
    "ollama_native",
]
Request = dict[str, Any]

CHAT, RESPONSES, OLLAMA = "/v1/chat/completions", "/v1/responses", "/api/chat"
_SERVED: dict[ServerKind, tuple[str, ...]] = {
    "openai": (CHAT, RESPONSES),
    "responses_only": (CHAT, RESPONSES),
    "ollama_native": (OLLAMA,),
}


@dataclass(frozen=True)
class Refused:
    """An error reply: JSON, or text as a router gives it."""

    status: int
    body: object

    @property
    def payload(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()

    @property
    def content_type(self) -> str:
        return "text/plain" if isinstance(self.body, str) else "application/json"


def refusal(kind: ServerKind, path: str, request: Request) -> Refused | None:
    """How a server of this kind turns down a request, or None when it takes it."""
    if path not in _SERVED.get(kind, (CHAT,)):
        return Refused(404, "404 page not found" if kind == "ollama_native" else _error("unknown path"))
    rules = {RESPONSES: _RESPONSES, OLLAMA: _OLLAMA}.get(path) or (*_CHAT.get(kind, ()), *_STRICT.get(kind, ()))
    return next((refused for is_refused, refused in rules if is_refused(request)), None)


def _error(message: str, *, param: str | None = None, code: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def _is_not_object(request: Request) -> bool:
    return bool(_form(request).get("type") != "json_object")


def _is_not_strict(request: Request) -> bool:
    schema = _form(request).get("json_schema", {})
    return schema.get("strict") is not True or _is_loose(schema.get("schema", {}))


def _is_not_strict_text(request: Request) -> bool:
    form = request.get("text", {}).get("format", {})
    return form.get("type") != "json_schema" or form.get("strict") is not True or _is_loose(form.get("schema", {}))


def _form(request: Request) -> dict[str, Any]:
    form: dict[str, Any] = request.get("response_format", {})
    return form


def _is_loose(schema: Any) -> bool:
    """Structured Outputs want every object closed and all its properties required."""
    if not isinstance(schema, dict):
        return False
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(properties):
            return True
    return any(map(_is_loose, schema.values()))


Rule = tuple[Callable[[Request], bool], Refused]

_WANTS_STRICT: tuple[Rule, ...] = (
    (_is_not_strict, Refused(400, _error("response_format must be a strict json_schema, closed and all required"))),
)
_STRICT: dict[ServerKind, tuple[Rule, ...]] = {
    "plain": _WANTS_STRICT,
    "openai": _WANTS_STRICT,
    "newer_openai_chat": _WANTS_STRICT,
    "no_stream_options": _WANTS_STRICT,
}
_RESPONSES: tuple[Rule, ...] = (
    (_is_not_strict_text, Refused(400, _error("text.format must be a strict json_schema, closed and all required"))),
    (lambda request: request.get("store") is not False, Refused(400, _error("these tests want nothing stored"))),
)
_OLLAMA: tuple[Rule, ...] = (
    (lambda request: not isinstance(request.get("format"), dict), Refused(400, {"error": "invalid format"})),
)
_CHAT: dict[ServerKind, tuple[Rule, ...]] = {
    "responses_only": (
        (
            lambda _: True,
            Refused(
                404,
                _error("This model is only supported in v1/responses and not in v1/chat/completions.", param="model"),
            ),
        ),
    ),
    "newer_openai_chat": (
        (
            lambda request: "max_tokens" in request,
            Refused(
                400,
                _error(
                    "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                    "'max_completion_tokens' instead.",
                    param="max_tokens",
                    code="unsupported_parameter",
                ),
            ),
        ),
        (
            lambda request: "temperature" in request,
            Refused(
                400,
                _error(
                    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value "
                    "is supported.",
                    param="temperature",
                    code="unsupported_value",
                ),
            ),
        ),
    ),
    "no_stream_options": (
        (
            lambda request: "stream_options" in request,
            Refused(400, _error("Extra inputs are not permitted, field: 'stream_options'")),
        ),
    ),
    "no_formats": (
        (
            lambda request: "response_format" in request,
            Refused(
                400,
                {
                    "object": "error",
                    "message": "[{'type': 'extra_forbidden', 'loc': ('body', 'response_format'), 'msg': 'Extra inputs "
                    "are not permitted', 'input': {}}]",
                    "type": "BadRequestError",
                    "param": None,
                    "code": 400,
                },
            ),
        ),
    ),
    "llama_cpp_before_schemas": (
        (
            _is_not_object,
            Refused(
                500,
                {
                    "error": {
                        "code": 500,
                        "message": 'response_format type must be one of "text" or "json_object", but got: json_schema',
                        "type": "server_error",
                    }
                },
            ),
        ),
    ),
    # Builds of February 2025, with a chat template of their own.
    "llama_cpp_one_grammar": (
        (
            lambda request: "response_format" in request,
            Refused(
                400,
                {
                    "error": {
                        "code": 400,
                        "message": 'Either "json_schema" or "grammar" can be specified, but not both',
                        "type": "invalid_request_error",
                    }
                },
            ),
        ),
    ),
    "llama_cpp_python": (
        (
            _is_not_object,
            Refused(
                500,
                _error(
                    "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be "
                    "'text' or 'json_object'\", 'input': 'json_schema'}]"
                ),
            ),
        ),
    ),
    "deepseek": (
        (
            _is_not_object,
            Refused(400, _error("This response_format type is unavailable now", code="invalid_request_error")),
        ),
    ),
    "groq": (
        (
            _is_not_object,
            Refused(
                400,
                _error("'response_format.type' : value is not one of the allowed values ['text','json_object']"),
            ),
        ),
        (
            lambda request: "schema" in _form(request),
            Refused(400, _error("'response_format' : property 'schema' is unsupported")),
        ),
    ),
}
