"""Chromium with the extension, as people use it: its options page, its popup, and the browser's own permissions."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.acting import hook


class BrowserWithExtension:
    """A browser of one person's, with the extension installed."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
        self.id = worker.url.split("/")[2]
        assert context.browser is not None
        self._devtools = context.browser.new_browser_cdp_session()
        # The options open after an install, in the first tab. From there, tests reach the extension's interfaces.
        self._aside = context.pages[0]
        self._aside.wait_for_url(f"chrome-extension://{self.id}/options.html")

    def new_page(self) -> Page:
        return self.context.new_page()

    def chrome(self, expression: str) -> Any:
        """The value of an expression among the extension's interfaces, `chrome.permissions.getAll()`."""
        return self._aside.evaluate(expression)

    def consent_to(self, origin: str) -> None:
        """Say yes to the browser's question about `origin` before it comes.

        The question itself is a window of the browser's that no driver reaches. This is what its page of extensions
        does when a person adds a site there; the extension's request is then granted without a question.
        """
        page = self.new_page()
        page.goto("chrome://extensions")
        page.evaluate(f"chrome.developerPrivate.addHostPermission('{self.id}', '{origin}/*')")
        page.close()

    def options(self) -> Page:
        page = self.new_page()
        page.goto(f"chrome-extension://{self.id}/options.html")
        expect(hook(page, "check")).to_be_visible()
        return page

    def set_up(self, server: str, key: str) -> None:
        """Give the server and the key in the options, and see them taken."""
        self.consent_to(server)
        options = self.options()
        check(options, server, key)
        expect(hook(options, "notice")).to_have_class("notice good")
        options.close()

    def popup(self, page: Page) -> Page:
        """Click the extension's icon with `page` in front."""
        page.bring_to_front()
        with self.context.expect_page() as opened:
            self._devtools.send("Extensions.triggerAction", {"id": self.id, "targetId": self._tab_of(page)})
        popup = opened.value
        expect(popup.get_by_role("heading", level=1)).to_be_visible()
        return popup

    def _tab_of(self, page: Page) -> str:
        found = self._devtools.send("Target.getTargets", {"filter": [{"type": "tab"}]})["targetInfos"]
        return next(str(tab["targetId"]) for tab in found if tab["url"] == page.url)

    def enable_on(self, page: Page) -> None:
        """Enable Circuy on the site of `page` from the popup."""
        self.consent_to(page.evaluate("location.origin"))
        popup = self.popup(page)
        hook(popup, "enable").click()
        expect(hook(popup, "remove")).to_be_visible()
        popup.close()

    def permitted(self) -> list[str]:
        """The sites that the browser lets the extension into."""
        return sorted(self.chrome("chrome.permissions.getAll()")["origins"])


def check(options: Page, server: str, key: str) -> None:
    """Write server and key down in the options page, and have them checked."""
    hook(options, "server").fill(server)
    hook(options, "key").fill(key)
    hook(options, "check").click()
