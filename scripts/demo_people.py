"""The people of the demonstration, in a browser, for scripts."""

from __future__ import annotations

import os
import shutil

from playwright.sync_api import Browser, Page, Playwright

CLAIRE = ("claire@maison-oree.example", "circuy2026")
EMPLOYEE_PASSWORD = "oree2026"  # noqa: S105 - the demonstration prints it


def new_browser(playwright: Playwright) -> Browser:
    """Start the system's Chromium."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--disable-gpu", *sandbox])


def enter_the_back_office(page: Page, url: str, who: str) -> None:
    """Sign in to Maison Orée as one of its employees."""
    page.goto(f"{url}/maison-oree/connexion")
    page.get_by_label("Adresse e-mail").fill(f"{who}@example.com")
    page.get_by_label("Mot de passe").fill(EMPLOYEE_PASSWORD)
    page.get_by_role("button", name="Se connecter").click()


def enter_the_administration(page: Page, url: str) -> None:
    """Sign in to Circuy's administration as a product admin."""
    page.goto(f"{url}/admin/")
    page.locator("input[name=login]").fill(CLAIRE[0])
    page.locator("input[name=password]").fill(CLAIRE[1])
    page.locator("form:has(input[name=password]) [type=submit]").click()


def open_the_recorder(page: Page, url: str, address: str) -> Page:
    """From the administration to the recorder on the page at this address, in a tab of its own."""
    page.goto(f"{url}/admin/learn/")
    page.locator("input[name=url]").fill(address)
    page.locator("main form [type=submit]").first.click()
    with page.expect_popup() as opened:
        page.locator("a[href*='circuy-record']").click()
    return opened.value
