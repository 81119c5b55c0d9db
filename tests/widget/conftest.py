"""Pages of a customer in real Chromium, with the SDK built from its sources, served from another origin."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.scan.conftest import browser_type_launch_args, context, faults
from tests.scan.site import Site
from tests.widget.circuy_server import CircuyServer

__all__ = ["browser_type_launch_args", "context", "faults"]

SDK = Path(__file__).resolve().parents[2] / "sdk"
KEY = "pk_test_1"
FORM = """<h1>Facture</h1><form><label>Remise <input id=remise name=remise></label>
<button type=button id=aide>Aide</button></form>"""

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The SDK built from its sources: `circuy/` as the server serves it, `dist/` as npm gets it."""
    folder = tmp_path_factory.mktemp("sdk")
    command = ["node", "build.mjs", "--into", str(folder)]
    done = subprocess.run(command, cwd=SDK, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def running_server(build: Path) -> Iterator[CircuyServer]:
    server = CircuyServer(build)
    yield server
    server.close()


@pytest.fixture
def server(running_server: CircuyServer) -> CircuyServer:
    """Circuy's part, with nothing asked of it yet."""
    running_server.forget()
    return running_server


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture
def open_page(context: BrowserContext, site: Site, server: CircuyServer, faults: list[str]) -> Iterator[OpenPage]:
    """
    Open a page of the customer's whose body is `html`, with the script tag. `attributes` are the tag's, `head` comes
    before it, `path` is where the page is, `fragment` ends its address. No inline script or style, no
    `eval`, Trusted Types: as careful customers
    serve their pages. What goes wrong in a page fails the test, unless the test takes it out of `faults`.
    """

    def opened(
        html: str = FORM,
        *,
        attributes: str = f"data-key={KEY}",
        head: str = "",
        path: str = "/factures/42",
        lang: str = "fr",
        in_page: Page | None = None,
        fragment: str = "",
        **scripts: str,
    ) -> Page:
        for name, text in scripts.items():
            site.put(f"/{name}.js", text, "text/javascript; charset=utf-8")
        tags = "".join(f"<script src=/{name}.js></script>" for name in scripts)
        tag = f'<script src="{server.url}/static/circuy/circuy.js" {attributes} async></script>'
        body = f"<!doctype html><html lang={lang}><head><meta charset=utf-8><title>Facture</title>{head}{tags}{tag}"
        policy = (
            f"default-src 'self'; script-src 'self' {server.url}; connect-src 'self' {server.url}; "
            "require-trusted-types-for 'script'"
        )
        site.put(path, f"{body}</head><body>{html}</body></html>", **{"Content-Security-Policy": policy})
        page = in_page or context.new_page()
        page.goto(site.url + path + fragment, wait_until="load")
        return page

    yield opened
    assert faults == []
