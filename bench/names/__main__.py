"""Compare names and roles with Chromium's accessibility tree: see `make bench-names ARGS=--help`."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext

from bench.browser.bundles import scanner
from bench.browser.chromium import chromium, offline_context
from bench.browser.corpus import SavedPage, need_corpus, question_pages, releases, version_pages
from bench.browser.table import Table, say
from bench.names.chromium_tree import Heard, heard_by_mark
from bench.names.reasons import reason

HERE = Path(__file__).parent
MARK = "data-names-bench"
# Chromium says "textbox"; HTML gives it no role, so that no reader mistakes it for a field that may be read out.
ROLELESS_TYPES = {"password"}
WIDGETS = {
    *("button", "checkbox", "combobox", "form", "heading", "link", "listbox", "menuitem", "menuitemcheckbox"),
    *("menuitemradio", "option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem"),
}


@dataclass
class Compared:
    """The elements of one page that both readers know."""

    page: str
    names: int = 0
    same_names: int = 0
    roles: int = 0
    same_roles: int = 0
    explained: Counter[str] = field(default_factory=Counter)
    unexplained: list[str] = field(default_factory=list)
    other_roles: list[str] = field(default_factory=list)

    def cells(self) -> list[str]:
        return [
            str(self.names),
            _percent(self.same_names, self.names - self.explained.total()),
            str(self.explained.total()),
            str(len(self.unexplained)),
            _percent(self.same_roles, self.roles),
        ]


def main() -> None:
    """Print a row a page, the differences, and the summary."""
    parser = argparse.ArgumentParser(
        prog="make bench-names", description="Compare names and roles with Chromium's accessibility tree."
    )
    parser.add_argument("--quick", action="store_true", help="the pages of the questions only")
    options = parser.parse_args()
    need_corpus("bench-names")
    pages = question_pages()
    if not options.quick:
        pages += [
            SavedPage(f"{release}/{page.name}", page.file) for release in releases() for page in version_pages(release)
        ]

    scripts = [scanner(), (HERE / "page" / "kept.js").read_text(encoding="utf-8")]
    table = Table("page", 44, ["names", "same", "on purpose", "unexplained", "same roles"])
    results = []
    with chromium() as browser:
        context = offline_context(browser)
        for page in pages:
            results.append(compare(context, page, scripts))
            table.row(page.name, results[-1].cells())
    _print(results)


def compare(context: BrowserContext, page: SavedPage, scripts: list[str]) -> Compared:
    """Read the page twice: once with our reader, once with Chromium's."""
    tab = context.new_page()
    tab.goto(page.url, wait_until="load", timeout=60_000)
    session = context.new_cdp_session(tab)
    for script in scripts:
        session.send("Runtime.evaluate", {"expression": f"{script}\n;undefined"})
    answer = session.send(
        "Runtime.evaluate", {"expression": "CircuyNamesBench.read()", "awaitPromise": True, "returnByValue": True}
    )
    heard = heard_by_mark(session, MARK)
    compared = Compared(page.name)
    for number, kept in enumerate(answer["result"]["value"]):
        theirs = heard.get(str(number))
        if theirs is not None:
            _compare_names(compared, kept, theirs)
            if "role" in kept:
                _compare_roles(compared, kept, theirs)
    tab.close()
    return compared


def _compare_names(compared: Compared, kept: dict[str, Any], theirs: Heard) -> None:
    compared.names += 1
    ours = " ".join(kept["name"].split())
    if ours == theirs.name:
        compared.same_names += 1
        return
    why = reason(ours, theirs.name, kept["traits"])
    if why is None:
        compared.unexplained.append(f"{ours!r} and not {theirs.name!r}: {_flat(kept['html'])}")
    else:
        compared.explained[why] += 1


def _compare_roles(compared: Compared, kept: dict[str, Any], theirs: Heard) -> None:
    compared.roles += 1
    # The scan gives no role to what only structures a page.
    expected = theirs.role if theirs.role in WIDGETS or kept["role"] is not None else None
    if kept["role"] == expected or (kept["role"] is None and kept["type"] in ROLELESS_TYPES):
        compared.same_roles += 1
    else:
        compared.other_roles.append(f"{kept['role']} and not {theirs.role}: {_flat(kept['html'])}")


def _print(results: list[Compared]) -> None:
    explained = sum((page.explained for page in results), Counter[str]())
    names, same = sum(page.names for page in results), sum(page.same_names for page in results)
    unexplained = sum(len(page.unexplained) for page in results)
    roles, same_roles = sum(page.roles for page in results), sum(page.same_roles for page in results)
    say()
    say(f"Names that differ from Chromium's on purpose: {explained.total()} of {names}")
    for why, count in explained.most_common():
        say(f"  {count:>6}  {why}")
    for title, kind in (("Names that differ without a reason", "unexplained"), ("Roles that differ", "other_roles")):
        lines = Counter(line for page in results for line in getattr(page, kind))
        say(f"{title}: {lines.total()}")
        for line, count in lines.most_common():
            say(f"  {count:>6}  {line}")
    summary = {
        "agreement": round(same / (names - explained.total()), 4),
        "role_agreement": round(same_roles / roles, 4),
        "n": names,
        "explained": dict(explained.most_common()),
        "unexplained": unexplained,
    }
    say(json.dumps(summary, ensure_ascii=False))


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


def _flat(html: str) -> str:
    return " ".join(html.split())


if __name__ == "__main__":
    main()
