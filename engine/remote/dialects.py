"""How each server wants to be asked. Found out from what it refuses, and remembered for as long as the process lives.

Servers that speak "OpenAI's protocol" differ in the path, in how a schema is given, and in the optional parts that
they know. The first call says everything; a refusal that names a part is answered by one more call without it.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlsplit

from engine.types import EngineConfig

ProtocolName = Literal["chat", "responses", "ollama"]
# A strict schema; JSON that a schema beside it describes (llama.cpp's and others'); any JSON; as the prompt says.
SchemaForm = Literal["strict", "beside", "object", "prompt"]
OptionalPart = Literal["stream_options", "temperature", "max_tokens"]

_PROTOCOLS: tuple[ProtocolName, ...] = ("chat", "responses", "ollama")
_FORMS: tuple[SchemaForm, ...] = ("strict", "beside", "object", "prompt")
_MOST_KEPT = 256
_NO_SUCH_PATH = (404, 405, 501)
# Keys, payments, waits: no other words would help.
_NOT_ABOUT_WORDS = (401, 402, 403, 408, 413, 429)
_NO_SUCH_MODEL = re.compile(r"model[^.]{0,80}(?:not found|does not exist|not exist|no access|not available)")
_OTHER_PATH = re.compile(
    r"not a chat model|only supported in v1/responses|not supported in the v1/chat/completions|unsupported path"
)
_ABOUT_SCHEMA = re.compile(
    r"response[ _.]?format|json[ _]schema|json[ _]object|text\.format|structured[ _]outputs?|guided|grammar|schema"
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The path, the form of the schema, and the optional parts that are left out."""

    protocol: ProtocolName = "chat"
    form: SchemaForm = "strict"
    without: frozenset[OptionalPart] = frozenset()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reply that is an error: its status and the beginning of its body."""

    status: int
    said: str


_known: OrderedDict[tuple[str, str], Dialect] = OrderedDict()
_lock = threading.Lock()


def dialect_for(config: EngineConfig) -> Dialect:
    """What this server is known to understand, or what to try first."""
    with _lock:
        known = _known.get((config.base_url, config.model))
    return known or Dialect(protocol="responses" if is_openai(config.base_url) else "chat")


def remember(config: EngineConfig, dialect: Dialect) -> None:
    """Keep what a server has just understood."""
    with _lock:
        _known[config.base_url, config.model] = dialect
        while len(_known) > _MOST_KEPT:
            _known.popitem(last=False)


def is_openai(base_url: str) -> bool:
    """Whether an address is OpenAI's own."""
    return not base_url or urlsplit(base_url).hostname == "api.openai.com"


def adapted(dialect: Dialect, refusal: Refusal, tried: Collection[ProtocolName]) -> Dialect | None:
    """The dialect to try next after a refusal, or None when the refusal is about something else.

    `tried` are the paths that were asked already.
    """
    said = refusal.said.lower()
    if _OTHER_PATH.search(said) or (refusal.status in _NO_SUCH_PATH and not _NO_SUCH_MODEL.search(said)):
        untried = next((name for name in _PROTOCOLS if name not in tried), None)
        return None if untried is None else replace(dialect, protocol=untried)
    if refusal.status in _NOT_ABOUT_WORDS:
        return None
    part = _part_refused(said)
    if part is not None and part not in dialect.without:
        return replace(dialect, without=dialect.without | {part})
    return _with_looser_schema(dialect, said) if _ABOUT_SCHEMA.search(said) else None


def _part_refused(said: str) -> OptionalPart | None:
    if "stream_options" in said:
        return "stream_options"
    if "max_tokens" in said and "max_completion_tokens" in said:
        return "max_tokens"
    if "temperature" in said:
        return "temperature"
    return None


def _with_looser_schema(dialect: Dialect, said: str) -> Dialect | None:
    if dialect.protocol == "ollama" or dialect.form == "prompt":
        return None
    following = _FORMS[_FORMS.index(dialect.form) + 1]
    if dialect.protocol == "responses" and following == "beside":
        following = "object"
    if following == "object" and re.search(r"must be '?json_schema'? or '?text", said):
        # LM Studio's words: it knows a schema or nothing.
        following = "prompt"
    return replace(dialect, form=following)
