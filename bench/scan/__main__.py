"""Measure the scanner beside its peers, in one Chromium: see `make bench-scan ARGS=--help`."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext

from bench.browser.bundles import npm_peers, pip_peers, playwright_script, scanner, scanner_without_locators
from bench.browser.chromium import PageFailedError, Tab, TooSlowError, chromium, free_port, offline_context
from bench.browser.corpus import SavedPage, need_corpus, question_pages, releases, version_pages
from bench.browser.generated import generated_page
from bench.browser.table import Table, say
from bench.scan.browser_use_peer import BrowserUse
from bench.scan.figures import PEERS, Answer, PageFigures, columns, size_ratios, summary
from bench.scan.kept import Kept, measure_kept

HERE = Path(__file__).parent
GENERATED = (20_000, 50_000)
QUICK = ("django/users100.html", "oscar/product_edit_fr.html", "adminlte/dashboard.html")
# Beside the peer's work: a second run of what is quick, and finding which elements its lines are about.
EXTRA_S = 5.0


def main() -> None:
    """Print a row a page, what is kept, and the summary."""
    parser = argparse.ArgumentParser(prog="make bench-scan", description="Measure the scanner beside its peers.")
    parser.add_argument("--quick", action="store_true", help="four pages, one sample each")
    parser.add_argument("--missing", action="store_true", help="list the elements that the scan does not keep")
    parser.add_argument("--runs", type=int, default=5, help="samples of our scan and of the floors (default: 5)")
    parser.add_argument("--cap", type=float, default=20.0, help="seconds that a peer may take a page (default: 20)")
    options = parser.parse_args()
    need_corpus("bench-scan")

    bundles, python = npm_peers(HERE, "peers.js", "tokenizer.js"), pip_peers(HERE)
    peers, tokenizer = bundles or ("", "")
    harness = (HERE / "page" / "harness.js").read_text(encoding="utf-8")
    without_locators = scanner_without_locators(HERE / "page" / "no_locators.mjs")
    scripts = [scanner(), without_locators, playwright_script(), peers, harness]
    names = [name for name in PEERS if name != "browserUse" and (bundles is not None or name.startswith("aria"))]
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, chromium(port) as browser:
        context = offline_context(browser)
        pages = _pages(Path(folder), quick=options.quick)
        in_page = InPage(context, scripts, names, 1 if options.quick else options.runs, options.cap)
        results = [in_page.measure(page) for page in _with_progress(pages, "in the page")]
        figures = [measured for measured, _ in results]
        texts = [said for _, said in results]
        if python is not None:
            _measure_browser_use(pages, figures, texts, BrowserUse(python, _url(port)), options.cap)
        if bundles is not None:
            _count_tokens(context, tokenizer, figures, texts)
        kept = measure_kept(context, [scripts[0], harness])
    _print(figures, kept, options.cap, peers_were_there=bundles is not None, missing=options.missing)


def _pages(folder: Path, *, quick: bool) -> list[SavedPage]:
    if quick:
        return [*(page for page in question_pages() if page.name.endswith(QUICK)), generated_page(5_000, folder)]
    versions = [
        SavedPage(f"{release}/{page.name}", page.file) for release in releases() for page in version_pages(release)
    ]
    return [*question_pages(), *versions, *(generated_page(elements, folder) for elements in GENERATED)]


@dataclass(frozen=True)
class InPage:
    """What runs in the measured page itself: our scan and the floor `runs` times, and the peers of these names."""

    context: BrowserContext
    scripts: list[str]
    peers: list[str]
    runs: int
    cap: float

    def measure(self, page: SavedPage) -> tuple[PageFigures, dict[str, str]]:
        """The figures of a page, and what each contender would tell a model about it."""
        tab = Tab(self.context, page.url, self.scripts)
        answer = tab.ask("CircuyBench.measureOurs", self.runs, seconds=120)
        figures = PageFigures(
            page=page.name,
            elements=answer["elements"],
            nodes=answer["nodes"],
            truncated=answer["truncated"],
            ours=answer["ours"],
            floor=answer["floor"],
            without_locators=answer["withoutLocators"],
            standard=answer["standard"],
            longest_task=answer["longestTask"],
            payload_bytes=answer["payloadBytes"],
        )
        texts = {"ours": answer["text"]}
        for name in self.peers:
            figures.peers[name], text = self._peer(tab, name)
            if text is None:
                # It was stopped in the middle, and may have left the page half changed.
                tab.close()
                tab = Tab(self.context, page.url, self.scripts)
            else:
                texts[name] = text
        tab.close()
        return figures, texts

    def _peer(self, tab: Tab, name: str) -> tuple[Answer, str | None]:
        try:
            answer = tab.ask("CircuyBench.measurePeer", name, seconds=self.cap + EXTRA_S)
        except TooSlowError:
            return Answer(ms=None), None
        except PageFailedError as error:
            say(f"  {name} failed: {str(error).splitlines()[0]}")
            return Answer(ms=None), None
        if answer["ms"] > self.cap * 1000:
            return Answer(ms=None), None
        shared = answer["shared"]
        return Answer(answer["ms"], shared["ours"], shared["theirs"]), answer["text"]


def _measure_browser_use(
    pages: Sequence[SavedPage],
    figures: Sequence[PageFigures],
    texts: Sequence[dict[str, str]],
    peer: BrowserUse,
    cap: float,
) -> None:
    """Last, and with no other tab open: it attaches to all it finds, and would disturb what is measured there."""
    for page, measured, said in zip(_with_progress(pages, "browser-use"), figures, texts, strict=True):
        answer = peer.measure(page.url, seconds=cap)
        measured.peers["browserUse"] = Answer(None if answer is None else answer["ms"])
        if answer is not None:
            said["browserUse"] = answer["text"]
    peer.stop()


def _count_tokens(
    context: BrowserContext, tokenizer: str, figures: Sequence[PageFigures], texts: Sequence[dict[str, str]]
) -> None:
    blank = Tab(context, "about:blank", [tokenizer])
    for measured, said in zip(figures, texts, strict=True):
        measured.tokens = {name: blank.ask("countTokens", text, seconds=60) for name, text in said.items()}
    blank.close()


def _print(
    figures: Sequence[PageFigures], kept: dict[str, Kept], cap: float, *, peers_were_there: bool, missing: bool
) -> None:
    say("floor: a plain walk that reads the same names and nothing else. no loc.: our scan but for its locators.")
    say("standard: the specification's scan, names by dom-accessibility-api, without locators, contexts and masks.")
    say(f"Milliseconds (>cap: over {cap:.0f} s), then tokens (t) of what a model reads.")
    say("nodes+: more than may be sent; all of them are measured here.")
    table = Table("page", 44, columns())
    for page in figures:
        table.row(page.page, page.cells())
    say()
    for page in figures:
        if page.faster_peers:
            say(f"faster than ours on {page.page}: {', '.join(PEERS[name] for name in page.faster_peers)}")
    for name, ratio in size_ratios(figures).items():
        say(f"bytes of our lines over those of {PEERS[name]}, same elements: {ratio:.2f}")
    for name, what in kept.items():
        say(f"kept of interactive.json's {name}: {what.total - len(what.missing)} of {what.total}")
        if missing:
            for page_name, selector in what.missing:
                say(f"  {page_name}  {selector}")
    shares: dict[str, Any] = {
        "kept_share": round(kept["selectors"].share, 4),
        "closed_kept_share": round(kept["closed"].share, 4),
    }
    say(json.dumps({**summary(figures, peers_were_there=peers_were_there), **shares}))


def _with_progress(pages: Sequence[SavedPage], what: str) -> Iterator[SavedPage]:
    for number, page in enumerate(pages, start=1):
        sys.stderr.write(f"\r\x1b[K{what}: {number}/{len(pages)} {page.name}")
        yield page
    sys.stderr.write("\r\x1b[K")


def _url(port: int) -> str:
    return f"http://127.0.0.1:{port}"


if __name__ == "__main__":
    main()
