"""Try locators of one release, or one language, in another: see `make bench-locators ARGS=--help`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import BrowserContext

from bench.browser.bundles import npm_peers, pip_peers, playwright_script, scanner
from bench.browser.chromium import Tab, chromium, offline_context
from bench.browser.corpus import SavedPage, need_corpus, version_pages
from bench.browser.generated import generated_page
from bench.browser.table import Table, say
from bench.locators.outcomes import PairSet, columns, exponent, together

HERE = Path(__file__).parent
RELEASES = (
    ("django-2.2", "django-3.2"),
    ("django-3.2", "django-4.2"),
    ("django-4.2", "django-5.2"),
    ("django-2.2", "django-5.2"),
    ("adminlte-v3.0.5", "adminlte-v3.2.0"),
    ("adminlte-v4.0.0-rc3", "adminlte-4.0.2"),
)
DEMO_LANGUAGES = ("fr", "en")
ADMIN_LANGUAGES = ("fr", "de")
SIZES = (500, 2_000, 8_000, 20_000, 50_000)
# Time for everything that is asked of one page; the generators have their own limit within it.
PAGE_S = 120.0


@dataclass(frozen=True)
class Bench:
    """A browser context with what is put into every page, and how long each generator may take for a page."""

    context: BrowserContext
    scripts: list[str]
    generator_s: float

    def pairs(self, name: str, pages: Sequence[tuple[SavedPage, SavedPage]], identities: Sequence[str]) -> PairSet:
        """Locators of each first page, tried in the second."""
        outcomes = PairSet(name)
        for old_page, new_page in pages:
            new = Tab(self.context, new_page.url, self.scripts)
            old = Tab(self.context, old_page.url, self.scripts)
            wanted = new.ask("CircuyLocators.keysOf", list(identities), seconds=PAGE_S)
            items = old.ask("CircuyLocators.collect", wanted, self.generator_s * 1000, seconds=PAGE_S)
            verdicts = new.ask("CircuyLocators.verify", items, seconds=PAGE_S)
            outcomes.results += [
                {**item, **verdict, "page": old_page.name} for item, verdict in zip(items, verdicts, strict=True)
            ]
            old.close()
            new.close()
        return outcomes

    def cost(self, page: SavedPage) -> tuple[int, float]:
        """The number of elements of a page and the milliseconds that their locators cost."""
        tab = Tab(self.context, page.url, self.scripts)
        answer = tab.ask("CircuyLocators.cost", seconds=PAGE_S)
        tab.close()
        return answer["elements"], answer["ms"]


def main() -> None:
    """Print a row a set of page pairs, the cost by size, and the summary."""
    parser = argparse.ArgumentParser(prog="make bench-locators", description="Try locators in later releases.")
    parser.add_argument("--quick", action="store_true", help="one pair of releases, two pages each")
    parser.add_argument("--failures", action="store_true", help="list what ours missed or took for another")
    parser.add_argument("--seconds", type=float, default=6.0, help="time of each generator for a page (default: 6)")
    options = parser.parse_args()
    need_corpus("bench-locators")

    peers, python = npm_peers(HERE, "peers.js"), pip_peers(HERE)
    harness = (HERE / "page" / "harness.js").read_text(encoding="utf-8")
    scripts = [scanner(), playwright_script(), *(peers or []), harness]
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        bench = Bench(offline_context(browser), scripts, options.seconds)
        say("Per cent found of what the generator was in time for, hits on another element, elements it was late for.")
        table = Table("pages", 36, columns())
        by_release = _releases(bench, table, quick=options.quick)
        by_language = _languages(bench, table, python, Path(folder))
        costs = [bench.cost(generated_page(size, Path(folder))) for size in SIZES]
    if options.failures:
        _print_failures([*by_release, *by_language])
    _print_summary(together(by_release), together(by_language), costs)


def _releases(bench: Bench, table: Table, *, quick: bool) -> list[PairSet]:
    sets = []
    for old, new in RELEASES[3:4] if quick else RELEASES:
        later = {page.name: page for page in version_pages(new)}
        pages = [(page, later[page.name]) for page in version_pages(old) if page.name in later]
        outcomes = bench.pairs(f"{old} → {new}", pages[:2] if quick else pages, ["text", "attributes"])
        table.row(outcomes.name, outcomes.of("text").cells())
        table.row("  … whose text changed", outcomes.of("attributes").cells())
        sets.append(outcomes)
    return sets


def _languages(bench: Bench, table: Table, python: Path | None, folder: Path) -> list[PairSet]:
    demo = folder / "demo"
    _render(sys.executable, "render_demo.py", demo, *DEMO_LANGUAGES)
    sets = _both_ways(bench, table, "the demonstration", demo, DEMO_LANGUAGES)
    if python is not None:
        admin = folder / "admin"
        for language in ADMIN_LANGUAGES:
            (admin / language).mkdir(parents=True)
            _render(python, "render_admin.py", admin / language, language)
        sets += _both_ways(bench, table, "Django's administration", admin, ADMIN_LANGUAGES)
    return sets


def _render(python: str | Path, script: str, *arguments: str | Path) -> None:
    subprocess.run([python, HERE / script, *arguments], check=True)  # noqa: S603 - our own script


def _both_ways(bench: Bench, table: Table, name: str, folder: Path, languages: tuple[str, str]) -> list[PairSet]:
    """Locators of the pages in each of the two languages, tried in the other."""
    sets = []
    for old, new in (languages, languages[::-1]):
        pairs = [
            (SavedPage(f"{old}/{file.stem}", file), SavedPage(f"{new}/{file.stem}", folder / new / file.name))
            for file in sorted((folder / old).iterdir())
        ]
        outcomes = bench.pairs(f"{name} {old} → {new}", pairs, ["language"])
        table.row(outcomes.name, outcomes.cells())
        sets.append(outcomes)
    return sets


def _print_failures(sets: Sequence[PairSet]) -> None:
    for outcomes in sets:
        say(f"\n{outcomes.name}")
        for result in outcomes.results:
            if result["ours"] == "found":
                continue
            node = result["node"]
            hit = f"  hit by its {result['by']}: {result['hit']}" if result["ours"] == "wrong" else ""
            say(f"  {result['ours']}  {result['page']} [{result['identity']}] <{node['tag']}> {result['called'][:40]}")
            say(f"      {node['selector']}  |  {node.get('fallbackSelector', '')}{hit}")


def _print_summary(releases: PairSet, languages: PairSet, costs: list[tuple[int, float]]) -> None:
    say()
    say("locators of all elements: " + ", ".join(f"{elements:,} elements {ms:.0f} ms" for elements, ms in costs))
    texts, renamed = releases.of("text"), releases.of("attributes")
    figures = {
        "found": texts.found("ours"),
        "wrong_share": together([releases, languages]).wrong("ours"),
        "found_renamed": renamed.found("ours"),
        "found_languages": languages.found("ours"),
        "playwright_found": texts.found("playwright"),
        "linear_exponent": exponent(costs),
    }
    say(json.dumps({name: None if value is None else round(value, 4) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
