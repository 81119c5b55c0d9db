"""Pages that are scaled, contained, inert, written from right to left, and guides that are long."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.tour.guiding import (
    card,
    expect_nothing_left,
    expect_step_on,
    middle_of,
    part,
    press_next,
    start,
    step,
)

TALL = "<div style='height:1500px'></div>"


@pytest.mark.parametrize(
    "css",
    [
        "body{transform:scale(.6) rotate(0.01deg);transform-origin:0 0}",
        "html{transform:translateY(30px)}",
        "html{filter:grayscale(1);perspective:400px;will-change:transform}",
        "body{zoom:1.5}",
        "html{zoom:1.5}",
        "html{zoom:.7}",
        "body{contain:strict;height:900px;overflow:auto}",
        "html{contain:layout paint}",
        "html{container-type:inline-size}",
        "body{content-visibility:auto}",
        "html{overflow:hidden} body{position:fixed;inset:0;overflow:auto}",
        "html{overflow:hidden;height:100%} body{overflow:auto;height:100%}",
        "html{writing-mode:vertical-rl}",
    ],
)
def test_the_ring_is_on_its_element_however_the_page_is_laid_out(open_page, css):
    page = open_page(
        f"<p style='height:150px'></p><button id=x>Exporter</button>{TALL}<button id=y>Suite</button>{TALL}",
        head=f"<style>{css}</style>",
    )
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    press_next(page)
    expect_step_on(page, "#y")
    expect(page.locator("#y")).to_be_in_viewport()
    press_next(page)
    expect_nothing_left(page)


@pytest.mark.parametrize("around", ["zoom:1.6", "transform:scale(.5)", "contain:paint", "transform:rotate(90deg)"])
def test_a_target_in_a_part_that_is_shown_larger_or_turned_has_the_ring_around_it(open_page, around):
    page = open_page(
        f"<div style='{around};margin:150px;width:400px;height:200px'><button id=x>Exporter</button></div>{TALL}"
    )
    start(page, step("#x"))
    expect_step_on(page, "#x")
    page.evaluate("scrollBy(0, 90)")
    expect_step_on(page, "#x")


def test_a_card_is_usable_while_the_page_makes_all_that_it_holds_inert(open_page):
    page = open_page("<button id=x>X</button><button id=y>Y</button>")
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    page.evaluate("document.body.inert = true")
    press_next(page)
    expect(part(page, "step-counter")).to_have_text("2 / 2")
    expect(part(page, "spotlight")).to_be_hidden()
    page.evaluate("document.body.inert = false")
    expect_step_on(page, "#y")


def test_an_inert_part_is_not_pointed_at_until_it_can_be_used(open_page):
    page = open_page("<main inert><button id=x>X</button></main><aside>Menu</aside>")
    start(page, step("#x"))
    expect(card(page)).to_be_visible()
    expect(part(page, "spotlight")).to_be_hidden()
    page.locator("main").evaluate("main => { main.inert = false; }")
    expect_step_on(page, "#x")
    page.locator("main").evaluate("main => { main.inert = true; }")
    expect(part(page, "spotlight")).to_be_hidden()


def test_what_is_beside_an_inert_part_is_pointed_at(open_page):
    page = open_page("<main inert><button class=x>Payer</button></main><aside><button id=y>Fermer</button></aside>")
    start(page, step("#y"))
    expect_step_on(page, "#y")


@pytest.mark.parametrize("on", ["bottom", "left", "right"])
def test_beside_scroll_bars_of_pages_from_right_to_left_the_ring_is_right(
    browser_type, browser_type_launch_args, open_page, on
):
    browser = browser_type.launch(**browser_type_launch_args, ignore_default_args=["--hide-scrollbars"])
    try:
        context = browser.new_context(viewport={"width": 900, "height": 600})
        inner = "<div style='height:900px'><button id=in>حفظ</button></div>"
        page = open_page(
            "<div id=list style='height:220px;width:420px;overflow-y:scroll'><p style='height:300px'></p>"
            f"<button id=x>حفظ</button>{TALL}</div>"
            f'<iframe id=f width=400 height=160 srcdoc="<html dir=rtl><body>{inner}"></iframe>{TALL}',
            root="lang=ar dir=rtl",
            within=context,
        )
        width = page.evaluate("document.documentElement.clientWidth")
        assert width < 900
        start(page, step("#x", on=on), step("#f >>> #in", on=on))
        for selector in ("#x", "#f >>> #in"):
            expect_step_on(page, selector)
            expect_within(page, 900, 600)
            press_next(page)
        expect_nothing_left(page)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    finally:
        browser.close()


def expect_within(page: Page, width: int, height: int) -> None:
    """The whole card is in the window, and what it holds does not reach over its sides."""
    page.wait_for_function(
        """([width, height]) => {
            const card = document.querySelector('circuy-tour').shadowRoot.querySelector('.shepherd-content');
            const { left, top, right, bottom } = card.getBoundingClientRect();
            return left >= 0 && top >= 0 && right <= width && bottom <= height && card.scrollWidth <= card.clientWidth;
        }""",
        arg=[width, height],
    )


UNBROKEN = "Donaudampfschifffahrtsgesellschaftskapitän" * 6
# Ten times what a guide of the server holds: a page may start one of its own.
LONG = "Choisissez la période, le format et les colonnes, puis vérifiez l’aperçu avant d’exporter. " * 25


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (320, 568)])
@pytest.mark.parametrize("words", [UNBROKEN, LONG, f"`{UNBROKEN}`", f"**{UNBROKEN}**", "A\n" * 60])
def test_long_texts_and_words_without_a_break_stay_in_the_card_and_its_buttons_in_reach(
    open_page, width, height, words
):
    page = open_page("<meta name=viewport content='width=device-width'><p>Haut</p><button id=x>X</button>")
    page.set_viewport_size({"width": width, "height": height})
    buttons = [{"text": words[:40], "action": "back"}, {"text": words[:40], "action": "next"}]
    start(page, step("#x", words, title=words[:200], buttons=buttons))
    expect_step_on(page, "#x")
    expect_within(page, width, height)
    part(page, "step-next").scroll_into_view_if_needed()
    page.mouse.click(*middle_of(part(page, "step-next")))
    expect_nothing_left(page)


def test_an_apology_with_long_words_stays_in_the_card(open_page):
    page = open_page("<p>Rien ici</p>")
    page.set_viewport_size({"width": 320, "height": 568})
    start(page, step("#gone", UNBROKEN, title=UNBROKEN, route=f"/{UNBROKEN.lower()}"))
    expect(part(page, "step-missing")).to_be_visible()
    expect_within(page, 320, 568)


def test_twelve_steps_are_counted_walked_and_walked_back(open_page):
    page = open_page("".join(f"<p style='height:180px'><button id=b{n}>Bouton {n}</button></p>" for n in range(12)))
    start(page, *(step(f"#b{number}") for number in range(12)))
    for number in range(11):
        expect_step_on(page, f"#b{number}")
        expect(part(page, "step-counter")).to_have_text(f"{number + 1} / 12")
        expect_within(page, 1280, 900)
        press_next(page)
    expect_step_on(page, "#b11")
    for number in reversed(range(9, 11)):
        part(page, "step-back").click()
        expect_step_on(page, f"#b{number}")
    page.locator("#b9").click()
    expect_step_on(page, "#b10")
