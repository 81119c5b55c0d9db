"""Charts as SVG, drawn on the server. Pure functions: figures in, markup out.

Widths are shares of the picture and heights are pixels, so a chart fills any width without its words being stretched.
Colours are classes, which the stylesheet gives for light, dark and forced colours. Each chart says in its title and
description what it shows; the page sets the figures themselves in a table beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

HEIGHT = 210
_TOP, _BOTTOM = 20, 182
_BAR_SHARE = 0.66
# A label every so many places: more would run into each other.
_MOST_LABELS = 8


@dataclass(frozen=True, slots=True)
class Caption:
    """What a picture is called on its page (a name for ids), and what it says to who cannot see it."""

    name: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a bar: the class that colours it, and how much it is."""

    kind: str
    value: float


@dataclass(frozen=True, slots=True)
class Column:
    """One place on the horizontal axis: what stands under it, and all of it in words for who points at it."""

    label: str
    said: str
    parts: Sequence[Part]


@dataclass(frozen=True, slots=True)
class Series:
    """One line: the class that draws it, and a value for each place, None where there is none."""

    kind: str
    values: Sequence[float | None]


def stacked_bars(caption: Caption, columns: Sequence[Column]) -> SafeString:
    """Return bars side by side, each in parts that stand on each other in the order they are given."""
    top = round_up(max((sum(part.value for part in column.parts) for column in columns), default=0))
    width = 100 / max(1, len(columns))
    drawn: list[tuple[SafeString]] = []
    for place, column in enumerate(columns):
        foot = float(_BOTTOM)
        pieces = []
        for part in column.parts:
            height = part.value / top * (_BOTTOM - _TOP)
            foot -= height
            if part.value:
                left, wide = width * (place + (1 - _BAR_SHARE) / 2), width * _BAR_SHARE
                pieces.append((part.kind, f"{left:.2f}%", f"{foot:.1f}", f"{wide:.2f}%", f"{height:.1f}"))
        rects = format_html_join("", '<rect class="chart-{}" x="{}" y="{}" width="{}" height="{}"/>', pieces)
        drawn.append((format_html("<g><title>{}</title>{}{}</g>", column.said, _hover(place, width), rects),))
    body = format_html_join("", "{}", drawn)
    return _picture(caption, top, [column.label for column in columns], body)


def lines(
    caption: Caption, labels: Sequence[str], said: Sequence[str], series: Sequence[Series], *, unit: str
) -> SafeString:
    """Return one line a series; a place without a value interrupts it. ``unit`` stands beside the axis's figures."""
    known = [value for one in series for value in one.values if value is not None]
    top = round_up(max(known, default=0))
    width = 100 / max(1, len(labels))
    hover = format_html_join(
        "", "<g><title>{}</title>{}</g>", ((words, _hover(place, width)) for place, words in enumerate(said))
    )
    drawn = format_html_join("", "{}", ((_line(one, top, width),) for one in series))
    return _picture(caption, top, labels, format_html("{}{}", drawn, hover), unit=unit)


def meter(parts: Sequence[Part], whole: float, *, height: int = 14) -> SafeString:
    """Return one bar that lies, in parts of a whole. It is decoration: its figures have to stand beside it."""
    left = 0.0
    pieces = []
    for part in parts:
        share = 100 * part.value / whole if whole else 0.0
        if share:
            pieces.append((part.kind, f"{left:.2f}%", f"{share:.2f}%", height))
        left += share
    rects = format_html_join("", '<rect class="chart-{}" x="{}" y="0" width="{}" height="{}"/>', pieces)
    ground = format_html('<rect class="chart-ground" x="0" y="0" width="100%" height="{}"/>', height)
    return format_html(
        '<svg class="meter" width="100%" height="{}" aria-hidden="true">{}{}</svg>', height, ground, rects
    )


def round_up(value: float) -> float:
    """Return the next number that an axis likes to end with, and whose half is whole: 2, 4, 6, 8, 10, 20, 40…"""
    step = 1.0
    while True:
        for top in (2, 4, 6, 8):
            if value <= top * step:
                return top * step
        step *= 10
        if value <= step:
            return step


def _line(series: Series, top: float, width: float) -> SafeString:
    points = [
        None if value is None else (f"{width * (place + 0.5):.2f}%", f"{_height(value, top):.1f}")
        for place, value in enumerate(series.values)
    ]
    pairs = [(*one, *two) for one, two in pairwise(points) if one is not None and two is not None]
    strokes = format_html_join("", '<line x1="{}" y1="{}" x2="{}" y2="{}"/>', pairs)
    dots = format_html_join("", '<circle cx="{}" cy="{}" r="3"/>', (point for point in points if point is not None))
    return format_html('<g class="chart-line chart-line-{}">{}{}</g>', series.kind, strokes, dots)


def _height(value: float, top: float) -> float:
    return _BOTTOM - value / top * (_BOTTOM - _TOP)


def _hover(place: int, width: float) -> SafeString:
    return format_html(
        '<rect class="chart-hover" x="{}" y="{}" width="{}" height="{}"/>',
        f"{width * place:.2f}%",
        _TOP,
        f"{width:.2f}%",
        _BOTTOM - _TOP,
    )


def _picture(caption: Caption, top: float, labels: Sequence[str], body: SafeString, *, unit: str = "") -> SafeString:
    grid = format_html_join(
        "",
        '<line class="chart-grid" x1="0" y1="{0}" x2="100%" y2="{0}"/>'
        '<text class="chart-scale" x="0" y="{1}">{2}{3}</text>',
        (
            (f"{_height(value, top):.1f}", f"{_height(value, top) - 5:.1f}", f"{value:g}", unit)
            for value in (top, top / 2)
        ),
    )
    every = -(-len(labels) // _MOST_LABELS)
    width = 100 / max(1, len(labels))
    under = format_html_join(
        "",
        '<text class="chart-label{}" x="{}" y="{}">{}</text>',
        (
            (
                "" if place // every % 2 == 0 else " chart-label-spare",
                f"{width * (place + 0.5):.2f}%",
                HEIGHT - 10,
                label,
            )
            for place, label in enumerate(labels)
            if place % every == 0
        ),
    )
    return format_html(
        '<svg class="chart" width="100%" height="{height}" role="img" aria-labelledby="{name}-title {name}-about">'
        '<title id="{name}-title">{title}</title><desc id="{name}-about">{description}</desc>'
        '{grid}<line class="chart-axis" x1="0" y1="{foot}" x2="100%" y2="{foot}"/>{body}{under}</svg>',
        height=HEIGHT,
        name=caption.name,
        title=caption.title,
        description=caption.description,
        grid=grid,
        foot=_BOTTOM,
        body=body,
        under=under,
    )
