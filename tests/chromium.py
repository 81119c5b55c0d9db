"""The browser that all browser tests run in, but those of the extension."""

from __future__ import annotations

import os
import shutil
from typing import Any

import pytest

from bench.browser.chromium import ARGUMENTS, chromium_path


def with_windows(launch_args: dict[str, Any]) -> dict[str, Any]:
    """The same for Chromium itself: its shell keeps no page whole to bring it back."""
    return {**launch_args, "executable_path": chromium_path()}


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's Chromium, without the calls home that a closed network answers with noise.

    Its shell without windows, where there is one: a page then costs a fifth of the processor's time.
    """
    executable = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or chromium_path()
    if executable is None:
        pytest.fail("Chromium is not there: run scripts/system_packages.sh, or set CHROMIUM to its path.")
    return {**browser_type_launch_args, "executable_path": executable, "args": ARGUMENTS}
