"""Firefox and WebKit, each by its own protocol, in the few words that the tests need.

Playwright brings browsers of its own for these two; here they are the system's, as people have them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from bench.browser.chromium import free_port

WINDOW = (1200, 900)
WAIT_S = 15.0
START_S = 90
_PAUSE_S = 0.05
# The code points that WebDriver gives to keys without a character.
KEYS = {"Tab": "\ue004", "Escape": "\ue00c", "Enter": "\ue007"}
_MINI_BROWSERS = ("/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/libexec/webkit2gtk-4.1/MiniBrowser")


class Driver(Protocol):
    """A browser with one page."""

    def go(self, url: str) -> None:
        """Open a page and wait until it has loaded."""

    def run(self, script: str, *arguments: Any) -> Any:
        """Return what a function body gives in the page; `arguments` is what it is given."""

    def click_at(self, x: int, y: int) -> None:
        """Press the mouse's main button there, as a person would: the page sees a trusted event."""

    def type(self, text: str) -> None:
        """Press these keys."""

    def close(self) -> None:
        """End the browser."""


class Firefox:
    """The system's Firefox, through Marionette."""

    def __init__(self, binary: str) -> None:
        from marionette_driver.marionette import Marionette

        self._profile = tempfile.TemporaryDirectory(prefix="circuy-firefox-")
        port = free_port()
        preferences = {
            "marionette.port": port,
            "intl.accept_languages": "fr-FR",
            "datareporting.policy.dataSubmissionEnabled": False,
        }
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
        Path(self._profile.name, "user.js").write_text("\n".join(lines), encoding="utf-8")
        self._process = subprocess.Popen(
            [binary, "--marionette", "--headless", "--no-remote", "--profile", self._profile.name],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._firefox = Marionette(host="127.0.0.1", port=port, startup_timeout=START_S)
        self._firefox.start_session()
        self._firefox.set_window_rect(width=WINDOW[0], height=WINDOW[1])

    def go(self, url: str) -> None:
        self._firefox.navigate(url)

    def run(self, script: str, *arguments: Any) -> Any:
        return self._firefox.execute_script(script, list(arguments), sandbox=None)

    def click_at(self, x: int, y: int) -> None:
        mouse = self._firefox.actions.sequence("pointer", "mouse", {"pointerType": "mouse"})
        mouse.pointer_move(x, y).click().perform()

    def type(self, text: str) -> None:
        self._firefox.actions.sequence("key", "keyboard").send_keys(text).perform()

    def close(self) -> None:
        self._firefox.delete_session()
        self._process.terminate()
        self._process.wait(timeout=START_S)
        self._profile.cleanup()


class WebKit:
    """WebKitGTK's own small browser, through WebDriver, on a screen of its own."""

    def __init__(self, binary: str) -> None:
        from selenium import webdriver
        from selenium.webdriver.webkitgtk.options import Options
        from selenium.webdriver.webkitgtk.service import Service

        self._screen, display = _screen()
        options = Options()
        options.binary_location = binary
        options.add_argument("--automation")
        environment = {**os.environ, "DISPLAY": display, "LANG": "fr_FR.UTF-8"}
        self._webkit = webdriver.WebKitGTK(
            options=options, service=Service(shutil.which("WebKitWebDriver"), env=environment)
        )
        self._webkit.set_window_size(*WINDOW)

    def go(self, url: str) -> None:
        self._webkit.get(url)

    def run(self, script: str, *arguments: Any) -> Any:
        return self._webkit.execute_script(script, *arguments)

    def click_at(self, x: int, y: int) -> None:
        from selenium.webdriver.common.actions.action_builder import ActionBuilder

        actions = ActionBuilder(self._webkit)
        actions.pointer_action.move_to_location(x, y).click()
        actions.perform()

    def type(self, text: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self._webkit).send_keys(text).perform()

    def close(self) -> None:
        self._webkit.quit()
        self._screen.terminate()
        self._screen.wait(timeout=10)


def _screen() -> tuple[subprocess.Popen[bytes], str]:
    """Start a screen that nobody sees; it says which number it took."""
    size = f"{WINDOW[0]}x{WINDOW[1]}x24"
    reading, writing = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", size], pass_fds=(writing,), stderr=subprocess.DEVNULL
    )
    os.close(writing)
    with os.fdopen(reading) as said:
        return screen, f":{said.readline().strip()}"


def firefox_path() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


def webkit_path() -> str | None:
    """MiniBrowser, when the program that drives it and a screen for it are there too."""
    if shutil.which("WebKitWebDriver") is None or shutil.which("Xvfb") is None:
        return None
    found = (path for pattern in _MINI_BROWSERS for path in Path("/").glob(pattern.lstrip("/")))
    return next((str(path) for path in found), None)


BROWSERS: dict[str, tuple[Callable[[], str | None], Callable[[str], Driver], str]] = {
    "firefox": (firefox_path, Firefox, "firefox-esr"),
    "webkit": (webkit_path, WebKit, "webkit2gtk-driver and xvfb"),
}


def until(what: Callable[[], Any], said: str, seconds: float = WAIT_S) -> Any:
    """Return what `what` gives as soon as it is something; fail, saying what was waited for, when it never is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(_PAUSE_S)
    raise AssertionError(f"waited {seconds} s in vain: {said}")
