"""What people do in front of Circuy, as short sentences for the stories."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

CLAIRE = "claire@maison-oree.example"
PASSWORD = "circuy2026"
EMPLOYEE_PASSWORD = "oree2026"
NEW_INVOICE = "/maison-oree/factures/nouvelle"
DISCOUNT = "[data-testid='invoice-discount-input']"


def enter_the_back_office(page: Page, url: str, who: str) -> None:
    """Sign in to Maison Orée as one of its employees."""
    page.goto(f"{url}/maison-oree/connexion")
    # By what does not change with the visitor's language.
    page.locator("#id_email").fill(f"{who}@example.com")
    page.locator("#id_password").fill(EMPLOYEE_PASSWORD)
    page.locator("form:has(#id_password) [type=submit]").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def enter_the_administration(page: Page, url: str, email: str = CLAIRE, password: str = PASSWORD) -> None:
    """Sign in to Circuy's administration."""
    page.goto(f"{url}/admin/")
    page.locator("input[name=login]").fill(email)
    page.locator("input[name=password]").fill(password)
    page.locator("form:has(input[name=password]) [type=submit]").click()
    expect(page).to_have_url(f"{url}/admin/")


def ask(page: Page, question: str) -> None:
    """Open the widget if need be and ask."""
    if not hook(page, "panel").is_visible():
        hook(page, "launcher").click()
    hook(page, "question").fill(question)
    hook(page, "send").click()


def hook(page: Page, name: str) -> Locator:
    """Return a part of Circuy's own interface on a host page."""
    return page.locator(f"[data-circuy={name}]")


def expect_step_on(page: Page, selector: str) -> None:
    """The step that is shown stands by this element and frames it, not another."""
    expect(hook(page, "step-dialog")).to_be_visible()
    target = page.locator(selector)
    expect(target).to_be_in_viewport()
    # The spotlight moves with the scrolling; it has arrived when its box holds the target's.
    page.wait_for_function(
        """selector => {
            const host = document.querySelector('circuy-tour');
            const spot = host?.shadowRoot?.querySelector('[data-circuy=spotlight]')?.getBoundingClientRect();
            const box = document.querySelector(selector).getBoundingClientRect();
            return spot && spot.width > 0 && spot.left <= box.left && spot.top <= box.top
                && spot.right >= box.right && spot.bottom >= box.bottom && spot.width < box.width + 60;
        }""",
        arg=selector,
    )


def finish_the_tour(page: Page) -> None:
    """Walk to the last step and end there."""
    while hook(page, "step-next").is_visible():
        hook(page, "step-next").click()
    hook(page, "step-complete").click()
    expect(hook(page, "step-dialog")).to_be_hidden()


def open_the_recorder(claire: Page, url: str, path: str) -> Page:
    """From the administration to the recorder on a page of Maison Orée, in a tab of its own."""
    claire.goto(f"{url}/admin/learn/")
    claire.locator("input[name=url]").fill(url + path)
    claire.locator("main form [type=submit]").first.click()
    with claire.expect_popup() as opened:
        claire.locator("a[href*='circuy-record']").click()
    return opened.value


def choose_engine(page: Page, url: str, provider: str, *, base_url: str = "", model: str = "") -> None:
    """Set the organization's language engine in the settings."""
    page.goto(f"{url}/admin/organizations/organization/")
    chooser = page.locator("[name=llm_provider]")
    if chooser.first.evaluate("element => element.type") == "radio":
        page.locator(f"[name=llm_provider][value={provider}]").check()
    else:
        chooser.select_option(provider)
    if base_url:
        page.locator("[name=llm_base_url]").fill(base_url)
        page.locator("[name=llm_model]").fill(model)
    page.locator("main form [type=submit]").first.click()
    page.wait_for_load_state()


def approve(page: Page) -> None:
    """Approve what is on the review page."""
    page.locator("button[value=approve]").click()
    expect(page.locator(".badge-published").first).to_be_visible()
