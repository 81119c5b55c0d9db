"""One Chromium for all contenders, and calls into its pages that stop when they take too long."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Route, sync_playwright

ARGUMENTS = [
    # Chromium has no sandbox for the administrator of a machine.
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_ENDED = ("terminated", "timed out", "Internal error")


class TooSlowError(Exception):
    """A call into a page was stopped: it took longer than it may."""


class PageFailedError(Exception):
    """A call into a page ended with an error."""


def chromium_path() -> str | None:
    """The system's Chromium, or the one that `CHROMIUM` names; None where there is none."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def chromium(debugging_port: int | None = None) -> Iterator[Browser]:
    """The system's Chromium; others may attach to it at `debugging_port`."""
    port = [] if debugging_port is None else [f"--remote-debugging-port={debugging_port}"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=[*ARGUMENTS, *port])
        try:
            yield browser
        finally:
            browser.close()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def offline_context(browser: Browser) -> BrowserContext:
    """A context whose pages load files and nothing else."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.route("**/*", _files_only)
    return context


def _files_only(route: Route) -> None:
    if route.request.url.startswith(("file:", "data:", "blob:")):
        route.continue_()
    else:
        route.abort()


class Tab:
    """A page with scripts put into it. `call` runs an expression there, and stops it after a time."""

    def __init__(self, context: BrowserContext, url: str, scripts: list[str]) -> None:
        self._page = context.new_page()
        self._page.goto(url, wait_until="load", timeout=60_000)
        self._session = context.new_cdp_session(self._page)
        for script in scripts:
            self.call(f"{script}\n;undefined", seconds=30)

    def call(self, expression: str, *, seconds: float) -> Any:
        """The JSON value of `expression`. Raises `TooSlowError` after `seconds`, `PageFailedError` when it throws."""
        try:
            answer = self._session.send(
                "Runtime.evaluate",
                {
                    "expression": expression,
                    "awaitPromise": True,
                    "returnByValue": True,
                    "timeout": seconds * 1000,
                },
            )
        except Error as error:
            if any(word in error.message for word in _ENDED):
                raise TooSlowError from error
            raise
        details = answer.get("exceptionDetails")
        if details is not None:
            raise PageFailedError(details.get("exception", {}).get("description") or details.get("text", ""))
        return answer["result"].get("value")

    def ask(self, function: str, *arguments: Any, seconds: float) -> Any:
        """Call a global function of the page with JSON arguments."""
        return self.call(f"{function}({', '.join(json.dumps(a) for a in arguments)})", seconds=seconds)

    def close(self) -> None:
        self._page.close()
