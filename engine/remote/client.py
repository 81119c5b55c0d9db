"""One answer of a model: in its server's own dialect, asked for again when it was busy; failures are `EngineError`s."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from engine.deadline import Deadline
from engine.errors import EngineError, ErrorCode
from engine.remote.breaker import breaker_for
from engine.remote.dialects import Dialect, ProtocolName, adapted, dialect_for, is_openai, remember
from engine.remote.protocols import WAYS, Asked, Heard
from engine.remote.wire import RefusedError, events
from engine.types import EngineConfig, Usage

_LONGEST_WAIT_S = 5.0
_PAUSE_S = 0.3
_RETRIED = frozenset(("provider_rate_limited", "provider_unavailable"))
_MOST_DIALECTS = 8
_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
# Servers that count no tokens: about so many characters make one.
_CHARACTERS_A_TOKEN = 4

Hear = Callable[[str], None]
Listen = Callable[[], Hear]


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered: its text, the JSON object in it if there is one, and which model it says it is."""

    text: str
    data: dict[str, Any] | None
    model: str


class Meter:
    """Counts the tokens of all calls that one answer takes, failed and abandoned ones included."""

    def __init__(self) -> None:
        self._settled = Usage()
        self._under_way = Usage()

    @property
    def total(self) -> Usage:
        """What was used, as far as it is known: of a call that did not end, what was sent to it."""
        return self._settled + self._under_way

    def sent(self, asked: Asked) -> None:
        """A call begins."""
        length = sum(len(message.content) for message in asked.messages)
        self._settled, self._under_way = self.total, Usage(length // _CHARACTERS_A_TOKEN, 0)

    def ended(self, heard: Heard) -> None:
        """A call has come to its end: what the server counted holds, else what was heard of it."""
        written = sum(map(len, heard.text)) // _CHARACTERS_A_TOKEN
        used = heard.usage or Usage(self._under_way.prompt_tokens, written)
        self._settled, self._under_way = self._settled + used, Usage()

    def refused(self) -> None:
        """A call was turned away: nobody counts it."""
        self._under_way = Usage()


def complete(
    config: EngineConfig,
    asked: Asked,
    *,
    deadline: Deadline,
    meter: Meter,
    listen: Listen | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Completion:
    """Ask for a JSON object that follows a schema. A busy or failing server is asked once more if time allows.

    `listen` gives who hears a text as it is written, once for each text that begins; without it the whole is asked
    for at once. Raises `EngineError`; `provider_paused` at once while the server's circuit breaker is open.
    """
    breaker = breaker_for(config)
    deadline.left()
    breaker.check()
    try:
        completion = _Call(config, asked, deadline, meter, listen).with_patience(sleep)
    except EngineError as error:
        breaker.failed(error)
        raise
    except BaseException:
        breaker.failed(EngineError("provider_unavailable", "the call did not end"))
        raise
    breaker.succeeded()
    return completion


@dataclass(frozen=True, slots=True)
class _Call:
    config: EngineConfig
    asked: Asked
    deadline: Deadline
    meter: Meter
    listen: Listen | None

    def with_patience(self, sleep: Callable[[float], None]) -> Completion:
        """Ask, and once more after a while where that helps and time allows."""
        try:
            return self.in_its_dialect()
        except EngineError as error:
            wait = error.retry_after_s if error.retry_after_s is not None else _PAUSE_S
            if error.code not in _RETRIED or wait > min(_LONGEST_WAIT_S, self.deadline.left_to_start()):
                raise
        sleep(wait)
        return self.in_its_dialect()

    def in_its_dialect(self) -> Completion:
        """Ask as the server is known to want it; find out when it is not known."""
        dialect = dialect_for(self.config)
        tried: set[ProtocolName] = set()
        for _ in range(_MOST_DIALECTS):
            tried.add(dialect.protocol)
            try:
                completion = self.once(dialect)
            except RefusedError as refused:
                self.meter.refused()
                other = adapted(dialect, refused.refusal, tried)
                if other is None:
                    raise refused.error from refused
                dialect = other
            else:
                remember(self.config, dialect)
                return completion
        raise EngineError("provider_invalid", "no dialect is understood")

    def once(self, dialect: Dialect) -> Completion:
        """Ask in one dialect. Raises `RefusedError` when the server does not take it."""
        way, base_url = WAYS[dialect.protocol], self.config.base_url
        body = way.body(self.asked, dialect, stream=self.listen is not None, native=is_openai(base_url))
        heard = Heard()
        hear = self.listen() if self.listen is not None else None
        self.meter.sent(self.asked)
        with closing(events(self.config, way.path(base_url), body, self.deadline)) as pieces:
            for event in pieces:
                before = len(heard.text)
                way.take(heard, event)
                if hear is not None:
                    hear("".join(heard.text[before:]))
        self.meter.ended(heard)
        return _read(heard, self.config.model)


def _read(heard: Heard, model: str) -> Completion:
    if heard.is_refused:
        raise EngineError("provider_refused", "the model declined")
    text = "".join(heard.text)
    if heard.is_cut:
        raise EngineError("provider_truncated", "the answer was cut")
    data = object_in(text)
    if not heard.is_ended and data is None:
        code: ErrorCode = "provider_unavailable" if text else "provider_invalid"
        raise EngineError(code, "the answer broke off" if text else "not an answer of a model")
    if not text.strip():
        raise EngineError("provider_invalid", "an empty answer")
    return Completion(text, data, heard.model or model)


def object_in(text: str) -> dict[str, Any] | None:
    """The JSON object in a model's words: in a fence or not, after a sentence or some thoughts; None without one."""
    text = _THOUGHTS.sub("", text)
    start = text.find("{")
    if start < 0:
        return None
    try:
        data, _end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
