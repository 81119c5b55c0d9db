"""Measure what the SDK weighs and costs on a page, beside its peers, in one Chromium: `make bench-sdk ARGS=--help`."""

from __future__ import annotations

import argparse
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser

from bench.browser.bundles import ASIDE, SDK, npm_peers
from bench.browser.chromium import chromium
from bench.browser.table import Table, say
from bench.sdk.pages import HOST_PAGE, Contender, LoadCost, gzipped, load_costs
from bench.sdk.tours import Tours, run_tours

HERE = Path(__file__).parent
GOALS = {"loader_gz": 4_096, "widget_gz": 14_336, "tour_gz": 24_576, "load_ms": 5.0, "long_tasks": 0}
PARTS = {"loader_gz": "circuy.js", "widget_gz": "widget.js", "tour_gz": "tour.js"}
# A heap is never the same twice: what 200 tours may leave is less than one element a tour.
HEAP_TOLERANCE = 50_000


@dataclass(frozen=True)
class Measured:
    """All that was measured."""

    sizes: dict[str, int]
    floor: LoadCost
    costs: dict[str, LoadCost]
    tours: Tours


def main() -> None:
    """Print the tables and the summary."""
    parser = argparse.ArgumentParser(prog="make bench-sdk", description="Measure what the SDK costs on a page.")
    parser.add_argument("--loads", type=int, default=15, help="page loads of each contender (default: 15)")
    parser.add_argument("--tours", type=int, default=200, help="tours to start and cancel (default: 200)")
    options = parser.parse_args()
    files = _built()
    peers = npm_peers(HERE, "posthog.js", "driver.js")
    contenders = [Contender("ours", f"<script src=/circuy.js data-key=pk_bench async></script>{HOST_PAGE}", files)]
    for name, script in zip(("posthog-js", "driver.js"), peers or (), strict=False):
        contenders.append(Contender(name, f"<script src=/peer.js async></script>{HOST_PAGE}", {"peer.js": script}))
    with chromium() as browser:
        _print(_measure(browser, contenders, files, options.loads, options.tours))


def _built() -> dict[str, str]:
    """The SDK's files by name, built from the sources as they are now."""
    into = ASIDE / "sdk-build"
    command = ["node", "build.mjs", "--into", str(into)]
    done = subprocess.run(command, cwd=SDK, capture_output=True, text=True, check=False)  # noqa: S603 - a fixed command
    if done.returncode != 0:
        raise SystemExit(f"The SDK could not be built:\n{done.stderr}")
    return {file.name: file.read_text(encoding="utf-8") for file in (into / "circuy").glob("*.js")}


def _measure(browser: Browser, contenders: list[Contender], files: dict[str, str], loads: int, tours: int) -> Measured:
    floor, costs = load_costs(browser, contenders, loads)
    sizes = {file.removesuffix(".js"): gzipped(text) for file, text in files.items()}
    sizes |= {contender.name: gzipped(contender.files["peer.js"]) for contender in contenders[1:]}
    return Measured(sizes, floor, costs, run_tours(browser, contenders[0], tours))


def _print(measured: Measured) -> None:
    parts = Table("part", 28, ["gzip B", "goal"])
    for name, file in PARTS.items():
        parts.row(file, [f"{measured.sizes[file.removesuffix('.js')]:,}", f"{GOALS[name]:,}"])
    for name in ("judge", "recorder", *list(measured.costs)[1:]):
        parts.row(f"{name}.js" if name in ("judge", "recorder") else name, [f"{measured.sizes[name]:,}", ""])
    say()
    say("Milliseconds of processor time on the page's main thread until it is idle (medians), beyond the page alone.")
    say("script + layout is what a contender asks for, load_ms; total adds the browser's own: messages, painting.")
    table = Table("contender", 28, ["total", "script", "layout", "longest", "tasks>50"])
    table.row("the page alone (total)", [*measured.floor.cells()])
    for name, cost in measured.costs.items():
        table.row(name, cost.cells())
    say()
    tours = measured.tours
    say(
        f"{tours.count} tours started and cancelled: heap {tours.heap_growth_bytes:+,} B, DOM nodes "
        f"{tours.nodes_growth:+}, listeners {tours.listeners_growth:+}, longest task {tours.longest_task_ms:.0f} ms"
    )
    summary = _summary(measured)
    for name, goal in {**GOALS, "heap_growth_bytes": HEAP_TOLERANCE}.items():
        if summary[name] > goal:
            say(f"missed: {name} is {summary[name]:,}, the goal {goal:,}")
    say(json.dumps(summary))


def _summary(measured: Measured) -> dict[str, float]:
    ours = measured.costs["ours"]
    return {
        **{name: measured.sizes[file.removesuffix(".js")] for name, file in PARTS.items()},
        "load_ms": round(ours.script_ms + ours.layout_ms, 2),
        "long_tasks": ours.long_tasks + measured.tours.long_tasks,
        "heap_growth_bytes": measured.tours.heap_growth_bytes,
    }


if __name__ == "__main__":
    main()
