"""Writes the events of a recording that is read: numbered, spread over time, and without secrets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from shadow.importing.wording import say
from shadow.secret_fields import is_secret

# Recordings do not say when: two steps are so far apart that none is taken for the other's double.
STEP_S = 1.0
EFFECT_S = 0.2
MOST_TEXT = 300
MOST_URL = 2_000


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A step of the file that became no event: its number from 1, its command, and why."""

    step: int
    command: str
    reason: str


@dataclass
class Writing:
    """The events so far. `at` is when the recording is said to begin, in seconds since 1970."""

    locale: str
    at: float = 0.0
    url: str = ""
    title: str = ""
    events: list[dict[str, Any]] = field(default_factory=list)
    unsupported: list[Unsupported] = field(default_factory=list)
    _secret_values: set[str] = field(default_factory=set)

    def act(self, kind: str, target: Mapping[str, Any] | None = None, *, wait: float = STEP_S, **said: Any) -> None:
        """Write an event on the page that is open."""
        self.at += wait
        event: dict[str, Any] = {
            "sequence": len(self.events),
            "kind": kind,
            "at": round(self.at, 3),
            "url": self.url,
            "title": self.title,
            "trusted": True,
            **({"target": _bounded(target)} if target is not None else {}),
            **{key: _cut(value) for key, value in said.items() if value not in (None, "", [])},
        }
        if is_secret(event):
            self._secret_values |= {event[key] for key in ("value", "option") if event.get(key)}
            event = {key: value for key, value in event.items() if key not in ("value", "option", "options", "files")}
            event["secret"] = True
        self.events.append(event)

    def go(self, url: str, cause: str, *, title: str = "", wait: float = STEP_S) -> None:
        """Write that another page opened."""
        before, self.url, self.title = self.url, address(url, self.url), title[:MOST_TEXT]
        self.act("navigate", wait=wait, cause=cause, from_url=before)

    def skip(self, step: int, command: str, code: str) -> None:
        """Name a step that cannot be taken over."""
        shown = command[:60]
        self.unsupported.append(Unsupported(step, shown, say(code, self.locale, command=shown)))

    def told(self) -> list[dict[str, Any]]:
        """The events, without the secrets that were also written somewhere else."""
        return [self._without_secrets(event) for event in self.events]

    @property
    def last_target(self) -> Mapping[str, Any] | None:
        """What was worked on last: it has the focus."""
        return next((event["target"] for event in reversed(self.events) if "target" in event), None)

    def _without_secrets(self, event: dict[str, Any]) -> dict[str, Any]:
        if event.get("value") in self._secret_values:
            return {**{key: value for key, value in event.items() if key != "value"}, "secret": True}
        return event


def address(url: str, base: str = "") -> str:
    """Return an address without what is secret in it: no password, no values of the query, no fragment but a route."""
    try:
        parts, around = urlsplit(url), urlsplit(base)
    except ValueError:
        return ""
    if not parts.scheme and around.scheme:
        path = parts.path if parts.path.startswith("/") else f"/{parts.path}"
        parts = parts._replace(scheme=around.scheme, netloc=around.netloc, path=path)
    names = [pair.partition("=")[0] for pair in parts.query.split("&") if pair]
    route = parts.fragment.partition("?")[0] if parts.fragment.startswith("/") else ""
    query = "&".join(f"{name}=" for name in names)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, query, route))[:MOST_URL]


def texts(value: Any) -> list[str]:
    """Return the texts of a list; nothing when it is none."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    return [each for each in value if isinstance(each, str)]


def _bounded(target: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _cut(value) for key, value in target.items()}


def _cut(value: Any) -> Any:
    return value[:MOST_TEXT] if isinstance(value, str) else value
