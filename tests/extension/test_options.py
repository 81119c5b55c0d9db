"""The options page and the popup: what they accept, what they say, and who can use them."""

from __future__ import annotations

from typing import Literal

from playwright.sync_api import Page, expect

from bench.browser.chromium import free_port
from tests.axe import violations
from tests.e2e.acting import hook
from tests.extension.browser import check
from tests.extension.site import INVOICE


def test_nothing_is_saved_before_the_server_has_taken_the_key(chromium, stack, publishable_key, unknown_site):
    options = chromium.options()
    silent = f"http://127.0.0.1:{free_port()}"
    for server, key, word in [
        ("une adresse", publishable_key, "https://circuy.example"),
        (stack.url, "sk_secret", "secrète"),
        (silent, publishable_key, silent),
        (unknown_site.url, publishable_key, "pas Circuy"),
        (stack.url, "pk_nobody_has_this_key", "révoquée"),
    ]:
        if server.startswith("http"):
            chromium.consent_to(server)
        check(options, server, key)
        expect(hook(options, "notice"), f"{server} with {key}").to_contain_text(word)
        expect(hook(options, "notice")).to_have_class("notice bad")
        assert chromium.chrome("chrome.storage.local.get('access')") == {}

    chromium.consent_to(stack.url)
    check(options, f"{stack.url}/admin/", f" {publishable_key} ")
    expect(hook(options, "notice")).to_have_class("notice good")
    expect(hook(options, "server")).to_have_value(stack.url)
    assert chromium.chrome("chrome.storage.local.get('access')")["access"]["server"] == stack.url
    # What was asked for the check was given back.
    assert chromium.permitted() == []


def test_the_extension_speaks_the_language_that_was_chosen(ready, strict_site):
    options = ready.options()
    page = ready.new_page()
    page.goto(strict_site.url + INVOICE)
    ready.enable_on(page)
    for language, title, enabled, launcher in [
        ("en", "Circuy settings", "Circuy is enabled on this site.", "Open help"),
        ("fr", "Réglages de Circuy", "Circuy est activé sur ce site.", "Ouvrir l’aide"),
    ]:
        hook(options, "language").select_option(language)
        expect(options.get_by_role("heading", level=1)).to_have_text(title)
        expect(hook(page, "launcher")).to_have_attribute("aria-label", launcher)
        popup = ready.popup(page)
        expect(hook(popup, "notice")).to_have_text(enabled)
        popup.close()


def test_axe_finds_nothing_wrong_in_light_or_dark(ready, strict_site, unknown_site):
    options = ready.options()
    check(options, "nowhere at all", "pk_x")
    expect(hook(options, "notice")).to_be_visible()
    assert found_by_axe(options) == []
    for site in (strict_site, unknown_site):
        page = ready.new_page()
        page.goto(site.url + INVOICE)
        popup = ready.popup(page)
        assert found_by_axe(popup) == []
        popup.close()
        ready.enable_on(page)
        popup = ready.popup(page)
        expect(hook(popup, "remove")).to_be_visible()
        assert found_by_axe(popup) == []
        popup.close()
    expect(hook(options, "site")).to_have_count(2)
    options.set_viewport_size({"width": 320, "height": 640})
    assert found_by_axe(options) == []
    assert options.evaluate("document.documentElement.scrollWidth") == 320


def found_by_axe(page: Page) -> list[str]:
    found: list[str] = []
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        found += violations(page)
    return found
