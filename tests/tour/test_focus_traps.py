"""Dialogs of a page that keep the focus, and the clicks, to themselves before anybody else hears of them."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.tour.guiding import card, expect_nothing_left, expect_step_on, part, press_next, start, step

# Listens on the way down, as most libraries do; what goes to anything outside is pulled back or swallowed.
STRICT_TRAP = """
<p style='height:260px'></p><button id=x>Derrière</button>
<div id=m role=dialog aria-modal=true tabindex=-1 style='position:fixed;left:700px;top:60px;padding:20px'>
  <input id=a aria-label=Nom><button id=b>OK</button></div>
<script>
  window.pulls = 0;
  const modal = document.querySelector('#m');
  const isOutside = (event) => !event.composedPath().includes(modal);
  const listen = (kind, act) => document.addEventListener(kind, (event) => { if (isOutside(event)) act(event); }, true);
  listen('focusin', (event) => {
    event.stopImmediatePropagation();
    if (++pulls < 50) document.querySelector('#a').focus();
  });
  listen('mousedown', (event) => event.preventDefault());
  listen('click', (event) => { event.preventDefault(); event.stopImmediatePropagation(); });
  document.querySelector('#a').focus();
</script>"""


def test_in_a_dialog_that_keeps_all_focus_and_clicks_the_card_can_be_used(open_page):
    page = open_page(STRICT_TRAP)
    start(page, step("#a"), step("#b"))
    expect_step_on(page, "#a")
    press_next(page)
    expect_step_on(page, "#b")
    assert page.evaluate("pulls") == 0
    page.locator("#a").click()
    page.keyboard.type("Zoé")
    expect(page.locator("#a")).to_have_value("Zoé")
    page.locator("#b").click()
    expect_nothing_left(page)


@pytest.mark.parametrize("button", ["step-next", "step-cancel"])
def test_such_a_dialog_in_the_way_of_a_step_does_not_shut_the_card_out(open_page, button):
    page = open_page(STRICT_TRAP)
    start(page, step("#x"))
    expect(card(page)).to_be_visible()
    expect(page.locator("#a")).to_be_focused()
    part(page, button).click()
    expect_nothing_left(page)
    assert page.evaluate("pulls") == 0


def test_a_dialog_that_opens_later_and_keeps_all_clicks_does_not_shut_the_card_out(open_page):
    page = open_page(
        "<p style='height:260px'></p><button id=x>X</button><template>"
        + STRICT_TRAP.partition("</button>")[2].partition("<script>")[0]
        + "</template>"
    )
    start(page, step("#x"))
    expect_step_on(page, "#x")
    trap = STRICT_TRAP.partition("<script>")[2].partition("</script>")[0]
    page.evaluate("document.body.append(document.querySelector('template').content)")
    page.evaluate(f"() => {{ {trap} }}")
    # Nobody is faster; a click before the dialog has been noticed would be the dialog's.
    expect(page.locator("#m circuy-tour")).to_have_count(1)
    part(page, "step-next").click()
    expect_nothing_left(page)
