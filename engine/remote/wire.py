"""One HTTP request to a model server: bounded in time and size; its reply event by event."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any

import httpx2
import openai

from engine.deadline import Deadline
from engine.errors import EngineError
from engine.remote.dialects import Refusal
from engine.types import EngineConfig

MOST_BYTES = 1_000_000
_LONGEST_RETRY_AFTER_S = 86_400
_SAID_LENGTH = 2000
# openai's client: hand over the reply as it comes instead of reading it.
_AS_IT_COMES = {"X-Stainless-Raw-Response": "stream"}


class RefusedError(Exception):
    """The server answered with an error that other words may avoid; `error` is what it is if they do not."""

    def __init__(self, refusal: Refusal, error: EngineError) -> None:
        super().__init__(str(error))
        self.refusal = refusal
        self.error = error


def events(
    config: EngineConfig, path: str, body: Mapping[str, Any], deadline: Deadline, *, most_bytes: int = MOST_BYTES
) -> Generator[Mapping[str, Any], None, None]:
    """Send a request and give the JSON objects of the reply as they come: one of a plain reply, many of a stream.

    Raises `RefusedError` when the server answers with an error status, `EngineError` for any other failure. Never
    passes the deadline by more than one network read.
    """
    with _errors_of_the_network(), _replied(config, path, body, deadline) as reply:
        kind = reply.headers.get("content-type", "")
        chunks = _bounded(reply.iter_bytes(), deadline, most_bytes)
        if "event-stream" in kind:
            yield from _server_sent(_lines(chunks))
        elif "ndjson" in kind or "jsonl" in kind:
            yield from (_object(line) for line in _lines(chunks) if line.strip())
        else:
            yield _object(b"".join(chunks))


@contextmanager
def _replied(config: EngineConfig, path: str, body: Mapping[str, Any], deadline: Deadline) -> Iterator[httpx2.Response]:
    reply = _client(config.base_url, config.api_key, os.getpid()).post(
        path, cast_to=httpx2.Response, body=dict(body), options={"headers": _AS_IT_COMES, "timeout": deadline.left()}
    )
    try:
        yield reply
    finally:
        reply.close()


@contextmanager
def _errors_of_the_network() -> Iterator[None]:
    try:
        yield
    except openai.APITimeoutError as error:
        raise EngineError("provider_timeout", "no answer in time") from error
    except openai.APIStatusError as error:
        raise RefusedError(Refusal(error.status_code, _said(error)), _error_of(error)) from error
    except httpx2.TimeoutException as error:
        raise EngineError("provider_timeout", "the answer stopped coming") from error
    except (openai.APIConnectionError, httpx2.HTTPError) as error:
        raise EngineError("provider_unavailable", "no connection, or one that broke") from error
    except openai.OpenAIError as error:
        raise EngineError("provider_invalid", type(error).__name__) from error


def _error_of(error: openai.APIStatusError) -> EngineError:
    status = error.status_code
    if status == 429:
        return EngineError("provider_rate_limited", "asked to wait", retry_after_s=retry_after(error.response.headers))
    if status in (401, 402, 403):
        return EngineError("provider_denied", f"status {status}")
    if status >= 500:
        wait = retry_after(error.response.headers)
        return EngineError("provider_unavailable", f"status {status}", retry_after_s=wait)
    return EngineError("provider_invalid", f"status {status}")


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that a server asked to wait, said as seconds or as a date; nonsense counts as silence."""
    said = headers.get("retry-after", "").strip()
    try:
        seconds = float(said)
    except ValueError:
        try:
            moment = parsedate_to_datetime(said)
        except (ValueError, TypeError, IndexError):
            return None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
    return seconds if 0 <= seconds < _LONGEST_RETRY_AFTER_S else None


def _said(error: openai.APIStatusError) -> str:
    try:
        return error.response.text[:_SAID_LENGTH]
    except (httpx2.HTTPError, httpx2.StreamError, UnicodeError):
        return str(error)[:_SAID_LENGTH]


def _bounded(chunks: Iterator[bytes], deadline: Deadline, most_bytes: int) -> Iterator[bytes]:
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > most_bytes:
            raise EngineError("provider_invalid", "the answer is too long")
        deadline.left()
        yield chunk


def _lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line.rstrip(b"\r") for line in whole)
    yield rest


def _server_sent(lines: Iterator[bytes]) -> Iterator[Mapping[str, Any]]:
    """The data of server-sent events. Every server that is known writes each on one line.

    It reads to the end, past `[DONE]`: a connection that is left in the middle of a reply cannot be used again.
    """
    for line in lines:
        field, _, value = line.partition(b":")
        value = value.strip()
        if field == b"data" and value not in (b"", b"[DONE]"):
            yield _object(value)


def _object(text: bytes) -> Mapping[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise EngineError("provider_invalid", "the reply is not JSON") from error
    if not isinstance(data, dict):
        raise EngineError("provider_invalid", "the reply is not an object")
    return data


@lru_cache(maxsize=32)
def _client(base_url: str, api_key: str, process: int) -> openai.OpenAI:  # noqa: ARG001
    """Keep a client, and so its connections, for each account. It follows no redirect and retries nothing itself.

    A process has its own: one that was forked from another would write into the other's connections.
    """
    return openai.OpenAI(
        base_url=base_url or None,
        api_key=api_key or "none",
        max_retries=0,
        http_client=openai.DefaultHttpx2Client(follow_redirects=False),
    )
