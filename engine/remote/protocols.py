"""The three ways in which servers are asked and answer: chat completions, Responses, and Ollama's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from engine.errors import EngineError
from engine.remote.dialects import Dialect, ProtocolName
from engine.types import Usage


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: str
    content: str

    def to_json(self) -> dict[str, str]:
        """The message in the words that all three ways share."""
        return {"role": self.role, "content": self.content}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model is asked, before any dialect."""

    model: str
    messages: Sequence[Message]
    schema_name: str
    schema: Mapping[str, object]
    max_tokens: int


@dataclass(slots=True)
class Heard:
    """What has come of an answer so far."""

    text: list[str] = field(default_factory=list)
    model: str = ""
    usage: Usage | None = None
    is_refused: bool = False
    is_cut: bool = False
    is_ended: bool = False


class Way(Protocol):
    """How to ask, and how to read what comes back, whole or in pieces."""

    def path(self, base_url: str) -> str:
        """Where to send the request; a relative path is below the base URL."""
        ...

    def body(self, asked: Asked, dialect: Dialect, *, stream: bool, native: bool) -> dict[str, Any]:
        """The request. `native` is whether the server is OpenAI's own."""
        ...

    def take(self, heard: Heard, event: Mapping[str, Any]) -> None:
        """Read one piece of a stream, or a whole reply. Raises `EngineError` when it tells of a failure."""
        ...


class ChatCompletions:
    """`POST /chat/completions`: what nearly every server knows."""

    def path(self, base_url: str) -> str:  # noqa: ARG002
        return "/chat/completions"

    def body(self, asked: Asked, dialect: Dialect, *, stream: bool, native: bool) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": asked.model,
            "messages": [message.to_json() for message in asked.messages],
            **_response_format(asked, dialect),
        }
        # OpenAI's newer models know only `max_completion_tokens` and no temperature; older servers only `max_tokens`.
        newer = native or "max_tokens" in dialect.without
        body["max_completion_tokens" if newer else "max_tokens"] = asked.max_tokens
        if not native and "temperature" not in dialect.without:
            body["temperature"] = 0
        if stream:
            body["stream"] = True
            if "stream_options" not in dialect.without:
                body["stream_options"] = {"include_usage": True}
        return body

    def take(self, heard: Heard, event: Mapping[str, Any]) -> None:
        _fail_on_error(event)
        _note_model(heard, event)
        heard.usage = _usage(event.get("usage"), "prompt_tokens", "completion_tokens") or heard.usage
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, Mapping):
            return
        said = choice.get("delta") or choice.get("message")
        if isinstance(said, Mapping):
            heard.text.append(_text(said.get("content")))
            heard.is_refused |= bool(said.get("refusal"))
        reason = choice.get("finish_reason")
        heard.is_ended |= bool(reason)
        heard.is_cut |= reason == "length"
        heard.is_refused |= reason == "content_filter"


class Responses:
    """`POST /responses`: OpenAI's newer way, and for some of its models the only one."""

    def path(self, base_url: str) -> str:  # noqa: ARG002
        return "/responses"

    def body(self, asked: Asked, dialect: Dialect, *, stream: bool, native: bool) -> dict[str, Any]:
        form: dict[str, Any] = {"type": "text"}
        if dialect.form == "strict":
            form = {"type": "json_schema", "name": asked.schema_name, "strict": True, "schema": dict(asked.schema)}
        elif dialect.form == "object":
            form = {"type": "json_object"}
        body: dict[str, Any] = {
            "model": asked.model,
            "instructions": "\n".join(message.content for message in asked.messages if message.role == "system"),
            "input": [message.to_json() for message in asked.messages if message.role != "system"],
            "text": {"format": form},
            "max_output_tokens": asked.max_tokens,
            # Questions are not left with the server.
            "store": False,
        }
        if not native and "temperature" not in dialect.without:
            body["temperature"] = 0
        return {**body, "stream": True} if stream else body

    def take(self, heard: Heard, event: Mapping[str, Any]) -> None:
        _fail_on_error(event)
        kind = str(event.get("type", ""))
        if kind == "response.output_text.delta":
            heard.text.append(_text(event.get("delta")))
        elif kind.startswith("response.refusal"):
            heard.is_refused = True
        elif kind in ("response.completed", "response.incomplete", "response.failed"):
            whole = event.get("response")
            if isinstance(whole, Mapping):
                self._take_whole(heard, whole)
        elif event.get("object") == "response":
            self._take_whole(heard, event)

    def _take_whole(self, heard: Heard, whole: Mapping[str, Any]) -> None:
        _fail_on_error(whole)
        _note_model(heard, whole)
        heard.usage = _usage(whole.get("usage"), "input_tokens", "output_tokens") or heard.usage
        parts = [
            part
            for item in _mappings(whole.get("output"))
            if item.get("type") == "message"
            for part in _mappings(item.get("content"))
        ]
        heard.is_refused |= any(part.get("type") == "refusal" for part in parts)
        if not heard.text:
            heard.text.extend(_text(part.get("text")) for part in parts if part.get("type") == "output_text")
        status = whole.get("status")
        heard.is_ended |= status in ("completed", "incomplete", None)
        details = whole.get("incomplete_details")
        reason = details.get("reason") if isinstance(details, Mapping) else ""
        heard.is_refused |= reason == "content_filter"
        heard.is_cut |= status == "incomplete" and reason != "content_filter"


class Ollama:
    """`POST /api/chat`: for an Ollama that does not know the others' paths. A schema is always its `format`."""

    def path(self, base_url: str) -> str:
        root = base_url.rstrip("/")
        for ending in ("/v1", "/api"):
            root = root.removesuffix(ending)
        return f"{root}/api/chat"

    def body(self, asked: Asked, dialect: Dialect, *, stream: bool, native: bool) -> dict[str, Any]:  # noqa: ARG002
        return {
            "model": asked.model,
            "messages": [message.to_json() for message in asked.messages],
            "format": dict(asked.schema),
            "stream": stream,
            "options": {"temperature": 0, "num_predict": asked.max_tokens},
        }

    def take(self, heard: Heard, event: Mapping[str, Any]) -> None:
        _fail_on_error(event)
        _note_model(heard, event)
        message = event.get("message")
        if isinstance(message, Mapping):
            heard.text.append(_text(message.get("content")))
        if event.get("done") is True:
            heard.is_ended = True
            heard.is_cut |= event.get("done_reason") == "length"
            heard.usage = _usage(event, "prompt_eval_count", "eval_count")


WAYS: dict[ProtocolName, Way] = {"chat": ChatCompletions(), "responses": Responses(), "ollama": Ollama()}


def _response_format(asked: Asked, dialect: Dialect) -> dict[str, Any]:
    if dialect.form == "prompt":
        return {}
    if dialect.form == "object":
        return {"response_format": {"type": "json_object"}}
    if dialect.form == "beside":
        return {"response_format": {"type": "json_object", "schema": dict(asked.schema)}}
    schema = {"name": asked.schema_name, "strict": True, "schema": dict(asked.schema)}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _fail_on_error(event: Mapping[str, Any]) -> None:
    """Servers tell of a failure in the middle of a stream in different words, all of them under `error`."""
    if event.get("error") or event.get("type") == "error" or event.get("object") == "error":
        raise EngineError("provider_unavailable", "the server stopped with an error")


def _note_model(heard: Heard, event: Mapping[str, Any]) -> None:
    said = event.get("model")
    if isinstance(said, str) and said:
        heard.model = said


def _usage(data: object, prompt: str, completion: str) -> Usage | None:
    if not isinstance(data, Mapping):
        return None
    counts = [data.get(name) for name in (prompt, completion)]
    read = Usage(*(count if isinstance(count, int) and count >= 0 else 0 for count in counts))
    return read if read != Usage() else None


def _text(said: object) -> str:
    """The text of a message: a string, or parts of which some are text."""
    if isinstance(said, list):
        return "".join(_text(part.get("text")) for part in _mappings(said) if part.get("type") == "text")
    return said if isinstance(said, str) else ""


def _mappings(items: object) -> list[Mapping[str, Any]]:
    return [item for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []
