"""Real Chromium in front of the whole of Circuy, which runs as a user runs it (`tests.running_stack`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.chromium import browser_type_launch_args
from tests.e2e.acting import choose_engine, enter_the_administration
from tests.fakes.llm_server import FakeLlmServer
from tests.running_stack import Stack

__all__ = ["browser_type_launch_args"]

expect.set_options(timeout=15_000)


@pytest.fixture
def people(browser: Browser) -> Iterator[Any]:
    """Give each person a browser of their own: `people("camille")`. What goes wrong in a page fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def person(name: str, locale: str = "fr-FR") -> Page:
        context = browser.new_context(locale=locale, viewport={"width": 1280, "height": 860})
        contexts.append(context)
        page = context.new_page()
        context.on("weberror", lambda error: faults.append(f"{name}: {error.error}"))
        page.on(
            "console",
            lambda message: (
                faults.append(f"{name}: {message.text}")
                if message.type == "error" and "status of" not in message.text
                else None
            ),
        )
        return page

    yield person
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def model() -> Iterator[FakeLlmServer]:
    """A model server that speaks the chat-completions protocol over HTTP, and misbehaves on demand."""
    with FakeLlmServer() as server:
        yield server


@pytest.fixture
def with_model(stack: Stack, people: Any, model: FakeLlmServer) -> Iterator[FakeLlmServer]:
    """Claire chooses the model in the settings, and goes back to the local engine afterwards."""
    claire = people("claire, for the engine")
    enter_the_administration(claire, stack.url)
    choose_engine(claire, stack.url, "openai", base_url=model.base_url, model="fake-1")
    yield model
    choose_engine(claire, stack.url, "local")
