"""A recording for the Chrome DevTools Recorder, which `@puppeteer/replay` replays."""

from __future__ import annotations

import json
from typing import Any

from shadow.exporting.document import Action, Document

VIEWPORT = {"width": 1280, "height": 900, "deviceScaleFactor": 1, "isMobile": False, "hasTouch": False}
PIERCE = " >>> "
# What a replay types where the demonstration had a secret: whoever replays it puts theirs there.
SECRET = "SECRET"  # noqa: S105 - says that there is one
# True once the option is chosen: in a list of the browser's, or by a click in one that the page draws.
_CHOOSE = (
    "((path, text) => { const list = path.reduce((root, one) => (root.shadowRoot || root.contentDocument || root)"
    ".querySelector(one), document); const named = (all) => [...all].find((one) => (one.label || one.textContent)"
    ".trim() === text); const option = named(list.options || document.querySelectorAll('[role=option], li'));"
    " if (!option) { return false; } if (!list.options) { option.click(); return true; } list.value = option.value;"
    " for (const name of ['input', 'change']) { list.dispatchEvent(new Event(name, { bubbles: true })); }"
    " return true; })(PATH, TEXT)"
)
_HELD = frozenset({"Control", "Meta", "Alt", "Shift"})
_KEYS = {"Space": " "}


def chrome_recording(document: Document, base_url: str) -> str:
    """Return the recording as JSON; the pages' routes are joined to `base_url`.

    A route's `*` stays as it is: a page that is not always the same is reached by its step's own click. A file cannot
    be picked by a replay: such a step only shows its field.
    """
    base = base_url.rstrip("/")
    steps: list[dict[str, Any]] = [{"type": "setViewport", "isLandscape": True, **VIEWPORT}]
    at = ""
    for step in document.steps:
        if step.route and step.route != at and (not at or "*" not in step.route):
            steps.append({"type": "navigate", "url": base + step.route, "assertedEvents": []})
            at = step.route
        for action in step.actions:
            written = _steps(action, base + step.route)
            if action.leads_to and written:
                # Puppeteer waits for any navigation here: its address may differ from the one that was shown.
                written[-1]["assertedEvents"] = [{"type": "navigation"}]
                at = action.leads_to
            steps += written
    return json.dumps({"title": document.title, "steps": steps}, ensure_ascii=False, indent=2) + "\n"


def _steps(action: Action, page: str) -> list[dict[str, Any]]:
    if action.kind == "navigate":
        return _moves(action, page)
    if action.kind == "key" or (action.kind == "submit" and action.key):
        return _presses(action.key)
    selectors = _selectors(action)
    if not selectors:
        return []
    place: dict[str, Any] = {"target": "main", "selectors": selectors}
    press = {"type": "doubleClick" if action.clicks > 1 else "click", **place, "offsetX": 4, "offsetY": 4}
    if action.kind == "fill":
        return [{"type": "change", **place, "value": SECRET if action.secret else action.value}]
    if action.kind == "select" and action.option:
        return _choices(action, press)
    return [{"type": "waitForElement", **place}] if action.kind == "upload" else [press]


def _choices(action: Action, press: dict[str, Any]) -> list[dict[str, Any]]:
    """An option by its text. A replay's own way to choose asks for its value, which nobody sees."""
    path = json.dumps(action.selectors[0].split(PIERCE), ensure_ascii=False) if action.selectors else "[]"
    script = _CHOOSE.replace("PATH", path).replace("TEXT", json.dumps(action.option, ensure_ascii=False))
    option = [[f"aria/{action.option}"], [f"text/{action.option}"]]
    if action.role not in ("combobox", "listbox", "") or not action.selectors:
        return [press] if action.role == "option" else [press, {**press, "selectors": option}]
    return [press, {"type": "waitForExpression", "target": "main", "expression": script}]


def _moves(action: Action, page: str) -> list[dict[str, Any]]:
    if action.cause in ("back", "forward", "pop"):
        script = "history.forward()" if action.cause == "forward" else "history.back()"
        return [{"type": "waitForExpression", "target": "main", "expression": f"({script}, true)"}]
    return [{"type": "navigate", "url": page, "assertedEvents": []}]


def _presses(keys: str) -> list[dict[str, Any]]:
    *held, last = keys.split("+")
    names = [*(key for key in held if key in _HELD), _KEYS.get(last, last)]
    down = [{"type": "keyDown", "target": "main", "key": key} for key in names]
    return [*down, *({"type": "keyUp", "target": "main", "key": key} for key in reversed(names))]


def _selectors(action: Action) -> list[list[str]]:
    """CSS first, which was tried on the page; then the name, which outlives a new design."""
    css = [selector.split(PIERCE) for selector in action.selectors]
    role = f'[role="{action.role}"]' if action.role else ""
    return [*css, *([[f"aria/{action.name}{role}"]] if action.name else [])]
