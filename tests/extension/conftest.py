"""The extension, built from its sources and loaded in real Chromium, in front of the whole of Circuy."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Playwright, expect

from bench.browser.chromium import ARGUMENTS, chromium_path
from tests.e2e.acting import CLAIRE
from tests.extension.browser import BrowserWithExtension
from tests.extension.site import StrictSite
from tests.running_stack import Stack

# Playwright leaves an extension's popup alone unless it is told, before it starts, that such things are pages too.
os.environ["PW_CHROMIUM_ATTACH_TO_OTHER"] = "1"

SOURCES = Path(__file__).resolve().parents[2] / "extension"
expect.set_options(timeout=15_000)

_ADD_ORIGIN = """
from organizations.keys import sdk_key_set_origins
from organizations.models import SdkKey, User
from organizations.scoping import every_tenant
with every_tenant():
    key = SdkKey.objects.get(lookup="{key}")
    actor = User.objects.get(email="{actor}")
    sdk_key_set_origins(key=key, actor=actor, allowed_origins=[*key.allowed_origins, "{origin}"])
"""


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make extension` writes: the folder `circuy-extension/`, and the zip file beside it."""
    into = tmp_path_factory.mktemp("extension")
    command = ["node", "build.mjs", "--into", str(into)]
    done = subprocess.run(command, cwd=SOURCES, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return into


@pytest.fixture
def chromium(playwright: Playwright, built: Path, tmp_path: Path) -> Iterator[BrowserWithExtension]:
    """A browser in which somebody has just installed the extension."""
    executable, folder = chromium_path(), built / "circuy-extension"
    if executable is None:
        pytest.fail("Chromium is not there: run scripts/system_packages.sh, or set CHROMIUM to its path.")
    context = playwright.chromium.launch_persistent_context(
        tmp_path / "profile",
        executable_path=executable,
        args=[
            *ARGUMENTS,
            "--headless=new",
            f"--disable-extensions-except={folder}",
            f"--load-extension={folder}",
            # Lets a test click the extension's icon.
            "--enable-unsafe-extension-debugging",
        ],
        viewport={"width": 1280, "height": 860},
        locale="fr-FR",
    )
    yield BrowserWithExtension(context)
    context.close()


@pytest.fixture(scope="session")
def publishable_key() -> str:
    """The key of Maison Orée."""
    return str(settings.MAISON_OREE_CIRCUY["publishable_key"])


@pytest.fixture
def ready(chromium: BrowserWithExtension, stack: Stack, publishable_key: str) -> BrowserWithExtension:
    """The browser with the extension, set up for the running Circuy by its options page."""
    chromium.set_up(stack.url, publishable_key)
    return chromium


@pytest.fixture(scope="module")
def strict_site(stack: Stack, publishable_key: str) -> Iterator[StrictSite]:
    """An application that nobody here can edit; Claire has added it to the origins of the key."""
    site = StrictSite()
    stack.manage("shell", "-c", _ADD_ORIGIN.format(key=publishable_key, actor=CLAIRE, origin=site.url))
    yield site
    site.close()


@pytest.fixture
def unknown_site() -> Iterator[StrictSite]:
    """Another, which is among the origins of no key."""
    site = StrictSite()
    yield site
    site.close()
