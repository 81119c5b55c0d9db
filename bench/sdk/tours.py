"""Many tours on one page: does it get back what it gave?"""

from __future__ import annotations

import json
from dataclasses import dataclass

from playwright.sync_api import Browser, CDPSession, Page

from bench.sdk.pages import TOUR, Contender, metrics, opened

# The engine compiles and caches for a hundred tours and more; what comes after would come for ever.
WARM_UP = 200
# The last events have gone, timers have run out.
QUIET_MS = 2_500


@dataclass(frozen=True)
class Tours:
    """What `count` tours left behind, and how long the page was busy at once."""

    count: int
    heap_growth_bytes: int
    nodes_growth: int
    listeners_growth: int
    longest_task_ms: float
    long_tasks: int


def run_tours(browser: Browser, ours: Contender, count: int) -> Tours:
    """Open the panel, ask, then start and cancel `count` tours; the first few, which load code, are not counted."""
    with opened(browser, ours) as (page, session):
        page.locator("[data-circuy=launcher]").click()
        page.locator("[data-circuy=question]").fill("Comment ajouter une remise ?")
        page.locator("[data-circuy=question]").press("Enter")
        page.locator("[data-circuy=step-dialog]").wait_for()
        page.keyboard.press("Escape")
        _walk(page, WARM_UP)
        before = _settled(page, session)
        _walk(page, count)
        after = _settled(page, session)
        tasks: list[float] = page.evaluate("longTasks")
    return Tours(
        count=count,
        heap_growth_bytes=int(after["heap"] - before["heap"]),
        nodes_growth=int(after["Nodes"] - before["Nodes"]),
        listeners_growth=int(after["JSEventListeners"] - before["JSEventListeners"]),
        longest_task_ms=max(tasks, default=0),
        long_tasks=len(tasks),
    )


def _walk(page: Page, count: int) -> None:
    start = f"() => void Circuy.startTour({json.dumps(TOUR)})"
    for _ in range(count):
        page.evaluate(start)
        page.locator("[data-circuy=step-dialog]").wait_for()
        page.keyboard.press("Escape")
        page.locator("circuy-tour").wait_for(state="detached")


def _settled(page: Page, session: CDPSession) -> dict[str, float]:
    page.wait_for_timeout(QUIET_MS)
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    return {**metrics(session), "heap": session.send("Runtime.getHeapUsage")["usedSize"]}
