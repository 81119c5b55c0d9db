"""Asks the browser-use worker for pages, and starts another one when a page has taken it too long."""

from __future__ import annotations

import json
import select
import subprocess
import time
from pathlib import Path
from typing import Any

from bench.browser.table import say

_START_S = 30.0


class BrowserUse:
    """browser-use, attached to the Chromium at `cdp_url`."""

    def __init__(self, python: Path, cdp_url: str) -> None:
        self._command = [str(python), str(Path(__file__).with_name("browser_use_worker.py")), cdp_url]
        self._process: subprocess.Popen[str] | None = None

    def measure(self, url: str, *, seconds: float) -> dict[str, Any] | None:
        """Milliseconds, text and number of elements of a page; None when it failed or took longer than `seconds`."""
        process = self._running()
        if process is None or process.stdin is None:
            return None
        process.stdin.write(url + "\n")
        process.stdin.flush()
        # Opening the page is not its work: some seconds more for that.
        answer = self._read(process, seconds + 10)
        if answer is None:
            self.stop()
        elif "error" in answer:
            say(f"  browser-use failed on {url}: {answer['error']}")
        return answer if answer is not None and 0 <= answer.get("ms", -1) <= seconds * 1000 else None

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _running(self) -> subprocess.Popen[str] | None:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - our own worker
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                bufsize=1,
            )
            if self._read(self._process, _START_S) is None:
                self.stop()
                say("  browser-use did not start")
        return self._process

    @staticmethod
    def _read(process: subprocess.Popen[str], seconds: float) -> dict[str, Any] | None:
        if process.stdout is None:
            return None
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and process.poll() is None:
            if select.select([process.stdout], [], [], left)[0]:
                line = process.stdout.readline()
                if line.startswith("=> "):
                    answer: dict[str, Any] = json.loads(line[3:])
                    return answer
        return None
