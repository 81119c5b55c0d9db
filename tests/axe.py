"""What axe-core finds wrong with a page for people who cannot see it, hear it or use a mouse."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SOURCE = Path(__file__).resolve().parent.parent / "sdk/node_modules/axe-core/axe.min.js"

_RUN = """async ([within, rules]) => {
    const context = within.length ? { include: within.map((selector) => [selector]) } : document;
    const only = rules.length ? { runOnly: rules } : {};
    return (await axe.run(context, { resultTypes: ['violations'], ...only })).violations;
}"""
# What another colour scheme can break: the rest of a page is the same in both.
COLOURS = ("color-contrast", "link-in-text-block")


@lru_cache(maxsize=1)
def _source() -> str:
    return SOURCE.read_text(encoding="utf-8")


def violations(page: Page, *within: str, rules: Sequence[str] = ()) -> list[str]:
    """What is wrong in the page, or in the elements of these selectors: one line an element, empty when nothing is.

    ``rules``: only what these are about, where the others were tried already.
    """
    # Evaluated, not added to the page as a script: the page's content security policy stays in force.
    page.evaluate(_source())
    found: list[dict[str, Any]] = page.evaluate(_RUN, [list(within), list(rules)])
    return [
        f"{violation['id']} ({violation['impact']}) {node['target']}: {node['failureSummary'][:300]}"
        for violation in found
        for node in violation["nodes"]
    ]
