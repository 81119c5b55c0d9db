"""How other tools point at elements, as CSS and names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_PIERCE = " >>> "
_ARIA = re.compile(r'^aria/(?P<name>.*?)(?:\[role="(?P<role>[\w-]+)"\])?$', re.DOTALL)
_STEP = re.compile(r"^(?P<tag>[a-zA-Z][\w-]*|\*)(?P<conditions>(?:\[[^\]]*\])*)$")
_ATTRIBUTE = re.compile(r"""^@(?P<name>[\w:-]+)\s*=\s*(?P<quote>["'])(?P<value>[^"']*)(?P=quote)$""")
_TEXT = re.compile(r"""(?:text\(\)|\.)\s*(?:=|,)\s*(?P<quote>["'])(?P<value>[^"']*)(?P=quote)""")
_CSS_TAG = re.compile(r"(?:^|[\s>+~])(?P<tag>[a-z][a-z0-9-]*)(?=[^\s>+~]*$)")
_CSS_TYPE = re.compile(r"""\[type=["']?(?P<type>[\w-]+)""")
# What its author calls an element: better than nothing.
_NAMED = re.compile(r"""(?:\#|\[(?:id|name)=["']?)(?P<name>[A-Za-z][A-Za-z_-]{2,40})(?=["'\]]|$)""")
_TYPED_TAGS = frozenset({"input", "textarea", "select"})
_ROLES = {"a": "link", "button": "button", "textarea": "textbox", "select": "combobox"}


def target_of(locators: Iterable[str]) -> dict[str, Any]:
    """Return what `locators` say of one element, as a target of the wire: empty when they say nothing.

    They are CSS, with ` >>> ` into shadow roots, or begin with `aria/`, `text/`, `xpath=`, `linkText=`.
    """
    target: dict[str, Any] = {}
    found: list[str] = []
    for locator in locators:
        if locator.startswith("aria/"):
            match = _ARIA.match(locator)
            if match is not None and _PIERCE not in locator:
                _put(target, name=match["name"], role=match["role"] or "")
        elif locator.startswith("text/"):
            _put(target, text=locator[5:])
        elif locator.startswith("linkText="):
            _put(target, name=locator[9:], role="link", tag="a")
        elif locator.startswith("xpath="):
            css, text = css_of_xpath(locator[6:])
            _put(target, text=text)
            found += [css] if css else []
        elif locator:
            found.append(locator)
    distinct = list(dict.fromkeys(found))[:2]
    for key, selector in zip(("selector", "fallbackSelector"), distinct, strict=False):
        target[key] = selector
    if not target:
        return {}
    for selector in distinct:
        tag, kind = _CSS_TAG.search(selector.lower()), _CSS_TYPE.search(selector)
        _put(target, tag=tag["tag"] if tag else "", type=kind["type"] if kind else "")
    _put(target, role=_ROLES.get(target.get("tag", ""), ""))
    if not target.get("name"):
        written = target.get("text", "") if target.get("tag") not in _TYPED_TAGS else ""
        named = next((match["name"] for selector in distinct if (match := _NAMED.search(selector))), "")
        _put(target, name=written or " ".join(re.split(r"[-_]+", named)))
    return {**target, "interactive": True}


def css_of_xpath(path: str) -> tuple[str, str]:
    """Return a path of tags, indexes and attributes as CSS, and the text that it asks for; empty where it has none."""
    text = _TEXT.search(path)
    steps, css = re.split(r"(//?)", path.strip().lstrip("(").removeprefix(".")), ""
    for joint, step in zip(steps[1::2], steps[2::2], strict=False):
        compound = _compound(step)
        if compound is None:
            return "", text["value"] if text else ""
        css += (" > " if joint == "/" else " ") + compound if css else compound
    return css, text["value"] if text else ""


def _compound(step: str) -> str | None:
    match = _STEP.match(step)
    if match is None:
        return None
    css = "" if match["tag"] == "*" else match["tag"]
    for condition in re.findall(r"\[([^\]]*)\]", match["conditions"]):
        attribute = _ATTRIBUTE.match(condition.strip())
        if attribute is not None:
            css += f'[{attribute["name"]}="{attribute["value"]}"]'
        elif condition.isdigit() and css and match["tag"] != "*":
            css += f":nth-of-type({condition})"
        else:
            return None
    return css or None


def _put(target: dict[str, Any], **said: str) -> None:
    """Keep what is said first."""
    for key, value in said.items():
        if value and not target.get(key):
            target[key] = value
