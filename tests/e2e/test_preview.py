"""A reviewer tries what waits on the real page, points a step elsewhere, and approves what was tried."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.acting import (
    NEW_INVOICE,
    approve,
    ask,
    enter_the_administration,
    enter_the_back_office,
    finish_the_tour,
    hook,
)

QUESTION = "Où saisir la date d'échéance de la facture ?"
HEADING = "Lignes de facture"


def listed_guides(page: Page, url: str) -> list[str]:
    """What the widget lists on the page of a new invoice."""
    page.goto(url + NEW_INVOICE)
    with page.expect_response(lambda response: "/v1/tours?" in response.url):
        hook(page, "launcher").click()
    expect(hook(page, "panel")).to_be_visible()
    return hook(page, "guide").all_inner_texts()


def test_a_step_pointed_elsewhere_on_the_page_is_live_once_it_is_approved(stack, people):
    nadia, hugo, claire = people("nadia"), people("hugo"), people("claire")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    ask(nadia, QUESTION)
    expect(hook(nadia, "step-dialog")).to_be_visible()
    title = hook(nadia, "step-title").inner_text()
    finish_the_tour(nadia)

    enter_the_back_office(claire, stack.url, "camille.roux")
    enter_the_administration(claire, stack.url)
    claire.goto(f"{stack.url}/admin/inbox/")
    claire.locator("main").get_by_role("link").filter(has_text=title).first.click()
    with claire.expect_popup() as opened:
        claire.get_by_role("link", name="Essayer sur la page").click()
    page = opened.value
    expect(hook(page, "preview-where")).to_contain_text("version 1")
    expect(hook(page, "step-dialog")).to_be_visible()
    assert "circuy-preview" not in page.url

    hook(page, "preview-pick").click()
    expect(hook(page, "preview-status")).to_contain_text("Un clic choisit")
    heading = page.get_by_role("heading", name=HEADING).bounding_box()
    page.mouse.click(heading["x"] + 20, heading["y"] + 10)
    expect(hook(page, "preview-where")).to_contain_text("version 2")
    expect(hook(page, "preview-status")).to_contain_text(HEADING)
    with page.expect_popup() as opened:
        hook(page, "preview-review").click()
    review = opened.value
    expect(review.locator("[name=steps-0-intent_id] option:checked")).to_have_text(f"{HEADING}, désigné sur la page")

    enter_the_back_office(hugo, stack.url, "hugo.marchand")
    assert not any(title in text for text in listed_guides(hugo, stack.url))
    approve(review)
    expect(hook(page, "step-dialog")).to_be_visible()
    assert any(title in text for text in listed_guides(hugo, stack.url))
