"""A small page with each contender on it, and what its loading costs the main thread."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, Route

ORIGIN = "http://bench.example"
HOST_PAGE = """<h1>Nouvelle facture</h1><form><label>Remise <input id=remise name=remise></label>
<label>Client <select id=client><option>Duval<option>Brun</select></label><button type=button>Créer</button></form>"""
STEP = {
    "attachTo": {"element": "#remise", "on": "bottom"},
    "fallback_selector": "",
    "title": "Remise",
    "text": "Entrez ici le pourcentage.",
    "buttons": [{"text": "Terminé", "action": "next"}],
}
TOUR = {
    "tour_id": "0190c0de-0000-7000-8000-000000000001",
    "status": "published",
    "source": "published",
    "title": "Ajouter une remise",
    "steps": [STEP],
    "suggestions": [],
}
ANSWERS: dict[str, Any] = {
    "/v1/widget": {
        "accent": "#4f46e5",
        "side": "right",
        "offset_x": 20,
        "offset_y": 20,
        "label": "",
        "hidden_on": [],
        "events_percent": 100,
    },
    "/v1/tours": {"tours": [], "suggestions": ["Choisir le client"]},
    "/v1/ai/ask": {"question_id": "q1", **TOUR},
    "/v1/events": {"accepted": 1, "duplicates": 0},
}
# What the page has to do once everything of the slowest contender has come.
SETTLED_MS = 1_200
WATCH = """
window.longTasks = [];
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longTasks.push(entry.duration);
}).observe({ type: 'longtask', buffered: true });
"""


@dataclass(frozen=True)
class Contender:
    """Something to put on a page: the markup with its script, and its files by name."""

    name: str
    markup: str
    files: dict[str, str]


@dataclass(frozen=True)
class LoadCost:
    """Processor time of the main thread, beyond the page alone's; tasks over 50 ms by the clock, over all loads."""

    total_ms: float
    script_ms: float
    layout_ms: float
    longest_ms: float
    long_tasks: int

    def cells(self) -> list[str]:
        times = (self.total_ms, self.script_ms, self.layout_ms, self.longest_ms)
        return [*(f"{ms:.1f}" for ms in times), str(self.long_tasks)]


def gzipped(text: str) -> int:
    """Bytes of `text` as a server sends it."""
    return len(gzip.compress(text.encode(), compresslevel=9, mtime=0))


@contextmanager
def opened(browser: Browser, contender: Contender) -> Iterator[tuple[Page, CDPSession]]:
    """The contender's page, loaded in a browser that has never seen it, and a session that measures it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.route("**/*", lambda route: _answer(route, contender))
    context.add_init_script(WATCH)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(f"{ORIGIN}/", wait_until="load")
    yield page, session
    context.close()


def metrics(session: CDPSession) -> dict[str, float]:
    """Chromium's own counters of the page, by name; times in seconds."""
    return {entry["name"]: entry["value"] for entry in session.send("Performance.getMetrics")["metrics"]}


def load_costs(browser: Browser, contenders: list[Contender], loads: int) -> tuple[LoadCost, dict[str, LoadCost]]:
    """
    What the page costs alone, and what each contender adds to it: medians of `loads` loads, taken in turns so that a
    busy moment of the machine falls on all alike. A first load of each is thrown away.
    """
    alone = Contender("", HOST_PAGE, {})
    samples: dict[str, list[LoadCost]] = {one.name: [] for one in (alone, *contenders)}
    for turn in range(loads + 1):
        for one in (alone, *contenders):
            sample = _load(browser, one)
            if turn > 0:
                samples[one.name].append(sample)
    floor = _median(samples.pop(""))
    return floor, {name: _beyond(_median(taken), floor) for name, taken in samples.items()}


def _load(browser: Browser, contender: Contender) -> LoadCost:
    with opened(browser, contender) as (page, session):
        # Nothing is asked of the page meanwhile: looking would cost it more than what is measured.
        page.wait_for_timeout(SETTLED_MS)
        counted = metrics(session)
        if contender.name == "ours" and not page.evaluate("document.querySelector('circuy-widget') !== null"):
            raise RuntimeError("the widget did not come in time")
        tasks: list[float] = page.evaluate("longTasks")
        return LoadCost(
            total_ms=1000 * counted["TaskDuration"],
            script_ms=1000 * (counted["ScriptDuration"] + counted.get("V8CompileDuration", 0)),
            layout_ms=1000 * (counted["LayoutDuration"] + counted["RecalcStyleDuration"]),
            longest_ms=max(tasks, default=0),
            long_tasks=len(tasks),
        )


def _median(taken: list[LoadCost]) -> LoadCost:
    return LoadCost(
        median(one.total_ms for one in taken),
        median(one.script_ms for one in taken),
        median(one.layout_ms for one in taken),
        max(one.longest_ms for one in taken),
        sum(one.long_tasks for one in taken),
    )


def _beyond(cost: LoadCost, floor: LoadCost) -> LoadCost:
    return LoadCost(
        cost.total_ms - floor.total_ms,
        cost.script_ms - floor.script_ms,
        cost.layout_ms - floor.layout_ms,
        cost.longest_ms,
        cost.long_tasks,
    )


def _answer(route: Route, contender: Contender) -> None:
    path = route.request.url.removeprefix(ORIGIN).partition("?")[0]
    if path in ANSWERS:
        route.fulfill(status=200, content_type="application/json", body=json.dumps(ANSWERS[path]))
    elif path == "/":
        document = f"<!doctype html><html lang=fr><meta charset=utf-8><title>Facture</title>{contender.markup}</html>"
        route.fulfill(status=200, content_type="text/html; charset=utf-8", body=document)
    elif path.removeprefix("/") in contender.files:
        script = contender.files[path.removeprefix("/")]
        route.fulfill(status=200, content_type="text/javascript; charset=utf-8", body=script)
    else:
        route.fulfill(status=404, body="")
