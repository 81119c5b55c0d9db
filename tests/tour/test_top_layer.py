"""The guide stands above everything, and in nobody's way."""

from __future__ import annotations

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.tour.guiding import (
    card,
    events,
    expect_nothing_left,
    expect_step_on,
    middle_of,
    part,
    press_next,
    start,
    step,
)

DIALOG = "<dialog id=d style='margin-top:150px'><p>Confirmer ?</p><button id=ok>Oui</button></dialog>"
OPEN_IT = "document.querySelector('#d').showModal()"


def expect_on_top(page: Page) -> None:
    """What the pointer meets in the middle of the card is the card."""
    page.wait_for_function(
        """() => {
            const host = document.querySelector('circuy-tour');
            const box = host?.shadowRoot.querySelector('.shepherd-content')?.getBoundingClientRect();
            return box && box.width > 0
                && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === host;
        }"""
    )


def test_it_stands_above_a_modal_dialog_that_was_open_before(open_page):
    page = open_page(DIALOG)
    page.evaluate(OPEN_IT)
    start(page, step("#ok", on="right"), step("#d p", on="right"))
    expect_step_on(page, "#ok")
    expect_on_top(page)
    press_next(page)
    expect_step_on(page, "#d p")


def test_it_stands_above_a_modal_dialog_that_its_own_step_opens_and_leaves_when_that_closes(open_page):
    page = open_page(
        f"<button id=open onclick=\"{OPEN_IT}\">Supprimer</button>{DIALOG}<p style='height:300px'></p><p id=end>Fin</p>"
        "<script>document.querySelector('#ok').onclick = () => document.querySelector('#d').close()</script>"
    )
    before = page.locator("body").evaluate("body => body.outerHTML")
    start(page, step("#open"), step("#ok", on="right"), step("#end", on="top"))
    page.locator("#open").click()
    expect_step_on(page, "#ok")
    expect_on_top(page)
    page.locator("#ok").click()
    expect_step_on(page, "#end")
    expect_on_top(page)
    press_next(page)
    expect_nothing_left(page)
    assert page.locator("body").evaluate("body => body.outerHTML") == before


def test_a_dialog_opened_over_its_target_leaves_the_card_usable_and_nothing_pointed_at_through_it(open_page):
    page = open_page(f"<button id=x>X</button>{DIALOG}")
    start(page, step("#x"), step("#ok"))
    expect_step_on(page, "#x")
    page.evaluate(OPEN_IT)
    expect_on_top(page)
    expect(part(page, "spotlight")).to_be_hidden()
    page.evaluate("document.querySelector('#d').close()")
    expect_step_on(page, "#x")
    expect_on_top(page)


def test_a_dialog_that_the_page_takes_away_does_not_take_the_guide_with_it(open_page):
    page = open_page(f"{DIALOG}<button id=x>X</button>")
    page.evaluate(OPEN_IT)
    start(page, step("#ok", on="right"), step("#x"))
    expect_step_on(page, "#ok")
    page.locator("#d").evaluate("dialog => dialog.remove()")
    expect(part(page, "step-missing")).to_be_visible()
    press_next(page)
    expect_step_on(page, "#x")


def test_it_stands_above_popovers_and_the_highest_z_index_that_come_later(open_page):
    page = open_page(
        "<button id=x>X</button><div id=p popover=manual style='inset:0;width:100vw;height:100vh'>P</div>"
        "<div id=z style='position:fixed;inset:0;z-index:2147483647;pointer-events:auto;display:none'>Z</div>"
    )
    start(page, step("#x"))
    expect_step_on(page, "#x")
    page.evaluate("document.querySelector('#z').style.display = 'block'")
    expect_on_top(page)
    page.evaluate("document.querySelector('#p').showPopover()")
    expect_on_top(page)
    part(page, "step-cancel").click()
    expect_nothing_left(page)


def test_a_page_that_replaces_all_that_it_holds_does_not_lose_the_guide(open_page):
    page = open_page("<button id=x>X</button>")
    start(page, step("#x"))
    expect_step_on(page, "#x")
    page.evaluate("document.querySelector('circuy-tour').remove()")
    expect_step_on(page, "#x")
    expect_on_top(page)


TRAP = """
<div id=m role=dialog aria-modal=true tabindex=-1 style='position:fixed;inset:60px auto auto 60px;background:#eee'>
  <input id=a aria-label=Nom><button id=b>OK</button></div>
<script>
  window.pulls = 0;
  const modal = document.querySelector('#m');
  document.addEventListener('focusin', (event) => {
    if (!modal.contains(event.target)) { pulls += 1; modal.focus(); }
  });
  document.querySelector('#a').focus();
</script>"""


def test_a_focus_trap_of_the_page_and_the_guide_do_not_fight(open_page):
    page = open_page(TRAP)
    start(page, step("#a", on="right"), step("#b", on="right"))
    expect_step_on(page, "#a")
    expect(page.locator("#a")).to_be_focused()
    press_next(page)
    expect_step_on(page, "#b")
    assert page.evaluate("pulls") == 0
    page.locator("#a").click()
    page.keyboard.type("Zoé")
    expect(page.locator("#a")).to_have_value("Zoé")


def test_the_focus_is_not_taken_out_of_a_modal_that_the_step_is_not_in(open_page):
    page = open_page(f"<p style='height:300px'></p><button id=x>X</button>{TRAP}")
    page.locator("#b").focus()
    start(page, step("#x"))
    expect_step_on(page, "#x")
    expect(page.locator("#b")).to_be_focused()
    assert page.evaluate("pulls") == 0


def test_a_hidden_target_blocks_nothing(open_page):
    page = open_page("<button id=x style='display:none'>X</button><button id=y onclick='this.id = \"z\"'>Y</button>")
    start(page, step("#x"))
    expect(part(page, "step-missing")).to_be_visible()
    page.locator("#y").click()
    expect(page.locator("#z")).to_be_visible()


def swipe_up(session: CDPSession, x: float, y: float, by: int) -> None:
    """What a finger does that is put down at this point and moved up."""
    for moved in range(0, by + 1, 10):
        kind = "touchStart" if moved == 0 else "touchMove"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y - moved}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_the_page_can_be_scrolled_by_touch_from_the_target_and_from_the_card(browser, open_page):
    phone = browser.new_context(viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True, locale="fr-FR")
    page = open_page(
        "<meta name=viewport content='width=device-width'><p>Haut</p><button id=x style='width:200px;height:60px'>X"
        "</button><div style='height:3000px'></div>",
        within=phone,
    )
    start(page, step("#x"))
    expect_step_on(page, "#x")
    session = phone.new_cdp_session(page)
    swipe_up(session, *middle_of(page.locator("#x")), by=60)
    page.wait_for_function("scrollY > 20")
    at = page.evaluate("scrollY")
    swipe_up(session, *middle_of(card(page)), by=200)
    page.wait_for_function("at => scrollY > at + 50", arg=at)
    phone.close()


SMALL = [(320, 640), (320, 256), (640, 360)]


@pytest.mark.parametrize(("width", "height"), SMALL)
def test_it_is_readable_and_usable_in_small_windows_and_zoomed_in(open_page, width, height):
    page = open_page(
        "<meta name=viewport content='width=device-width'><p>Haut</p><button id=x>Exporter</button>"
        "<div style='height:2000px'></div><button id=y>Bas</button>"
    )
    page.set_viewport_size({"width": width, "height": height})
    long = "Choisissez le format, puis la période, et cliquez sur « Exporter » pour recevoir le fichier. " * 3
    start(page, step("#x", long), step("#y", long))
    for selector in ("#x", "#y"):
        expect_step_on(page, selector)
        expect(page.locator(selector)).to_be_in_viewport(ratio=1)
        box = card(page).locator(".shepherd-content").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
        part(page, "step-next").scroll_into_view_if_needed()
        press_next(page)
    expect_nothing_left(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("on", ["top", "bottom", "left", "right"])
def test_it_stands_right_on_pages_written_from_right_to_left(open_page, on):
    page = open_page("<p style='height:250px'></p><button id=x>حفظ</button>", root="lang=ar dir=rtl")
    start(page, step("#x", "اضغط هنا", on=on))
    expect_step_on(page, "#x")
    content = card(page).locator(".shepherd-content").bounding_box()
    assert content is not None
    assert 0 <= content["x"] <= 1280 - content["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_nothing_moves_for_people_who_want_no_motion(open_page):
    page = open_page("<div style='height:2000px'></div><button id=x>X</button>")
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("window.jumps = 0; addEventListener('scroll', () => { jumps += 1; })")
    start(page, step("#x"))
    expect_step_on(page, "#x")
    assert page.evaluate("jumps") <= 2
    duration = card(page).locator(".shepherd-content").evaluate("card => getComputedStyle(card).animationDuration")
    assert duration == "0.001s"


def test_it_keeps_its_outlines_in_forced_colours(open_page):
    page = open_page("<button id=x>X</button>")
    page.emulate_media(forced_colors="active")
    start(page, step("#x"))
    expect_step_on(page, "#x")
    border = card(page).locator(".shepherd-content").evaluate("card => getComputedStyle(card).borderTopWidth")
    ring = part(page, "spotlight").evaluate("ring => getComputedStyle(ring).outlineWidth")
    assert (border, ring) == ("1px", "3px")


def test_it_is_not_printed(open_page):
    page = open_page("<button id=x>X</button>")
    start(page, step("#x"))
    expect_step_on(page, "#x")
    page.emulate_media(media="print")
    expect(card(page)).to_be_hidden()
    assert events(page, "target_missing") == []
