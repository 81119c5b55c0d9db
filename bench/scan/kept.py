"""Which of the elements that people can operate, listed independently in `interactive.json`, a scan keeps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext

from bench.browser.chromium import Tab
from bench.browser.corpus import QUESTIONS, question_pages


@dataclass
class Kept:
    """How many of `total` are kept, and the others, by page and selector."""

    total: int = 0
    missing: list[tuple[str, str]] = field(default_factory=list)

    @property
    def share(self) -> float:
        return 1 - len(self.missing) / self.total if self.total else 0.0


def measure_kept(context: BrowserContext, scripts: Sequence[str]) -> dict[str, Kept]:
    """By list of `interactive.json`: "selectors" are in reach at once, "closed" in a menu, tab or dialog."""
    listed = json.loads((QUESTIONS / "interactive.json").read_text(encoding="utf-8"))
    found = {"selectors": Kept(), "closed": Kept()}
    for page in question_pages():
        if page.name not in listed:
            continue
        tab = Tab(context, page.url, list(scripts))
        for name, kept in found.items():
            selectors = listed[page.name][name]
            answers = tab.ask("CircuyBench.kept", selectors, seconds=30)
            kept.total += len(selectors)
            kept.missing += [
                (page.name, selector) for selector, is_kept in zip(selectors, answers, strict=True) if not is_kept
            ]
        tab.close()
    return found
