"""One event as it came, into what is kept of it: checked, bounded, masked, without secrets."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from engine.masking import Rule, mask
from shadow.secret_fields import is_secret
from skills.payload import is_harmless

KINDS = frozenset(
    {
        *("click", "dblclick", "fill", "select", "check", "key", "submit", "upload", "navigate"),
        *("scroll", "hover", "focus", "unseen", "undo", "pause", "resume"),
    }
)
CAUSES = frozenset({"link", "form", "push", "replace", "pop", "typed", "reload", "back", "forward", "script"})
UNSEEN = frozenset({"cross_origin_frame", "canvas", "closed_shadow"})
MAX_TEXT, MAX_URL, MAX_OPTIONS, MAX_LIST, MAX_SEQUENCE = 300, 2_000, 12, 200, 2**53
LAST_TIME = 4_102_444_800  # the year 2100
TARGET_TEXTS = ("name", "text", "row", "heading", "group", "form", "landmark")
TARGET_CODES = ("tag", "role", "type", "choice")
SELECTORS = ("selector", "fallbackSelector", "fingerprint")
PRESENCE = ("sequence", "kind", "at", "url")
# What says what was put into an element.
VALUES = ("value", "option", "options", "files")
_CONTROLS = dict.fromkeys([*range(32), 127], " ")


class UnfitEventError(Exception):
    """An event that cannot be kept; ``reason`` is a stable code."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class CleanEvent:
    """An event that can be kept. ``payload`` is in the form of the wire."""

    sequence: int
    kind: str
    at: float
    target_keys: frozenset[str]
    is_secret: bool
    payload: dict[str, Any]


def event_clean(event: Any, masks: Sequence[Rule]) -> CleanEvent:
    """Return what may be kept of an event.

    Personal data and what the organization hides is masked, a query keeps its names only, and of an element that
    holds a secret no value is looked at. Keys that are not known are left out. Raises ``UnfitEventError``: ``invalid``
    (a type or a value that makes no sense), ``too_long``, ``untrusted`` (a script's, not a person's).
    """
    if not isinstance(event, Mapping):
        raise UnfitEventError("invalid")
    sequence, kind, at = sequence_of(event), event.get("kind"), event.get("at")
    if sequence is None or kind not in KINDS or not _is_time(at):
        raise UnfitEventError("invalid")
    if event.get("trusted") is False:
        raise UnfitEventError("untrusted")
    secret = is_secret(event)
    read = _Reader(event, masks)
    payload: dict[str, Any] = {"sequence": sequence, "kind": kind, "at": at}
    payload |= read.address("url") | read.text("title") | read.code("frame", MAX_TEXT)
    target = event.get("target")
    if target is not None:
        payload["target"] = _target_clean(target, masks, secret=secret)
    if secret:
        payload["secret"] = True
    else:
        payload |= read.text("value") | read.text("option") | read.texts("options", MAX_OPTIONS)
        payload |= read.texts("files", MAX_OPTIONS)
    payload |= read.flag("checked") | read.number("detail") | _key_clean(read)
    payload |= read.one_of("cause", CAUSES) | read.address("from_url") | read.one_of("reason", UNSEEN)
    if kind == "undo":
        payload["undone"] = _sequences(event.get("undone"))
    return CleanEvent(sequence, str(kind), float(at or 0), target_keys(event), secret, payload)


def sequence_of(event: Any) -> int | None:
    """Return the number of an event, or None when it has none that can be kept."""
    number = event.get("sequence") if isinstance(event, Mapping) else None
    fits = isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= MAX_SEQUENCE
    return number if fits else None


def presence_only(event: CleanEvent) -> CleanEvent:
    """Return what is kept of an event while nobody said that it may be watched: that something happened, and where."""
    kept: dict[str, Any] = {key: event.payload[key] for key in PRESENCE if key in event.payload}
    return CleanEvent(event.sequence, event.kind, event.at, frozenset(), False, kept)


def without_values(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event without what was put into its element, which turned out to hold a secret."""
    kept = {key: value for key, value in payload.items() if key not in VALUES}
    if "target" in kept:
        kept["target"] = {key: value for key, value in kept["target"].items() if key != "text"}
    return {**kept, "secret": True}


def target_keys(event: Mapping[str, Any]) -> frozenset[str]:
    """Return names of an event's element that hold within its session, whatever type it has for the moment.

    None for an event without an element.
    """
    target = event.get("target")
    if not isinstance(target, Mapping):
        return frozenset()
    url = event.get("url")
    path = urlsplit(url).path if isinstance(url, str) and len(url) <= MAX_URL and _splits(url) else ""
    known_by = [target.get("selector"), target.get("fallbackSelector")]
    if target.get("tag") in ("input", "textarea") and isinstance(target.get("name"), str) and target["name"]:
        # Whoever shows a password changes its type, which a selector may speak of: its name stays.
        known_by.append(f"name={target['name']}")
    named = (f"{path}\n{event.get('frame', '')}\n{one}" for one in known_by if isinstance(one, str) and one)
    return frozenset(hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:32] for name in named)


def address_clean(url: str, masks: Sequence[Rule]) -> str:
    """Return an address without its query's values, without a name and password, and with a fragment only when that
    is a route; what is personal in its path is ``*``."""
    if not _splits(url):
        return ""
    parts = urlsplit(url)
    host = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else ""
    names = [name for name, _value in parse_qsl(parts.query, keep_blank_values=True)]
    query = "?" + "&".join(f"{mask(name, masks)}=" for name in names) if names else ""
    fragment = "#" + _path_masked(parts.fragment.split("?")[0], masks) if parts.fragment.startswith("/") else ""
    return (host + _path_masked(parts.path, masks) + query + fragment)[:MAX_URL]


def _path_masked(path: str, masks: Sequence[Rule]) -> str:
    segments = path.split("/")
    return "/".join(
        "*" if any(mask(form, masks) != form for form in (segment, unquote(segment))) else segment
        for segment in segments
    )


def _splits(url: str) -> bool:
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True


def _is_time(at: Any) -> bool:
    return isinstance(at, int | float) and not isinstance(at, bool) and math.isfinite(at) and 0 <= at <= LAST_TIME


def _target_clean(target: Any, masks: Sequence[Rule], *, secret: bool) -> dict[str, Any]:
    if not isinstance(target, Mapping):
        raise UnfitEventError("invalid")
    read = _Reader(target, masks)
    clean: dict[str, Any] = {}
    for key in TARGET_CODES:
        clean |= read.code(key, 60)
    for key in TARGET_TEXTS:
        # What stands in a field that holds a secret is the secret.
        if not (secret and key == "text"):
            clean |= read.text(key)
    for key in SELECTORS:
        clean |= read.selector(key)
    return clean | read.flag("interactive") | read.number("matches")


def _key_clean(read: _Reader) -> dict[str, Any]:
    """A key that writes a letter is what somebody types: it is never kept, with or without a value around it."""
    clean = read.code("key", 40)
    if clean and len(clean["key"]) == 1:
        raise UnfitEventError("invalid")
    return clean


def _sequences(undone: Any) -> list[int]:
    if not isinstance(undone, list) or len(undone) > MAX_LIST:
        raise UnfitEventError("invalid")
    numbers = [sequence_of({"sequence": number}) for number in undone]
    if None in numbers:
        raise UnfitEventError("invalid")
    return [number for number in numbers if number is not None]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one key at a time from what came: nothing when it is absent, ``UnfitEventError`` when it is not."""

    data: Mapping[str, Any]
    masks: Sequence[Rule]

    def text(self, key: str) -> dict[str, str]:
        return self._string(key, MAX_TEXT, lambda text: mask(text.translate(_CONTROLS), self.masks)[:MAX_TEXT])

    def texts(self, key: str, most: int) -> dict[str, list[str]]:
        values = self.data.get(key)
        if values is None:
            return {}
        if not isinstance(values, list) or len(values) > most:
            raise UnfitEventError("invalid")
        each = [_Reader({"one": value}, self.masks).text("one") for value in values]
        return {key: [one["one"] for one in each if one]}

    def code(self, key: str, most: int) -> dict[str, str]:
        """A word of the page's code, which people do not read."""
        return self._string(key, most, lambda text: text if is_harmless(text, self.masks) else "")

    def selector(self, key: str) -> dict[str, str]:
        """What finds an element; one that names somebody finds it on nobody else's page."""
        return self._string(key, 1_000, lambda text: text if is_harmless(text, self.masks) else "")

    def address(self, key: str) -> dict[str, str]:
        return self._string(key, MAX_URL, lambda text: address_clean(text, self.masks))

    def one_of(self, key: str, known: frozenset[str]) -> dict[str, str]:
        value = self.data.get(key)
        if value is not None and value not in known:
            raise UnfitEventError("invalid")
        return {} if value is None else {key: value}

    def flag(self, key: str) -> dict[str, bool]:
        value = self.data.get(key)
        if value is not None and not isinstance(value, bool):
            raise UnfitEventError("invalid")
        return {} if value is None else {key: value}

    def number(self, key: str) -> dict[str, int]:
        value = self.data.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or abs(value) > MAX_SEQUENCE):
            raise UnfitEventError("invalid")
        return {} if value is None else {key: value}

    def _string(self, key: str, most: int, clean: Callable[[str], str]) -> dict[str, str]:
        value = self.data.get(key)
        if value is None:
            return {}
        if not isinstance(value, str) or "\x00" in value or any("\ud800" <= char <= "\udfff" for char in value):
            raise UnfitEventError("invalid")
        if len(value) > most:
            raise UnfitEventError("too_long")
        kept = clean(value)
        return {key: kept} if kept else {}
