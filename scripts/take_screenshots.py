"""Take the pictures of docs/images/ from a fresh demonstration: `make screenshots`."""

from __future__ import annotations

from typing import Any

from demo_people import enter_the_administration, enter_the_back_office, new_browser, open_the_recorder
from playwright.sync_api import Browser, Page, sync_playwright
from scratch_stack import ROOT, scratch_stack

IMAGES = ROOT / "docs" / "images"
NEW_INVOICE = "/maison-oree/factures/nouvelle"
QUESTIONS = ("Comment ajouter une remise ?", "Créer une facture pour un client avec une remise", "Changer la TVA")
# Long enough for the panel's and the spotlight's movements to end.
SETTLED_MS = 900


def main() -> None:
    """Live a part of the story and picture it."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with scratch_stack() as stack, sync_playwright() as playwright:
        browser = new_browser(playwright)
        _end_user(browser, stack.url)
        _product_admin(browser, stack.url)
        browser.close()


def _end_user(browser: Browser, url: str) -> None:
    page = _new_page(browser)
    enter_the_back_office(page, url, "camille.roux")
    page.goto(url + NEW_INVOICE)
    page.locator("[data-circuy=launcher]").click()
    _picture(page, "widget")
    for question in QUESTIONS:
        if not page.locator("[data-circuy=panel]").is_visible():
            page.locator("[data-circuy=launcher]").click()
        page.locator("[data-circuy=question]").fill(question)
        page.locator("[data-circuy=send]").click()
        page.locator("[data-circuy=step-dialog]").wait_for()
        if question == QUESTIONS[0]:
            _picture(page, "tour")
        page.keyboard.press("Escape")
        page.locator("[data-circuy=step-dialog]").wait_for(state="hidden")


def _product_admin(browser: Browser, url: str) -> None:
    page = _new_page(browser)
    enter_the_back_office(page, url, "hugo.marchand")
    enter_the_administration(page, url)
    _desk(page, url, "")
    _desk(_reviewer(browser, url, color_scheme="dark"), url, "-dark")
    _desk(_reviewer(browser, url, viewport={"width": 390, "height": 844}), url, "-narrow")
    recorder = open_the_recorder(page, url, f"{url}/maison-oree/clients/nouveau")
    recorder.locator("[data-circuy=submit-scan]").wait_for()
    _picture(recorder, "recorder")


def _desk(page: Page, url: str, ending: str) -> None:
    """The inbox with its first row unfolded, what several are asked, and the review of one tour."""
    page.goto(f"{url}/admin/inbox/")
    page.keyboard.press("j")
    _picture(page, f"inbox{ending}")
    if not ending:
        for key in "xjxa":
            page.keyboard.press(key)
        page.locator("[name=confirmed]").wait_for(state="attached")
        _picture(page, "selected")
        page.go_back()
    page.get_by_role("link").filter(has_text="remise").first.click()
    _picture(page, f"review{ending}")


def _reviewer(browser: Browser, url: str, **screen: Any) -> Page:
    page = _new_page(browser, **screen)
    enter_the_administration(page, url)
    page.wait_for_url(f"{url}/admin/")
    return page


def _new_page(browser: Browser, **screen: Any) -> Page:
    return browser.new_context(locale="fr-FR", **{"viewport": {"width": 1280, "height": 800}, **screen}).new_page()


def _picture(page: Page, name: str) -> None:
    page.wait_for_timeout(SETTLED_MS)
    page.screenshot(path=IMAGES / f"{name}.png")
    print(f"docs/images/{name}.png")


if __name__ == "__main__":
    main()
