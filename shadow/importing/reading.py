"""A file of recordings, whoever wrote it, as the events that a person's demonstration would have made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

import yaml

from shadow.importing import chrome, own, selenium
from shadow.importing.wording import ImportFileError, say
from shadow.importing.writing import Unsupported, Writing

Format = Literal["chrome", "selenium", "circuy", "workflow"]
MOST_MEGABYTES = 4
MOST_STEPS = 2_000
# A workflow knows routes, not hosts.
DEFAULT_BASE = "https://example.org"


@dataclass(frozen=True, slots=True)
class Recording:
    """One demonstration of a file. `events` are in the form of the wire, from sequence 0, without secrets."""

    title: str
    events: list[dict[str, Any]]
    unsupported: tuple[Unsupported, ...]


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """What a file holds. Recordings of which nothing can be taken over have no events."""

    format: Format
    recordings: tuple[Recording, ...]


def read_recordings(
    content: bytes | str, *, locale: str = "fr", started_at: float = 0.0, base: str = DEFAULT_BASE
) -> ImportedFile:
    """Read a recording of Chrome DevTools, a Selenium IDE project, or what Circuy exports (JSON, or YAML).

    `started_at` is when the demonstration is said to begin (seconds since 1970), `base` the address that the routes of
    a workflow belong to. What is typed into password fields and the like is left out before anything else is done with
    it. Raises `ImportFileError`, which says what is wrong and where.
    """
    data = _parsed(content, locale)
    if not isinstance(data, Mapping):
        raise ImportFileError("unknown_format", locale)
    title = str(data.get("title") or data.get("name") or "")[:120]
    if isinstance(data.get("tests"), list):
        return ImportedFile("selenium", _tests(data, locale, started_at))
    into = Writing(locale, started_at)
    events, steps = data.get("events"), data.get("steps")
    if data.get("format") == own.FORMAT and isinstance(events, list):
        own.read_events(_bounded(events, locale), into)
        return ImportedFile("circuy", (_recording(title, into),))
    if not isinstance(steps, list):
        raise ImportFileError("unknown_format", locale)
    _bounded(steps, locale)
    if isinstance(data.get("pages"), list):
        own.read_workflow(data, base, into)
        return ImportedFile("workflow", (_recording(title, into),))
    chrome.read_steps(steps, into)
    return ImportedFile("chrome", (_recording(title, into),))


def _tests(project: Mapping[str, Any], locale: str, started_at: float) -> tuple[Recording, ...]:
    base = project.get("url")
    if not isinstance(base, str) or not urlsplit(base).netloc:
        base = DEFAULT_BASE
    recordings = []
    for number, test in enumerate(project["tests"], start=1):
        commands = test.get("commands") if isinstance(test, Mapping) else None
        if not isinstance(commands, list):
            raise ImportFileError("bad_test", locale, test=number, detail=say("no_type", locale, key="commands"))
        into = Writing(locale, started_at)
        selenium.read_commands(commands[: MOST_STEPS + 1], base, into)
        _bounded(commands, locale, may_be_empty=True)
        recordings.append(_recording(str(test.get("name") or "")[:120], into))
    if not recordings:
        raise ImportFileError("no_steps", locale)
    return tuple(recordings)


def _recording(title: str, written: Writing) -> Recording:
    return Recording(title, written.told(), tuple(written.unsupported))


def _bounded(steps: Sequence[Any], locale: str, *, may_be_empty: bool = False) -> Sequence[Any]:
    if not steps and not may_be_empty:
        raise ImportFileError("no_steps", locale)
    if len(steps) > MOST_STEPS:
        raise ImportFileError("too_many", locale, limit=MOST_STEPS)
    return steps


def _parsed(content: bytes | str, locale: str) -> Any:
    if len(content) > MOST_MEGABYTES * 1_000_000:
        raise ImportFileError("too_large", locale, limit=MOST_MEGABYTES)
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content.removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise ImportFileError("not_text", locale) from error
    if not text.lstrip().startswith(("{", "[")):
        return _yaml(text, locale)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ImportFileError("not_json", locale, detail=error.msg, line=error.lineno) from error
    except RecursionError as error:
        raise ImportFileError("unknown_format", locale) from error


def _yaml(text: str, locale: str) -> Any:
    """A workflow as YAML. One that refers to itself is refused: ours never does."""
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text, Loader=yaml.SafeLoader)):
            raise ImportFileError("unknown_format", locale)
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ImportFileError("not_yaml", locale) from error
