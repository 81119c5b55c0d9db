"""Small pages in real Chromium, served over HTTP with the scanner as customers' pages get it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.chromium import browser_type_launch_args
from tests.scan.site import HTML, SCRIPT, Site

__all__ = ["browser_type_launch_args"]

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "static" / "circuy" / "circuy-scan.js"


@pytest.fixture(scope="session")
def bundle() -> str:
    """The scanner, as it is served."""
    return BUNDLE.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def site(bundle: str) -> Iterator[Site]:
    site = Site()
    site.put("/circuy-scan.js", bundle, SCRIPT)
    yield site
    site.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(locale="fr-FR", viewport={"width": 1280, "height": 900})
    yield context
    context.close()


@pytest.fixture
def faults(context: BrowserContext) -> list[str]:
    """Everything that went wrong in the pages: errors that nobody caught, and errors on the console."""
    found: list[str] = []
    context.on("weberror", lambda error: found.append(str(error.error)))
    context.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    return found


@pytest.fixture
def open_page(context: BrowserContext, site: Site, faults: list[str]) -> Iterator[Any]:
    """
    Open a page whose body is `html` (or which is `html`, when that is a whole document): `open_page("<h1>Hello")`.
    The scanner is its last script. `csp` is its content security policy; `path` where it is; `files` what else the
    site serves, by path; `first` a script that runs before any of the page's, in frames too. What goes wrong in a page
    fails the test.
    """

    def opened(
        html: str,
        csp: str | None = None,
        *,
        path: str = "/page",
        files: Mapping[str, str] | None = None,
        first: str | None = None,
    ) -> Page:
        for name, body in (files or {}).items():
            site.put(name, body, SCRIPT if name.endswith(".js") else HTML)
        policy = {} if csp is None else {"Content-Security-Policy": csp}
        site.put(path.partition("?")[0], document_of(html), HTML, **policy)
        page = context.new_page()
        if first is not None:
            page.add_init_script(first)
        page.goto(site.url + path, wait_until="load")
        return page

    yield opened
    assert faults == []


def document_of(html: str) -> str:
    """A whole document, with the scanner as its last script."""
    script = '<script src="/circuy-scan.js"></script>'
    if "<html" in html:
        return html.replace("</body>", script + "</body>")
    head = "<!doctype html><html lang=fr><head><meta charset=utf-8><title>Page</title></head>"
    return f"{head}<body>{html}{script}</body></html>"
