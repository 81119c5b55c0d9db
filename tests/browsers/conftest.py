"""The same small pages as in Chromium, in the other browsers that people use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browsers.drivers import BROWSERS, Driver
from tests.browsers.screen import Screen
from tests.scan.site import Site
from tests.tour.conftest import document_of, site
from tests.widget.conftest import build, running_server, server

__all__ = ["build", "running_server", "server", "site"]


@pytest.fixture(scope="module", params=sorted(BROWSERS))
def driver(request: pytest.FixtureRequest) -> Iterator[Driver]:
    """Firefox, then WebKit: what the machine has of them."""
    path, start, packages = BROWSERS[request.param]
    binary = path()
    if binary is None:
        pytest.skip(f"{request.param} is not on this machine: install {packages}")
    try:
        running = start(binary)
    except ImportError as missing:
        pytest.skip(f"{request.param} cannot be driven by this Python: {missing}")
    yield running
    running.close()


@pytest.fixture
def screen(driver: Driver, site: Site) -> Screen:
    """What a person sees and does, on pages of `site`."""
    return Screen(driver, site, document_of)
