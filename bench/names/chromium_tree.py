"""What Chromium's own accessibility tree says of the elements of a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession

# What Chromium calls differently, or has a role of its own for where the standards have none.
_AS_THE_STANDARD_SAYS = {
    "DisclosureTriangle": "button",
    "image": "img",
    "Date": None,
    "DateTime": None,
    "InputTime": None,
    "ColorWell": None,
    "LabelText": None,
    "LayoutTableCell": "cell",
    "none": None,
    "generic": None,
}


@dataclass(frozen=True)
class Heard:
    """An element as assistive technology hears it."""

    name: str
    role: str | None


def heard_in(nodes: list[dict[str, Any]]) -> dict[int, Heard]:
    """By backend node id; what is ignored is not heard."""
    return {
        node["backendDOMNodeId"]: _heard(node) for node in nodes if "backendDOMNodeId" in node and not node["ignored"]
    }


def heard_by_mark(session: CDPSession, mark: str) -> dict[str, Heard]:
    """By the value of the attribute `mark`, over the page and the trees inside it."""
    root = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
    nodes = heard_in(session.send("Accessibility.getFullAXTree")["nodes"])
    marks = _marks(root, mark)
    return {value: nodes[node] for value, node in marks if node in nodes}


def _heard(node: dict[str, Any]) -> Heard:
    role = node["role"]["value"]
    return Heard(
        name=" ".join(node.get("name", {}).get("value", "").split()),
        role=_AS_THE_STANDARD_SAYS.get(role, role),
    )


def _marks(root: dict[str, Any], mark: str) -> Iterator[tuple[str, int]]:
    pending = [root]
    while pending:
        node = pending.pop()
        attributes = node.get("attributes", [])
        named = dict(zip(attributes[::2], attributes[1::2], strict=True))
        if mark in named:
            yield named[mark], node["backendNodeId"]
        pending += [*node.get("children", []), *node.get("shadowRoots", [])]
        if "contentDocument" in node:
            pending.append(node["contentDocument"])
