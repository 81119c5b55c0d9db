"""Small pages in real Chromium, with the tour chunk as the widget loads it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.scan.conftest import browser_type_launch_args, context, faults
from tests.scan.site import HTML, SCRIPT, Site

__all__ = ["browser_type_launch_args", "context", "faults"]

ROOT = Path(__file__).resolve().parents[2]
SDK = ROOT / "static" / "circuy"

# What the widget does with the chunk: it goes on with a guide that the page before left, and starts others when told.
_PLAYER = """
import { resumeGuide, runGuide } from '/circuy/tour.js';
const events = [];
let run = null;
const options = {
  locale: document.documentElement.lang || 'fr',
  messages: {},
  theme: THEME,
  report: (type, more) => { events.push({ type, ...more }); },
};
const follow = (started) => {
  run = started;
  run.ended.then(({ outcome }) => { player.outcome = outcome; });
};
const player = {
  events,
  outcome: null,
  start: (guide) => { run?.cancel(); follow(runGuide(guide, options)); },
};
window.player = player;
const resumed = resumeGuide(() => options);
if (resumed !== null) follow(resumed.run);
"""

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    site = Site()
    for name in ("tour.js", "judge.js", "circuy-scan.js"):
        site.put(f"/circuy/{name}", (SDK / name).read_text(encoding="utf-8"), SCRIPT)
    theme = (ROOT / "sdk/src/ui/theme.css").read_text(encoding="utf-8")
    site.put("/player.js", _PLAYER.replace("THEME", json.dumps(theme)), SCRIPT)
    yield site
    site.close()


@pytest.fixture
def open_page(context: BrowserContext, site: Site, faults: list[str]) -> Iterator[OpenPage]:
    """
    Open a page whose body is `html` at `path`. `others` are bodies of further pages of the same site, by path; `head`
    goes into the head of all of them; `csp` is their content security policy. What goes wrong in a page fails the test.
    """

    def opened(
        html: str,
        *,
        path: str = "/page",
        head: str = "",
        others: Mapping[str, str] | None = None,
        csp: str | None = None,
        root: str = "lang=fr",
        within: BrowserContext | None = None,
    ) -> Page:
        policy = {} if csp is None else {"Content-Security-Policy": csp}
        for where, body in {path: html, **(others or {})}.items():
            site.put(where, document_of(body, head, root), HTML, **policy)
        page = (within or context).new_page()
        page.goto(site.url + path, wait_until="load")
        page.wait_for_function("window.player !== undefined")
        return page

    yield opened
    assert faults == []


def document_of(body: str, head: str = "", root: str = "lang=fr") -> str:
    """A whole document with the guides' player in it."""
    return (
        f"<!doctype html><html {root}><head><meta charset=utf-8><title>Page</title>{head}"
        '<script type=module src="/player.js"></script></head>'
        f"<body>{body}</body></html>"
    )
