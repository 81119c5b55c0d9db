"""What Circuy itself exports: a demonstration's events, or the workflow that was built of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shadow.importing.wording import ImportFileError, say
from shadow.importing.writing import EFFECT_S, Writing

FORMAT = "circuy-demonstration"
_SAID = ("value", "option", "options", "checked", "key", "detail", "cause", "from_url", "files", "reason", "undone")
_ABOUT = ("role", "name", "tag", "type", "row", "heading", "group", "form", "landmark")


def read_events(events: Sequence[Any], into: Writing) -> None:
    """Write the events of an exported demonstration again, numbered anew."""
    began: float | None = None
    start = into.at
    for number, event in enumerate(events, start=1):
        if not isinstance(event, Mapping) or not isinstance(event.get("kind"), str):
            raise ImportFileError("bad_step", into.locale, step=number, detail=say("no_type", into.locale, key="kind"))
        target = event.get("target")
        if target is not None and not isinstance(target, Mapping):
            detail = say("not_an_object", into.locale)
            raise ImportFileError("bad_step", into.locale, step=number, detail=f"target : {detail}")
        at = event.get("at")
        moment = float(at) if isinstance(at, int | float) else into.at
        began = moment if began is None else began
        into.at = start + max(moment - began, 0.0)
        into.url, into.title = str(event.get("url") or ""), str(event.get("title") or "")
        said = {key: event[key] for key in _SAID if event.get(key) is not None}
        flags = {"secret": True} if event.get("secret") is True else {}
        into.act(event["kind"], target, wait=0, frame=event.get("frame"), **said, **flags)


def read_workflow(workflow: Mapping[str, Any], base: str, into: Writing) -> None:
    """Write the events that the steps of a workflow would make, each on its page."""
    pages = {page.get("id"): page for page in workflow.get("pages", ()) if isinstance(page, Mapping)}
    for number, step in enumerate(workflow["steps"], start=1):
        if not isinstance(step, Mapping) or not isinstance(step.get("kind"), str):
            raise ImportFileError("bad_step", into.locale, step=number, detail=say("no_type", into.locale, key="kind"))
        page = pages.get(step.get("page"), {})
        url = base.rstrip("/") + str(page.get("route") or "/")
        if step["kind"] == "navigate":
            into.go(url, str(step.get("cause") or "typed"), title=str(page.get("title") or ""))
            continue
        into.url, into.title = url, str(page.get("title") or "")
        for action in (*(step.get("before") or ()), step):
            if isinstance(action, Mapping):
                _act(action, base, into)


def _act(action: Mapping[str, Any], base: str, into: Writing) -> None:
    said = {key: action[key] for key in ("value", "option", "checked", "key", "files") if action.get(key) is not None}
    flags = {"secret": True} if action.get("secret") is True else {}
    about = action.get("target")
    frame = about.get("frame") if isinstance(about, Mapping) else None
    is_double = action.get("kind") == "click" and action.get("clicks") == 2
    into.act("dblclick" if is_double else str(action.get("kind")), _target(about), frame=frame, **said, **flags)
    effect = action.get("effect")
    if isinstance(effect, Mapping) and isinstance(effect.get("route"), str):
        into.go(base.rstrip("/") + effect["route"], "link", wait=EFFECT_S)


def _target(about: Any) -> dict[str, Any] | None:
    if not isinstance(about, Mapping):
        return None
    target: dict[str, Any] = {key: about[key] for key in _ABOUT if isinstance(about.get(key), str) and about[key]}
    named = {"css": "selector", "fallback": "fallbackSelector", "fingerprint": "fingerprint"}
    for locator in about.get("locators") or ():
        if isinstance(locator, Mapping) and locator.get("kind") in named:
            target[named[locator["kind"]]] = str(locator.get("value") or "")
    return {**target, "interactive": True}
