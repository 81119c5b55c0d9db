"""Text is text, and the keyboard stays with whoever uses it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.tour.guiding import (
    card,
    expect_nothing_left,
    expect_step_on,
    part,
    press_next,
    start,
    step,
)

HOSTILE = "<img src=x onerror=\"document.title = 'pwned'\"><b>gras</b>"


def test_markup_in_titles_texts_and_buttons_is_shown_as_text(open_page):
    page = open_page("<button id=x>X</button>")
    start(page, step("#x", HOSTILE, title=HOSTILE, buttons=[{"text": HOSTILE, "action": "next"}]))
    expect_step_on(page, "#x")
    for name in ("step-title", "step-text", "step-next"):
        expect(part(page, name)).to_have_text(HOSTILE)
    expect(card(page).locator("img, b")).to_have_count(0)
    assert page.title() == "Page"


def test_bold_code_and_line_breaks_are_the_only_marks(open_page):
    page = open_page("<button id=x>X</button>")
    start(page, step("#x", "Cliquez sur **Payer**, puis tapez `OK`.\nC’est **tout** : 2 * 3 ** 4 et [lien](x)."))
    text = part(page, "step-text")
    expect(text.locator("strong")).to_have_text(["Payer", "tout"])
    expect(text.locator("code")).to_have_text(["OK"])
    expect(text.locator("br")).to_have_count(1)
    expect(text).to_contain_text("2 * 3 ** 4 et [lien](x).")


@pytest.mark.parametrize("title", ["", "Payer"])
def test_the_dialog_has_a_name_and_a_description(open_page, title):
    page = open_page("<button id=x>X</button>")
    start(page, step("#x", "Cliquez.", title=title))
    expect(card(page)).to_have_accessible_name(title or "Un guide")
    expect(card(page)).to_have_accessible_description("Cliquez.")
    expect(card(page)).to_have_role("dialog")


def test_no_character_is_lost_while_the_page_moves_under_the_field(open_page):
    page = open_page("<header>En-tête</header><input id=x aria-label=Nom>")
    start(page, step("#x"))
    expect_step_on(page, "#x")
    page.locator("#x").click()
    for index, letter in enumerate("Marguerite Duras"):
        page.evaluate("height => { document.querySelector('header').style.height = height; }", f"{20 + index * 9}px")
        page.keyboard.type(letter, delay=40)
    expect(page.locator("#x")).to_have_value("Marguerite Duras")
    expect_step_on(page, "#x")


def test_a_step_that_comes_while_someone_types_leaves_them_the_keyboard(open_page):
    page = open_page("<input id=note aria-label=Note><div id=late></div>")
    start(page, step("#y"))
    page.locator("#note").click()
    page.keyboard.type("Bon")
    page.evaluate("document.querySelector('#late').innerHTML = '<button id=y>Y</button>'")
    expect_step_on(page, "#y")
    page.keyboard.type("jour")
    expect(page.locator("#note")).to_have_value("Bonjour")
    expect(part(page, "tour-live")).to_contain_text("Étape 1 sur 1")


def test_arrow_keys_in_the_target_move_the_caret_and_not_the_guide(open_page):
    page = open_page("<input id=x value=abc aria-label=Nom><button id=y>Y</button>")
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    page.locator("#x").click()
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("document.querySelector('#x').selectionStart") == 1
    expect(part(page, "step-counter")).to_have_text("1 / 2")


def test_the_left_arrow_on_the_first_step_does_nothing(open_page):
    page = open_page("<button id=x>X</button><button id=y>Y</button>")
    start(page, step("#x"), step("#y"))
    expect(card(page)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect_step_on(page, "#x")
    expect(part(page, "step-counter")).to_have_text("1 / 2")


def test_tab_after_the_start_reaches_a_control_with_a_visible_focus(open_page):
    page = open_page("<button id=x>X</button>")
    start(page, step("#x"))
    expect(card(page)).to_be_focused()
    page.keyboard.press("Tab")
    expect(part(page, "step-cancel")).to_be_focused()
    outline = part(page, "step-cancel").evaluate("element => getComputedStyle(element).outlineStyle")
    assert outline == "solid"


def test_the_keyboard_follows_from_step_to_step(open_page):
    page = open_page("<button id=x>X</button><button id=y>Y</button>")
    start(page, step("#x"), step("#y"))
    expect(card(page)).to_be_focused()
    part(page, "step-next").focus()
    page.keyboard.press("Enter")
    expect_step_on(page, "#y")
    expect(card(page)).to_be_focused()


@pytest.mark.parametrize(
    "where",
    ["document.querySelector('#x').focus()", "document.activeElement.blur()", "frames[0].document.body.focus()"],
)
def test_escape_ends_the_guide_wherever_the_focus_is(open_page, where):
    page = open_page("<input id=x aria-label=Nom><iframe id=f srcdoc='<button id=in>I</button>'></iframe>")
    in_frame = "frames" in where
    start(page, step("#f >>> #in" if in_frame else "#x"))
    expect(card(page)).to_be_visible()
    if in_frame:
        page.frame_locator("#f").locator("#in").focus()
    else:
        page.evaluate(where)
    page.keyboard.press("Escape")
    expect_nothing_left(page)
    assert page.evaluate("player.outcome") == "cancelled"


def test_the_target_keeps_its_attributes_during_the_guide_and_after(open_page):
    page = open_page("<div id=x class='a b' aria-label=Zone style='width:80px;height:30px'>Zone</div><p id=y>Y</p>")
    before = page.locator("body").evaluate("body => body.outerHTML")
    start(page, step("#x"), step("#gone"), step("#y"))
    expect_step_on(page, "#x")
    assert page.locator("body").evaluate("body => body.outerHTML") == before
    press_next(page)
    expect(part(page, "step-missing")).to_be_visible()
    assert page.locator("body").evaluate("body => body.outerHTML") == before
    press_next(page)
    press_next(page)
    expect_nothing_left(page)
    assert page.locator("body").evaluate("body => body.outerHTML") == before


def test_shortcuts_of_the_page_do_not_answer_keys_pressed_in_the_card(open_page):
    page = open_page(
        "<button id=x>X</button><script>addEventListener('keydown', (event) => {"
        " document.title = 'heard ' + event.key; });</script>"
    )
    start(page, step("#x"))
    expect(card(page)).to_be_focused()
    page.keyboard.press("j")
    assert page.title() == "Page"
