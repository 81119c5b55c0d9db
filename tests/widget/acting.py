"""What people do with the widget, as short sentences for the tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect


def part(page: Page, name: str) -> Locator:
    """A part of Circuy's own interface."""
    return page.locator(f"[data-circuy={name}]")


def open_panel(page: Page) -> None:
    part(page, "launcher").click()
    expect(part(page, "panel")).to_be_visible()


def ask(page: Page, question: str) -> None:
    """Type a question and send it, in the panel."""
    if not part(page, "panel").is_visible():
        open_panel(page)
    part(page, "question").fill(question)
    part(page, "question").press("Enter")


def finish_the_tour(page: Page) -> None:
    expect(part(page, "step-dialog")).to_be_visible()
    part(page, "step-dialog").get_by_text("Terminé").click()
    expect(part(page, "step-dialog")).to_be_hidden()


def focused(page: Page) -> str:
    """The hook, or else the id or the tag, of the element that has the focus, in our shadow root too."""
    return str(
        page.evaluate(
            """() => {
                let element = document.activeElement;
                while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
                return element?.dataset?.circuy || element?.id || element?.localName || '';
            }"""
        )
    )


def until(what: Callable[[], Any], page: Page, seconds: float = 5) -> Any:
    """`what()` as soon as it is something, or what it is in the end."""
    end = time.monotonic() + seconds
    while not (found := what()) and time.monotonic() < end:
        page.wait_for_timeout(50)
    return found


def call(page: Page, expression: str) -> Any:
    """The value of an expression of the page's own code."""
    return page.evaluate(f"async () => ({expression})")
