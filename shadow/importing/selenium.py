"""Projects of Selenium IDE (`.side`): one recording a test."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shadow.importing.locators import target_of
from shadow.importing.wording import ImportFileError, say
from shadow.importing.writing import Writing

_CLICKS = {"click": "click", "clickAt": "click", "doubleClick": "dblclick", "doubleClickAt": "dblclick"}
_SELECTS = frozenset({"select", "addSelection"})
_WAITS = ("assert", "verify", "wait", "pause")
_WINDOW = frozenset({"setWindowSize", "selectWindow", "close", "setSpeed", "debugger"})
_POINTER = ("mouse", "drag")
_LOGIC = frozenset(
    {"if", "elseIf", "else", "end", "do", "while", "repeatIf", "times", "forEach", "run", "echo", "open"}
    | {"executeScript", "executeAsyncScript", "runScript"}
)
_KEY = re.compile(r"\$\{KEY_(\w+)\}")
_KEYS = {"ENTER": "Enter", "RETURN": "Enter", "ESC": "Escape", "ESCAPE": "Escape", "SPACE": "Space", "TAB": "Tab"}
_OPTION = re.compile(r"^(?:label|value|id|index)=")


def read_commands(commands: Sequence[Any], base: str, into: Writing) -> None:
    """Write the events of a test's commands. Raises `ImportFileError` for one that is no command at all."""
    frame: list[str] = []
    into.url = base
    for number, command in enumerate(commands, start=1):
        if not isinstance(command, Mapping):
            raise ImportFileError("bad_step", into.locale, step=number, detail=say("not_an_object", into.locale))
        name = command.get("command")
        if not isinstance(name, str):
            detail = say("no_type", into.locale, key="command")
            raise ImportFileError("bad_step", into.locale, step=number, detail=detail)
        if name == "selectFrame":
            _enter_frame(str(command.get("target") or ""), frame)
        elif name.startswith("//"):
            into.skip(number, name, "disabled")
        elif name:
            _read(number, name, command, "?" + ".".join(frame) if frame else "", into)


@dataclass(frozen=True, slots=True)
class _Command:
    number: int
    name: str
    value: str
    frame: str


def _read(number: int, name: str, command: Mapping[str, Any], frame: str, into: Writing) -> None:
    target = target_of(_locators(command))
    said = _Command(number, name, str(command.get("value") or ""), frame)
    if name == "open":
        if _depends(str(command.get("target"))):
            into.skip(number, name, "variable")
        else:
            into.go(str(command.get("target") or "/"), "typed")
    elif (
        name in _CLICKS or name in _SELECTS or name in ("type", "sendKeys", "check", "uncheck", "submit", "editContent")
    ):
        if not target:
            into.skip(number, name, "no_element")
        else:
            _act(said, target, into)
    else:
        into.skip(number, name, _why_not(name))


def _act(command: _Command, target: dict[str, Any], into: Writing) -> None:
    name, frame = command.name, command.frame
    if name in _CLICKS:
        into.act(_CLICKS[name], target, frame=frame, detail=2 if _CLICKS[name] == "dblclick" else 1)
    elif name in _SELECTS:
        into.act("select", _of_tag(target, "select", "combobox"), frame=frame, option=_OPTION.sub("", command.value))
    elif name in ("check", "uncheck"):
        box = _of_tag(target, "input", "checkbox") | {"type": "checkbox"}
        into.act("check", box, frame=frame, checked=name == "check")
    elif name == "submit":
        into.act("submit", target | {"tag": target.get("tag", "form")}, frame=frame)
    else:
        _write(command, _of_tag(target, "input", "textbox"), into)


def _write(command: _Command, target: dict[str, Any], into: Writing) -> None:
    """Text that is typed, then the keys that are named in it."""
    name, frame = command.name, command.frame
    keys = _KEY.findall(command.value)
    text = _KEY.sub("", command.value)
    if _depends(text):
        into.skip(command.number, name, "variable")
        into.act("fill", target, frame=frame)
    elif text or not keys:
        before = into.events[-1] if name == "sendKeys" and into.events else {}
        goes_on = before.get("kind") == "fill" and before.get("target", {}).get("selector") == target.get("selector")
        into.act("fill", target, frame=frame, value=(before.get("value", "") if goes_on else "") + text)
    for key in keys:
        into.act("key", target, frame=frame, key=_KEYS.get(key, key.capitalize()))


def _enter_frame(target: str, frame: list[str]) -> None:
    kind, _equals, place = target.partition("=")
    if target == "relative=parent":
        del frame[-1:]
    elif target == "relative=top":
        frame.clear()
    elif kind == "index":
        frame.append(place)
    else:
        frame.append(target)


def _locators(command: Mapping[str, Any]) -> list[str]:
    """The locator that is used, then those that were recorded beside it."""
    recorded = command.get("targets")
    others = [pair[0] for pair in recorded if isinstance(pair, list) and pair] if isinstance(recorded, list) else []
    named = [command.get("target"), *others]
    return [_locator(one) for one in named if isinstance(one, str) and one and not _depends(one)]


def _locator(locator: str) -> str:
    kind, equals, rest = locator.partition("=")
    match kind if equals else "":
        case "css":
            return rest
        case "id":
            return f'[id="{rest}"]'
        case "name":
            return f'[name="{rest}"]'
        case "link" | "linkText" | "partialLinkText":
            return f"linkText={rest}"
        case "xpath":
            return locator
    return f"xpath={locator}" if locator.startswith(("/", "(")) else ""


def _of_tag(target: dict[str, Any], tag: str, role: str) -> dict[str, Any]:
    """What a command says of its element, which the locator may not."""
    return {"tag": tag, "role": role} | target


def _depends(text: str) -> bool:
    return "${" in text


def _why_not(name: str) -> str:
    if name.startswith(_WAITS):
        return "waits"
    if name in _WINDOW:
        return "window"
    if name.startswith(_POINTER):
        return "pointer"
    return "logic" if name in _LOGIC or name.startswith("store") else "unsupported"
