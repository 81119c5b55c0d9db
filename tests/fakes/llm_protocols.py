"""How a server words what its model says: whole or in pieces, in each of the three protocols."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.fakes.llm_words import Prompt, ids_in

MODEL = "fake-model-1"
_PIECE = 5
_FIRST_STEP = re.compile(r'"steps": \["[^"]*"')


@dataclass(frozen=True)
class Said:
    """What the model said, and why it stopped: `stop`, `length` or `refusal`."""

    text: str
    finish: str
    prompt_tokens: int

    @property
    def completion_tokens(self) -> int:
        return len(self.text) // 4

    @property
    def pieces(self) -> list[str]:
        return [self.text[start : start + _PIECE] for start in range(0, len(self.text), _PIECE)]

    @property
    def first_step(self) -> int:
        """The number of the piece with which the first step of an answer closes; 0 without steps."""
        found = _FIRST_STEP.search(self.text)
        return (found.end() - 1) // _PIECE if found else 0


def prompt_of(path: str, request: dict[str, Any]) -> Prompt:
    """Read a request of any protocol."""
    if path.endswith("/responses"):
        system = request.get("instructions", "")
        messages = request["input"]
        schema = request["text"]["format"].get("schema", {})
    else:
        messages = request["messages"]
        system = "\n".join(message["content"] for message in messages if message["role"] == "system")
        form = request.get("response_format", {})
        schema = request.get("format") or form.get("json_schema", form).get("schema", {})
    user = "\n".join(message["content"] for message in messages if message["role"] == "user")
    properties = schema.get("properties", {}) if isinstance(schema, dict) else {}
    if "goals" in properties:
        ids = tuple(properties["goals"]["items"]["properties"]["i"]["enum"])
    else:
        ids = tuple(properties["steps"]["items"]["enum"]) if "steps" in properties else ids_in(user)
    return Prompt(system, user, ids)


def whole(path: str, said: Said) -> dict[str, Any]:
    """The reply to a request that wants the whole at once."""
    if path.endswith("/responses"):
        return _response(said)
    if path == "/api/chat":
        return _ollama(said.text, said)
    refused = said.finish == "refusal"
    message = {
        "role": "assistant",
        "content": None if refused else said.text,
        "refusal": said.text if refused else None,
    }
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": "length" if said.finish == "length" else "stop"}],
        "usage": _chat_usage(said),
    }


def stream(path: str, request: dict[str, Any], said: Said) -> Iterator[str]:
    """The pieces of a streamed reply, as they go over the wire."""
    if path.endswith("/responses"):
        yield from _response_events(said)
    elif path == "/api/chat":
        for piece in said.pieces:
            yield json.dumps({"model": MODEL, "message": {"role": "assistant", "content": piece}, "done": False}) + "\n"
        yield json.dumps(_ollama("", said)) + "\n"
    else:
        yield from _chat_events(request, said)


def _chat_events(request: dict[str, Any], said: Said) -> Iterator[str]:
    def chunk(**choice: Any) -> str:
        data = {"id": "chatcmpl-fake", "object": "chat.completion.chunk", "model": MODEL}
        return _event({**data, "choices": [{"index": 0, "finish_reason": None, **choice}], "usage": None})

    yield chunk(delta={"role": "assistant", "content": "", "refusal": None})
    for piece in said.pieces:
        yield chunk(delta={"refusal" if said.finish == "refusal" else "content": piece})
    yield chunk(delta={}, finish_reason="length" if said.finish == "length" else "stop")
    if request.get("stream_options", {}).get("include_usage"):
        yield _event({"object": "chat.completion.chunk", "model": MODEL, "choices": [], "usage": _chat_usage(said)})
    yield "data: [DONE]\n\n"


def _response_events(said: Said) -> Iterator[str]:
    def named(kind: str, **data: Any) -> str:
        return f"event: {kind}\n" + _event({"type": kind, **data})

    yield named("response.created", response={"object": "response", "status": "in_progress", "output": []})
    kind = "refusal" if said.finish == "refusal" else "output_text"
    for piece in said.pieces:
        yield named(f"response.{kind}.delta", delta=piece, item_id="msg_1", output_index=0, content_index=0)
    ending = "incomplete" if said.finish == "length" else "completed"
    yield named(f"response.{ending}", response=_response(said))


def _response(said: Said) -> dict[str, Any]:
    part = {"type": "output_text", "text": said.text, "annotations": []}
    if said.finish == "refusal":
        part = {"type": "refusal", "refusal": said.text}
    return {
        "id": "resp_fake",
        "object": "response",
        "status": "incomplete" if said.finish == "length" else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if said.finish == "length" else None,
        "error": None,
        "model": MODEL,
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]},
        ],
        "usage": {"input_tokens": said.prompt_tokens, "output_tokens": said.completion_tokens},
    }


def _ollama(text: str, said: Said) -> dict[str, Any]:
    return {
        "model": MODEL,
        "message": {"role": "assistant", "content": text},
        "done": True,
        "done_reason": "length" if said.finish == "length" else "stop",
        "prompt_eval_count": said.prompt_tokens,
        "eval_count": said.completion_tokens,
    }


def _chat_usage(said: Said) -> dict[str, int]:
    total = said.prompt_tokens + said.completion_tokens
    return {"prompt_tokens": said.prompt_tokens, "completion_tokens": said.completion_tokens, "total_tokens": total}


def _event(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"
