"""What the extension does on pages of applications that one cannot edit."""

from __future__ import annotations

from contextlib import suppress

from playwright.sync_api import Error, Page, expect

from tests.e2e.acting import approve, ask, enter_the_administration, enter_the_back_office, expect_step_on, hook
from tests.extension.site import DISCOUNT, INVOICE, LIST


def test_a_page_with_a_strict_policy_is_recorded_then_answers(ready, stack, strict_site):
    page = ready.new_page()
    page.goto(strict_site.url + INVOICE)
    ready.enable_on(page)
    expect(hook(page, "launcher")).to_be_visible()

    claire = ready.new_page()
    link = recording_link(claire, stack.url, strict_site.url + INVOICE)
    popup = ready.popup(page)
    hook(popup, "recording").fill(link.replace(strict_site.url, "https://other.example"))
    hook(popup, "record").click()
    expect(popup.get_by_role("status")).to_contain_text("https://other.example")
    hook(popup, "recording").fill(link)
    # The window closes for it, sometimes before the click is said to be done.
    with suppress(Error):
        hook(popup, "record").click()
    expect(hook(page, "recorder-title")).to_contain_text("Claire")
    hook(page, "page-name").fill("Nouveau devis")
    hook(page, "submit-scan").click()
    expect(hook(page, "review")).to_be_visible(timeout=30_000)
    claire.goto(hook(page, "review").get_attribute("href") or "")
    approve(claire)

    hook(page, "quit").click()
    page.reload()
    ask(page, "Comment ajouter une remise ?")
    expect_step_on(page, DISCOUNT)
    assert page.evaluate("hits") == []
    assert [name for name in page.evaluate("appeared()") if "ircuy" in name] == []

    page.goto(strict_site.url + LIST)
    expect(hook(page, "launcher")).to_be_visible()
    page.evaluate("history.pushState(null, '', '/gestion/devis/nouveau')")
    popup = ready.popup(page)
    hook(popup, "ask").click()
    expect(hook(page, "page-suggestions")).to_be_visible()


def recording_link(claire: Page, server: str, address: str) -> str:
    enter_the_administration(claire, server)
    claire.goto(f"{server}/admin/learn/")
    claire.locator("input[name=url]").fill(address)
    claire.locator("main form [type=submit]").first.click()
    return claire.locator("a[href*='circuy-record']").get_attribute("href") or ""


def test_a_site_that_was_not_enabled_gets_nothing(ready, strict_site):
    page = ready.new_page()
    page.goto(strict_site.url + INVOICE)
    popup = ready.popup(page)
    expect(hook(popup, "enable")).to_be_visible()
    expect(popup.get_by_role("heading", level=1)).to_have_text(strict_site.url.removeprefix("http://"))
    assert ready.chrome("chrome.scripting.getRegisteredContentScripts()") == []
    assert ready.permitted() == []
    expect(page.locator("circuy-widget")).to_have_count(0)


def test_a_site_that_the_key_does_not_know_is_told_what_to_add(ready, unknown_site):
    page = ready.new_page()
    page.goto(unknown_site.url + INVOICE)
    ready.enable_on(page)
    popup = ready.popup(page)
    expect(hook(popup, "notice")).to_contain_text(unknown_site.url)
    expect(hook(popup, "keys-link")).to_be_visible()
    expect(hook(popup, "record")).to_have_count(0)


def test_a_page_that_brings_circuy_itself_has_one_launcher(ready, stack):
    page = ready.new_page()
    enter_the_back_office(page, stack.url, "camille.roux")
    expect(page.locator("circuy-widget")).to_have_count(1)
    ready.enable_on(page)
    page.reload()
    expect(page.locator("circuy-widget")).to_have_count(1)
    popup = ready.popup(page)
    expect(hook(popup, "ask")).to_have_count(0)
    expect(hook(popup, "remove")).to_be_visible()
    expect(page.locator("circuy-widget")).to_have_count(1)
    assert isinstance(page.evaluate("Circuy.version"), str)


def test_the_extension_leaves_when_the_page_brings_circuy_later(ready, stack, publishable_key, strict_site):
    strict_site.put("/open", "<!doctype html><title>Ouvert</title><h1>Ouvert</h1>")
    page = ready.new_page()
    page.goto(f"{strict_site.url}/open")
    ready.enable_on(page)
    expect(hook(page, "launcher")).to_be_visible()
    page.evaluate(
        """([source, key]) => new Promise((resolve) => {
            const script = document.createElement('script');
            Object.assign(script, { src: source, onload: () => Circuy.on('ready', resolve) });
            script.dataset.key = key;
            document.head.append(script);
        })""",
        [f"{stack.url}/static/circuy/circuy.js", publishable_key],
    )
    expect(page.locator("circuy-widget")).to_have_count(1)
    page.evaluate("Circuy.shutdown()")
    expect(page.locator("circuy-widget")).to_have_count(0)


def test_a_site_that_is_removed_is_left_at_once(ready, strict_site):
    page = ready.new_page()
    page.goto(strict_site.url + INVOICE)
    ready.enable_on(page)
    expect(hook(page, "launcher")).to_be_visible()
    assert ready.permitted() == [f"{strict_site.url}/*"]

    options = ready.options()
    expect(hook(options, "site")).to_contain_text(strict_site.url)
    hook(options, "remove-site").click()
    expect(hook(options, "no-sites")).to_be_visible()
    expect(page.locator("circuy-widget")).to_have_count(0)
    assert ready.permitted() == []

    page.reload()
    popup = ready.popup(page)
    expect(hook(popup, "enable")).to_be_visible()
    expect(page.locator("circuy-widget")).to_have_count(0)


def test_a_permission_taken_back_in_the_browser_is_a_site_removed(ready, strict_site):
    page = ready.new_page()
    page.goto(strict_site.url + INVOICE)
    ready.enable_on(page)
    expect(hook(page, "launcher")).to_be_visible()
    ready.chrome(f"chrome.permissions.remove({{ origins: ['{strict_site.url}/*'] }})")
    expect(page.locator("circuy-widget")).to_have_count(0)
    expect(hook(ready.options(), "no-sites")).to_be_visible()
