"""What an editor wrote in a guide is read in a try-out, and never run."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.preview.conftest import Try, tour
from tests.tour.guiding import expect_step_on, step
from tests.widget.acting import part

HOSTILE = "<img src=x onerror=\"document.title = 'pwned'\">"


def test_markup_that_was_saved_in_a_guide_is_shown_as_text_in_its_try_out(try_out: Try) -> None:
    buttons = [{"text": HOSTILE, "action": "next"}]
    tried = {**tour(step("#client", HOSTILE, title=HOSTILE, route="/factures/*", buttons=buttons)), "title": HOSTILE}
    page = try_out(tried=tried)
    expect_step_on(page, "#client")
    for name in ("step-title", "step-text", "step-next"):
        expect(part(page, name)).to_have_text(HOSTILE)
    expect(part(page, "preview-title")).to_contain_text(HOSTILE)
    expect(page.locator("circuy-tour img, circuy-preview img")).to_have_count(0)
    assert page.title() == "Facture"
