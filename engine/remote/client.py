"""One call to a chat-completions server: bounded in time and size, every failure an `EngineError`."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai
from openai.types.chat import ChatCompletionMessageParam
from openai.types.shared_params import ResponseFormatJSONSchema

from engine.errors import EngineError, ErrorCode
from engine.types import EngineConfig, Usage

_MOST_BYTES = 1_000_000
_LONGEST_WAIT_S = 5.0
_PAUSE_S = 0.3
_RETRIED = frozenset(("provider_rate_limited", "provider_unavailable"))
_FENCE = re.compile(r"^\s*```(?:json)?\s*|\s*```\s*$")


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered: the JSON object, which model it says it is, and what it cost."""

    data: dict[str, Any]
    model: str
    usage: Usage


class Deadline:
    """A moment that no call may pass. Times are in seconds of a monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left; raises `provider_timeout` when there are none."""
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise EngineError("provider_timeout", "the time for this answer is over")
        return seconds


def complete(
    config: EngineConfig,
    messages: Sequence[ChatCompletionMessageParam],
    *,
    schema_name: str,
    schema: Mapping[str, object],
    max_tokens: int,
    deadline: Deadline,
    sleep: Callable[[float], None] = time.sleep,
) -> Completion:
    """Ask for a JSON object that follows `schema`. A busy or failing server is asked once more if time allows.

    Raises `EngineError`; never passes the deadline by more than one network read.
    """
    response_format: ResponseFormatJSONSchema = {
        "type": "json_schema",
        "json_schema": {"name": schema_name, "strict": True, "schema": dict(schema)},
    }
    try:
        return _once(config, messages, response_format, max_tokens, deadline)
    except EngineError as error:
        wait = error.retry_after_s if error.retry_after_s is not None else _PAUSE_S
        if error.code not in _RETRIED or wait > min(_LONGEST_WAIT_S, deadline.left()):
            raise
    sleep(wait)
    return _once(config, messages, response_format, max_tokens, deadline)


def _once(
    config: EngineConfig,
    messages: Sequence[ChatCompletionMessageParam],
    response_format: ResponseFormatJSONSchema,
    max_tokens: int,
    deadline: Deadline,
) -> Completion:
    client = _client(config.base_url, config.api_key)
    # OpenAI's newer models know only `max_completion_tokens` and no temperature; other servers know only `max_tokens`.
    native = urlsplit(str(client.base_url)).hostname == "api.openai.com"
    try:
        with client.chat.completions.with_streaming_response.create(
            model=config.model,
            messages=list(messages),
            response_format=response_format,
            max_completion_tokens=max_tokens if native else openai.omit,
            max_tokens=openai.omit if native else max_tokens,
            temperature=openai.omit if native else 0,
            timeout=deadline.left(),
        ) as response:
            return _read(_body(response.iter_bytes(), deadline), config.model)
    except openai.APITimeoutError as error:
        raise EngineError("provider_timeout", "no answer in time") from error
    except openai.RateLimitError as error:
        raise EngineError("provider_rate_limited", "asked to wait", retry_after_s=_retry_after(error)) from error
    except openai.InternalServerError as error:
        raise EngineError(
            "provider_unavailable", f"status {error.status_code}", retry_after_s=_retry_after(error)
        ) from error
    except openai.APIStatusError as error:
        raise EngineError("provider_invalid", f"status {error.status_code}") from error
    except httpx2.TimeoutException as error:
        raise EngineError("provider_timeout", "the answer stopped coming") from error
    except (openai.APIConnectionError, httpx2.HTTPError) as error:
        raise EngineError("provider_unavailable", "no connection") from error
    except openai.OpenAIError as error:
        raise EngineError("provider_invalid", type(error).__name__) from error


def _body(chunks: Any, deadline: Deadline) -> bytes:
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > _MOST_BYTES:
            raise EngineError("provider_invalid", "the answer is too long")
        deadline.left()
    return bytes(body)


def _read(body: bytes, model: str) -> Completion:
    try:
        envelope = json.loads(body)
        choice = envelope["choices"][0]
        message = choice["message"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        raise EngineError("provider_invalid", "not a chat completion") from error
    if not isinstance(message, dict) or not isinstance(choice, dict):
        raise EngineError("provider_invalid", "not a chat completion")
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        raise EngineError("provider_refused", "the model declined")
    if choice.get("finish_reason") == "length":
        raise EngineError("provider_truncated", "the answer was cut")
    content = message.get("content")
    if not isinstance(content, str) or not content.strip():
        raise EngineError("provider_invalid", "an empty answer")
    try:
        data = json.loads(_FENCE.sub("", content))
    except (ValueError, RecursionError) as error:
        begun = content.lstrip("` \njson").startswith("{")
        code: ErrorCode = "provider_truncated" if begun else "provider_invalid"
        raise EngineError(code, "the answer is not JSON") from error
    if not isinstance(data, dict):
        raise EngineError("provider_invalid", "the answer is not an object")
    said = envelope.get("model")
    return Completion(data, said if isinstance(said, str) else model, _usage(envelope.get("usage")))


def _usage(data: object) -> Usage:
    if not isinstance(data, dict):
        return Usage()
    counts = [data.get(name) for name in ("prompt_tokens", "completion_tokens")]
    return Usage(*(count if isinstance(count, int) and count >= 0 else 0 for count in counts))


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Seconds that the server asked to wait; dates and nonsense count as silence."""
    try:
        seconds = float(error.response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < 86_400 else None


@lru_cache(maxsize=32)
def _client(base_url: str, api_key: str) -> openai.OpenAI:
    """Keep a client, and so its connections, for each account. It follows no redirect and retries nothing itself."""
    return openai.OpenAI(
        base_url=base_url or None,
        api_key=api_key or "none",
        max_retries=0,
        http_client=openai.DefaultHttpx2Client(follow_redirects=False),
    )
