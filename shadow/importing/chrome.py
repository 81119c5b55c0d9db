"""Recordings of the Chrome DevTools Recorder: https://github.com/puppeteer/replay describes their steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shadow.importing.locators import target_of
from shadow.importing.wording import ImportFileError, say
from shadow.importing.writing import EFFECT_S, Writing, texts

_KINDS = {"click": "click", "doubleClick": "dblclick"}
_WAITS = frozenset({"waitForElement", "waitForExpression"})
_WINDOW = frozenset({"setViewport", "emulateNetworkConditions", "close"})
_POINTER = frozenset({"hover", "scroll"})
_HELD = frozenset({"Control", "Meta", "Alt", "Shift"})
_PRESSES = {" ": "Space"}


def read_steps(steps: Sequence[Any], into: Writing) -> None:
    """Write the events of a recording's steps. Raises `ImportFileError` for one that is no step at all."""
    held: list[str] = []
    for number, step in enumerate(steps, start=1):
        if not isinstance(step, Mapping):
            raise ImportFileError("bad_step", into.locale, step=number, detail=say("not_an_object", into.locale))
        kind = step.get("type")
        if not isinstance(kind, str) or not kind:
            detail = say("no_type", into.locale, key="type")
            raise ImportFileError("bad_step", into.locale, step=number, detail=detail)
        _read(number, kind, step, into, held)
        if kind != "navigate":
            _assert_navigation(step, into)


def _read(number: int, kind: str, step: Mapping[str, Any], into: Writing, held: list[str]) -> None:
    if kind == "navigate":
        _open(number, step, into)
    elif kind in _KINDS or kind == "change":
        _act(number, kind, step, into)
    elif kind == "keyDown":
        _press(number, step, into, held)
    elif kind == "keyUp":
        if step.get("key") in held:
            held.remove(str(step["key"]))
    elif kind in _WAITS:
        into.skip(number, kind, "waits")
    elif kind in _WINDOW:
        into.skip(number, kind, "window")
    elif kind in _POINTER:
        into.skip(number, kind, "pointer")
    else:
        into.skip(number, kind, "unsupported")


def _open(number: int, step: Mapping[str, Any], into: Writing) -> None:
    url = step.get("url")
    if not isinstance(url, str) or not url:
        into.skip(number, "navigate", "no_url")
        return
    into.go(url, "typed", title=_navigation(step).get("title", ""))


def _act(number: int, kind: str, step: Mapping[str, Any], into: Writing) -> None:
    if step.get("button") not in (None, "primary"):
        into.skip(number, kind, "button")
        return
    target = target_of(_locators(step.get("selectors")))
    if not target:
        into.skip(number, kind, "no_element")
        return
    frame = _frame(step.get("frame"))
    if kind != "change":
        into.act(_KINDS[kind], target, frame=frame, detail=2 if kind == "doubleClick" else 1)
        return
    value = step.get("value")
    said = value if isinstance(value, str) else ""
    if target.get("tag") == "select" or target.get("role") in ("combobox", "listbox"):
        into.act("select", target, frame=frame, option=said)
    else:
        into.act("fill", target, frame=frame, value=said)


def _press(number: int, step: Mapping[str, Any], into: Writing, held: list[str]) -> None:
    key = str(step.get("key") or "")
    if key in _HELD:
        held.append(key)
        return
    if len(key) == 1 and key != " " and not set(held) & {"Control", "Meta"}:
        into.skip(number, "keyDown", "typed_key")
        return
    target = target_of(_locators(step.get("selectors"))) or into.last_target
    into.act("key", target, key="+".join([*held, _PRESSES.get(key, key)]), frame=_frame(step.get("frame")))


def _assert_navigation(step: Mapping[str, Any], into: Writing) -> None:
    navigation = _navigation(step)
    if navigation.get("url"):
        into.go(navigation["url"], "link", title=navigation.get("title", ""), wait=EFFECT_S)


def _navigation(step: Mapping[str, Any]) -> dict[str, str]:
    """The page that a step is said to lead to."""
    asserted = step.get("assertedEvents")
    for event in asserted if isinstance(asserted, list) else []:
        if isinstance(event, Mapping) and event.get("type") == "navigation":
            return {key: event[key] for key in ("url", "title") if isinstance(event.get(key), str)}
    return {}


def _locators(selectors: Any) -> list[str]:
    """One selector is a text, or the texts that lead to it through shadow roots."""
    if not isinstance(selectors, list):
        return []
    found = []
    for selector in selectors:
        parts = [selector] if isinstance(selector, str) else texts(selector)
        if not parts:
            continue
        last = parts[-1]
        if last.startswith(("aria/", "text/")):
            found.append(last)
        elif last.startswith("xpath/"):
            found.append(f"xpath={last[6:]}")
        else:
            found.append(" >>> ".join(part.removeprefix("pierce/") for part in parts))
    return found


def _frame(path: Any) -> str:
    """Frames are told by their place in their page: the third of the first is `?0.2`."""
    places = path if isinstance(path, list) and all(isinstance(one, int) for one in path) else []
    return "?" + ".".join(str(place) for place in places) if places else ""
