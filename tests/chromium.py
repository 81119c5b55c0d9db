"""The browser that all browser tests run in."""

from __future__ import annotations

from typing import Any

import pytest

from bench.browser.chromium import ARGUMENTS, chromium_path


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's Chromium, without the calls home that a closed network answers with noise."""
    executable = chromium_path()
    if executable is None:
        pytest.fail("Chromium is not there: run scripts/system_packages.sh, or set CHROMIUM to its path.")
    return {**browser_type_launch_args, "executable_path": executable, "args": ARGUMENTS}
