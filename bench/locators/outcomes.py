"""What became of the locators of a set of page pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import log
from statistics import mean
from typing import Any

GENERATORS = {"ours": "ours", "playwright": "playwright", "finder": "finder", "csg": "css-sel-gen"}


@dataclass
class PairSet:
    """Elements of old pages, each with what every generator's locator found in the new page."""

    name: str
    results: list[dict[str, Any]] = field(default_factory=list)

    def of(self, identity: str) -> PairSet:
        return PairSet(self.name, [result for result in self.results if result["identity"] == identity])

    def counts(self, generator: str) -> Counter[str]:
        return Counter(result.get(generator, "unasked") for result in self.results)

    def found(self, generator: str) -> float | None:
        """Share found of those that the generator was in time for; None when that is none."""
        return self._share(generator, "found")

    def wrong(self, generator: str) -> float | None:
        return self._share(generator, "wrong")

    def cells(self) -> list[str]:
        cells = [str(len(self.results))]
        for name in GENERATORS:
            counts = self.counts(name)
            asked = counts.total() - counts["unasked"]
            cells += [_percent(self.found(name)), str(counts["wrong"]) if asked else "-"]
            if name != "ours":
                cells.append(str(counts["unasked"]))
        return cells

    def _share(self, generator: str, outcome: str) -> float | None:
        counts = self.counts(generator)
        asked = counts.total() - counts["unasked"]
        return counts[outcome] / asked if asked else None


def together(sets: Iterable[PairSet]) -> PairSet:
    return PairSet("all", [result for one in sets for result in one.results])


def columns() -> list[str]:
    """Share found, hits on another element and, for the peers, elements that they had no time for."""
    cells = ["elements"]
    for name, title in GENERATORS.items():
        cells += [title, "wrong"] + ([] if name == "ours" else ["late"])
    return cells


def exponent(points: list[tuple[int, float]]) -> float:
    """The slope of cost over size on logarithmic scales, by least squares: 1 is linear, 2 is quadratic."""
    xs = [log(size) for size, _ in points]
    ys = [log(cost) for _, cost in points]
    middle_x, middle_y = mean(xs), mean(ys)
    return sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True)) / sum(
        (x - middle_x) ** 2 for x in xs
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share * 100:.1f}"
