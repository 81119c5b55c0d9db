"""One event of a demonstration, as it came from the browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

EDITABLE_ROLES = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
PRESSED_ROLES = frozenset({"button", "link", "tab", "menuitem", "option", "treeitem", "switch", "menuitemradio"})
BOX_ROLES = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox"})
_NO_TYPING = frozenset({"button", "submit", "reset", "image", "checkbox", "radio", "file", "hidden", "range", "color"})


@dataclass(frozen=True, slots=True)
class Target:
    """An element that something was done to. What the page does not say is empty."""

    tag: str = ""
    role: str = ""
    name: str = ""
    type: str = ""
    selector: str = ""
    fallback_selector: str = ""
    fingerprint: str = ""
    text: str = ""
    row: str = ""
    heading: str = ""
    group: str = ""
    choice: str = ""
    form: str = ""
    landmark: str = ""
    interactive: bool = True
    matches: int = 1

    @classmethod
    def from_wire(cls, data: Mapping[str, Any]) -> Target:
        """Read the JSON of a target; unknown keys are ignored."""
        given = {name: data[key] for key, name in _TARGET_KEYS.items() if data.get(key) is not None}
        return cls(**given)

    @property
    def is_editable(self) -> bool:
        """Whether people write in it."""
        if self.tag == "input":
            return self.type not in _NO_TYPING
        return self.tag == "textarea" or self.role in EDITABLE_ROLES

    @property
    def is_pressable(self) -> bool:
        """Whether people press it: because the browser says so, or because its role or tag is for nothing else."""
        return self.interactive or self.role in PRESSED_ROLES or self.tag in ("a", "button", "summary")

    @property
    def is_box(self) -> bool:
        """Whether it is ticked rather than pressed."""
        return self.role in BOX_ROLES or self.type in ("checkbox", "radio")

    @property
    def is_radio(self) -> bool:
        return self.role == "radio" or self.type == "radio"


_TARGET_KEYS = {
    "fallbackSelector" if name == "fallback_selector" else name: name for name in Target.__dataclass_fields__
}


@dataclass(frozen=True, slots=True)
class Event:
    """What happened at `at` (seconds since 1970). `sequence` is the client's order: it decides, not the arrival."""

    sequence: int
    kind: str
    at: float
    url: str = ""
    title: str = ""
    frame: str = ""
    trusted: bool = True
    target: Target | None = None
    value: str | None = None
    secret: bool = False
    option: str | None = None
    options: tuple[str, ...] = ()
    checked: bool | None = None
    key: str = ""
    detail: int | None = None
    cause: str = ""
    from_url: str = ""
    files: tuple[str, ...] = ()
    reason: str = ""
    undone: tuple[int, ...] = ()

    @classmethod
    def from_wire(cls, data: Mapping[str, Any]) -> Event:
        """Read the JSON of an event whose types were checked; unknown keys are ignored."""
        given = {name: data[name] for name in cls.__dataclass_fields__ if data.get(name) is not None}
        for name in ("options", "files", "undone"):
            if name in given:
                given[name] = tuple(given[name])
        if "target" in given:
            given["target"] = Target.from_wire(given["target"])
        return cls(**given)

    @property
    def page(self) -> str:
        """The address without its query: what tells two pages apart."""
        return page_of(self.url)


def page_of(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(query="").geturl()


def same_element(one: Event, other: Event) -> bool:
    """Whether both happened to one element of one page."""
    a, b = one.target, other.target
    if a is None or b is None or one.frame != other.frame or one.page != other.page:
        return False
    if a.selector and b.selector:
        return a.selector == b.selector
    if a.fingerprint and b.fingerprint:
        return a.fingerprint == b.fingerprint
    return (a.tag, a.role, a.name) == (b.tag, b.role, b.name)
