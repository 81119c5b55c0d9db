"""What was measured on each page, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

PEERS = {
    "aria": "pw aria",
    "ariaAi": "pw ai",
    "pageAgent": "page-agent",
    "smartDomReader": "smart-dom",
    "browserUse": "browser-use",
}


@dataclass(frozen=True)
class Answer:
    """
    A peer on a page. `ms` is None when it failed or took longer than it may; `shared_…` are the bytes of our lines and
    of its own, for the elements that both have a line for.
    """

    ms: float | None
    shared_ours: int = 0
    shared_theirs: int = 0


@dataclass
class PageFigures:
    """
    Ours on a page, beside the floors and the peers. Times in milliseconds; tokens by contender ("ours" or a peer).
    `floor` is a walk that reads the same names with our own code, and nothing else; `without_locators` our scan but for
    its locators; `standard` the specification's scan with the usual library for names, None without that library.
    """

    page: str
    elements: int
    nodes: int
    truncated: bool
    ours: float
    floor: float
    without_locators: float
    standard: float | None
    longest_task: float
    payload_bytes: int
    peers: dict[str, Answer] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        return self.ours / self.floor

    @property
    def faster_peers(self) -> list[str]:
        return [name for name, answer in self.peers.items() if answer.ms is not None and answer.ms <= self.ours]

    def cells(self) -> list[str]:
        """The cells of the page's row, in the order of `columns()`."""
        nodes = f"{self.nodes}+" if self.truncated else str(self.nodes)
        answers = [self.peers.get(name) for name in PEERS]
        return [
            f"{self.elements}",
            nodes,
            "-" if self.standard is None else _ms(self.standard),
            _ms(self.floor),
            _ms(self.without_locators),
            _ms(self.ours),
            f"{self.ratio:.2f}",
            *(_peer(answer) for answer in answers),
            _ms(self.longest_task),
            f"{self.payload_bytes / 1000:.1f}k",
            *(_tokens(self.tokens.get(name)) for name in ("ours", *PEERS)),
        ]


def columns() -> list[str]:
    short = ["t ours", "t aria", "t ai", "t p-ag", "t s-dom", "t b-use"]
    return [
        "elements",
        "nodes",
        "names",
        "standard",
        "floor",
        "ours",
        "ratio",
        *PEERS.values(),
        "longest",
        "payload",
        *short,
    ]


def summary(figures: Sequence[PageFigures], *, peers_were_there: bool) -> dict[str, Any]:
    """The figures that the bench is judged by."""
    ratios = [page.ratio for page in figures]
    standard = [page.ours / page.standard for page in figures if page.standard is not None]
    sizes = size_ratios(figures)
    return {
        "floor_ratio_median": round(median(ratios), 3),
        "floor_ratio_max": round(max(ratios), 3),
        "without_locators_ratio_median": round(median(page.ours / page.without_locators for page in figures), 3),
        "standard_ratio_median": round(median(standard), 3) if standard else None,
        "faster_than_all_peers": not any(page.faster_peers for page in figures) if peers_were_there else None,
        "payload_bytes_ratio": round(max(sizes.values()), 3) if sizes else None,
        "longest_task_ms": round(max(page.longest_task for page in figures), 1),
        "pages": len(figures),
        "truncated_pages": sum(page.truncated for page in figures),
    }


def size_ratios(figures: Sequence[PageFigures]) -> dict[str, float]:
    """Bytes of our lines over those of each peer, summed over the elements that both of us have a line for."""
    ratios = {}
    for name in PEERS:
        answers = [page.peers[name] for page in figures if name in page.peers]
        theirs = sum(answer.shared_theirs for answer in answers)
        if theirs:
            ratios[name] = sum(answer.shared_ours for answer in answers) / theirs
    return ratios


def _ms(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _peer(answer: Answer | None) -> str:
    if answer is None:
        return "-"
    return ">cap" if answer.ms is None else _ms(answer.ms)


def _tokens(tokens: int | None) -> str:
    if tokens is None:
        return "-"
    return str(tokens) if tokens < 10_000 else f"{tokens / 1000:.0f}k"
