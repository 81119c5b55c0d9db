"""The picture of a scan: the page under numbered boxes, and beside it what the numbers stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from math import ceil
from typing import Any

COLOURS = {
    "field": "#1d4ed8",
    "choice": "#7c3aed",
    "button": "#047857",
    "link": "#b45309",
    "heading": "#475569",
    "form": "#be185d",
    "other": "#525252",
}
_PANEL = 360
_MARGIN = 24
_ROW = 21
_HEADER = 250
_MOST_COLUMNS = 3
_TAG_HEIGHT = 14
_DIGIT = 6.4

_STYLE = f"""
    * {{ box-sizing: border-box; margin: 0 }}
    body {{ display: flex; gap: {_MARGIN}px; padding: {_MARGIN}px; background: #e7e5e4; color: #1c1917;
        font: 13px/1.45 "Liberation Sans", Arial, sans-serif; width: max-content; align-items: flex-start }}
    .page {{ position: relative; background: #fff; border-radius: 6px; overflow: hidden; box-shadow: 0 1px 4px #0003 }}
    .page img {{ display: block; filter: saturate(.55) contrast(.9) brightness(1.05) }}
    .page svg {{ position: absolute; inset: 0 }}
    svg text {{ font: bold 10.5px "Liberation Sans", Arial, sans-serif; fill: #fff }}
    aside {{ padding: 20px; background: #fff; border-radius: 6px; box-shadow: 0 1px 4px #0003 }}
    h1 {{ font-size: 17px; line-height: 1.3; overflow-wrap: anywhere }}
    .lists {{ column-fill: auto; column-gap: 20px; margin-top: 10px }}
    h2 {{ height: {_ROW * 2}px; padding-top: {_ROW - 2}px; break-after: avoid; font-size: 11px; color: #57534e;
        letter-spacing: .06em; text-transform: uppercase }}
    .address {{ margin: 2px 0 14px; color: #57534e; overflow-wrap: anywhere }}
    .key {{ display: flex; flex-wrap: wrap; gap: 6px }}
    .key span {{ padding: 1px 8px; border-radius: 9px; color: #fff; font-size: 12px }}
    ol {{ list-style: none; padding: 0 }}
    li {{ display: flex; gap: 8px; height: {_ROW}px; line-height: {_ROW}px; white-space: nowrap }}
    li b {{ flex: none; min-width: 26px; height: 15px; margin-top: 3px; padding: 0 4px; border-radius: 3px; color: #fff;
        font-size: 10.5px; line-height: 15px; text-align: center }}
    li span {{ overflow: hidden; text-overflow: ellipsis }}
    li i {{ flex: none; color: #78716c; font-style: normal; font-size: 12px }}
    .none {{ color: #a8a29e }}
    .note {{ margin-top: 8px; color: #57534e }}
"""


@dataclass(frozen=True)
class Box:
    """A place on the page, in its pixels."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Box) -> bool:
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


@dataclass(frozen=True)
class Item:
    """A node as the picture shows it; ``box`` is None for one that is not to be seen."""

    number: str
    kind: str
    name: str
    box: Box | None
    state: str
    is_closed: bool

    @property
    def colour(self) -> str:
        return COLOURS.get(self.kind, COLOURS["other"])


def items_of(payload: dict[str, Any], places: list[dict[str, Any]]) -> list[Item]:
    """The nodes of a scan with the places that `scan_page.js` gave."""
    numbers = {node["selector"]: node["id"].removeprefix("n") for node in payload["nodes"]}
    return [
        Item(
            number=node["id"].removeprefix("n"),
            kind=place["kind"],
            name=node.get("label") or node.get("placeholder") or "",
            box=None if place["box"] is None else Box(**place["box"]),
            state=state_text(node.get("state", {}), numbers),
            is_closed="closed" in node.get("state", {}),
        )
        for node, place in zip(payload["nodes"], places, strict=True)
    ]


def state_text(state: dict[str, Any], numbers: dict[str, str]) -> str:
    """The state of a node in a few words; what opens a closed one by its number, when that is a node too."""
    words = []
    for name, value in state.items():
        if name == "opener":
            words.append(f"by {numbers[value]}" if value in numbers else "")
        elif value is True:
            words.append("aria-hidden" if name == "ariaHidden" else name)
        else:
            words.append(f"not {name}")
    return " ".join(word for word in words if word)


def sheet(items: list[Item], picture: str, *, title: str, address: str, width: int, height: int, note: str) -> str:
    """The whole picture as HTML: `picture` is the data URL of the page's own, `width` by `height` pixels."""
    shown = [item for item in items if item.box is not None and not item.is_closed]
    apart = [item for item in items if item.is_closed]
    out = [item for item in items if item.box is None and not item.is_closed]
    rows = max(24, int((height - _HEADER) / _ROW))
    columns = min(_MOST_COLUMNS, ceil((len(items) + 9) / rows))
    return (
        f"<!doctype html><meta charset=utf-8><style>{_STYLE}</style>"
        f'<div class=page><img src="{picture}" width={width} height={height}>'
        f'<svg width="{width}" height="{height}">{"".join(_boxes(shown, width))}</svg></div>'
        f"<aside style='width:{columns * _PANEL}px'><h1>{escape(title) or 'No title'}</h1>"
        f"<p class=address>{escape(address)}</p><div class=key>{_key(items)}</div><p class=note>{escape(note)}</p>"
        f"<div class=lists style='columns:{columns};height:{rows * _ROW}px'>"
        f"{_lists({'Closed': apart, 'Scrolled out of sight': out, 'On the page': shown}, rows * columns)}</div></aside>"
    )


def _key(items: list[Item]) -> str:
    counts = Counter(item.kind for item in items)
    order = [kind for kind in COLOURS if kind in counts] + sorted(set(counts) - set(COLOURS))
    return "".join(
        f'<span style="background:{COLOURS.get(kind, COLOURS["other"])}">{counts[kind]} {escape(kind)}</span>'
        for kind in order
    )


def _lists(groups: dict[str, list[Item]], room: int) -> str:
    """Nothing on the page stands for what is not to be seen: it comes first. `room`: how many rows there are."""
    html = ""
    for heading, items in groups.items():
        kept = items[: max(room - 3, 0)]
        room -= len(kept) + 3
        if not items or (room < 0 and not kept):
            continue
        left = len(items) - len(kept)
        more = f"<li>… and {left:,} more, in what was printed</li>" if left else ""
        html += f"<h2>{heading} ({len(items):,})</h2><ol>{''.join(map(_row, kept))}{more}</ol>"
    return html


def _row(item: Item) -> str:
    name = escape(item.name) if item.name else "<span class=none>without a name</span>"
    # That it is closed is said by the list that it stands in.
    state = item.state.removeprefix("closed").strip()
    said = f"<i>{escape(state)}</i>" if state else ""
    return f'<li><b style="background:{item.colour}">{item.number}</b><span>{name}</span>{said}</li>'


def _boxes(items: list[Item], width: int) -> Iterator[str]:
    """Outlines first, then the numbers over all of them, each where it hides no other."""
    for item in items:
        yield _outline(item)
    placed: list[Box] = []
    for item in items:
        tag = _tag_place(item, placed, width)
        placed.append(tag)
        yield (
            f'<rect x="{tag.x:.1f}" y="{tag.y:.1f}" width="{tag.width:.1f}" height="{tag.height}" rx="3"'
            f' fill="{item.colour}"/><text x="{tag.x + tag.width / 2:.1f}" y="{tag.y + 10.7:.1f}"'
            f' text-anchor="middle">{item.number}</text>'
        )


def _outline(item: Item) -> str:
    box = item.box
    if box is None:
        return ""
    # A form holds other boxes: its own is only drawn around them.
    look = 'fill="none" stroke-dasharray="6 4"' if item.kind == "form" else f'fill="{item.colour}" fill-opacity="0.10"'
    return (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="3"'
        f' stroke="{item.colour}" stroke-width="1.5" {look}/>'
    )


def _tag_place(item: Item, placed: list[Box], width: int) -> Box:
    """Beside a corner of the element, where no other number is; over its corner when all are taken."""
    box = item.box or Box(0, 0, 0, 0)
    wide = len(item.number) * _DIGIT + 7
    left, right = box.x - wide + 3, box.x + box.width - 3
    above, below = box.y - _TAG_HEIGHT + 4, box.y + box.height - 4
    middle = box.y + (box.height - _TAG_HEIGHT) / 2
    corners = [(left, above), (box.x, above), (left, middle), (right, above), (left, below), (right, middle)]
    # Only the latest numbers can be near: nodes come in the order of the page.
    near = placed[-60:]
    for x, y in [*corners, (right, below)]:
        tag = Box(x, y, wide, _TAG_HEIGHT)
        if x >= 0 and y >= 0 and x + wide <= width and not any(tag.meets(other) for other in near):
            return tag
    return Box(max(0, min(box.x, width - wide)), max(0, box.y), wide, _TAG_HEIGHT)
