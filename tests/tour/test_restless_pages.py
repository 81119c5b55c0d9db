"""Pages that draw themselves again at the wrong moment, take things away, or watch what others put on them."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.tour.guiding import (
    card,
    events,
    expect_nothing_left,
    expect_step_on,
    guide,
    middle_of,
    part,
    press_next,
    start,
    step,
)

DRAWN_AGAIN_WHEN_PRESSED = """
<main><button id=x>Payer</button></main><p id=y>Suite</p>
<script>
  const main = document.querySelector('main');
  let times = 0;
  main.addEventListener('pointerdown', () => {
    if (times++ === 0) main.innerHTML = '<p style="height:40px"></p><button id=x>Payer</button>';
  });
</script>"""


def test_a_target_drawn_again_under_the_finger_is_pointed_at_again_and_the_next_click_counts(open_page):
    page = open_page(DRAWN_AGAIN_WHEN_PRESSED)
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    page.mouse.click(*middle_of(page.locator("#x")))
    expect_step_on(page, "#x")
    expect(part(page, "step-counter")).to_have_text("1 / 2")
    page.mouse.click(*middle_of(page.locator("#x")))
    expect_step_on(page, "#y")


def test_a_click_counts_though_what_is_inside_its_target_is_drawn_again_meanwhile(open_page):
    page = open_page(
        "<button id=x>Payer</button><p id=y>Suite</p><script>document.querySelector('#x').onpointerdown ="
        " (event) => { event.currentTarget.textContent = 'Un instant'; event.currentTarget.id = 'z'; }</script>"
    )
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    page.mouse.click(*middle_of(page.locator("#x")))
    expect_step_on(page, "#y")


def test_a_target_that_its_own_click_takes_away_leads_on(open_page):
    page = open_page("<button id=x onclick='this.remove()'>Fermer l’annonce</button><p id=y>Suite</p>")
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    page.locator("#x").click()
    expect_step_on(page, "#y")
    assert events(page, "target_missing") == []


def test_a_target_that_moves_into_a_modal_dialog_is_followed_there(open_page):
    page = open_page(
        "<p style='height:200px'></p><div id=home><button id=x>Valider</button></div>"
        "<dialog id=d style='width:300px;height:300px'></dialog><p id=y>Suite</p>"
    )
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    page.evaluate(
        "() => { const dialog = document.querySelector('#d');"
        " dialog.append(document.querySelector('#x')); dialog.showModal(); }"
    )
    expect_step_on(page, "#x")
    expect(part(page, "step-counter")).to_have_text("1 / 2")
    part(page, "step-back").click()
    page.evaluate(
        "() => { document.querySelector('#home').append(document.querySelector('#x'));"
        " document.querySelector('#d').close(); }"
    )
    expect_step_on(page, "#x")
    press_next(page)
    expect_step_on(page, "#y")


def test_two_guides_started_in_one_breath_leave_the_second_alone_on_the_page(open_page):
    page = open_page("<button id=x>X</button><button id=y>Y</button>")
    page.evaluate(
        "([first, second]) => { player.start(first); player.start(second); }", [guide(step("#x")), guide(step("#y"))]
    )
    expect_step_on(page, "#y")
    expect(page.locator("circuy-tour")).to_have_count(1)
    assert [event["type"] for event in events(page, "started", "cancelled")] == ["started", "cancelled", "started"]
    page.locator("#x").click()
    expect_step_on(page, "#y")
    page.keyboard.press("Escape")
    expect_nothing_left(page)


FRAMED = "<input id=note aria-label=Note><button id=in>Signer</button>"


def load_again(page: Page) -> None:
    """Load the frame again, and wait until it is there."""
    page.evaluate(
        "() => { const { contentWindow } = document.querySelector('#f');"
        " contentWindow.isOld = true; contentWindow.location.reload(); }"
    )
    page.wait_for_function(
        """() => {
            const { contentWindow, contentDocument } = document.querySelector('#f');
            return contentWindow.isOld === undefined && contentDocument?.querySelector('#in');
        }"""
    )


def test_a_frame_that_loads_again_mid_step_is_entered_again(open_page, site):
    site.put("/inner", f"<!doctype html><body>{FRAMED}")
    page = open_page("<iframe id=f src=/inner width=400 height=200></iframe><p id=y>Suite</p>")
    start(page, step("#f >>> #in"), step("#y"))
    expect_step_on(page, "#f >>> #in")
    load_again(page)
    expect_step_on(page, "#f >>> #in")
    page.frame_locator("#f").locator("#in").click()
    expect_step_on(page, "#y")
    assert events(page, "target_missing") == []


def test_escape_in_a_frame_that_has_loaded_again_ends_the_guide(open_page, site):
    site.put("/inner", f"<!doctype html><body>{FRAMED}")
    page = open_page("<iframe id=f src=/inner width=400 height=200></iframe>")
    start(page, step("#f >>> #in"))
    expect_step_on(page, "#f >>> #in")
    with page.expect_response("**/inner"):
        load_again(page)
    expect_step_on(page, "#f >>> #in")
    page.frame_locator("#f").locator("#note").focus()
    page.keyboard.press("Escape")
    expect_nothing_left(page)


def test_next_pressed_while_someone_writes_in_a_frame_takes_the_keyboard_along(open_page, site):
    site.put("/inner", f"<!doctype html><body>{FRAMED}")
    page = open_page("<iframe id=f src=/inner width=400 height=200></iframe><button id=y>Suite</button>")
    start(page, step("#f >>> #note", on="right"), step("#y"))
    expect_step_on(page, "#f >>> #note")
    page.frame_locator("#f").locator("#note").click()
    page.keyboard.type("Lu")
    press_next(page)
    expect_step_on(page, "#y")
    expect(card(page)).to_be_focused()
    page.keyboard.press("Tab")
    expect(part(page, "step-cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect_nothing_left(page)
    expect(page.frame_locator("#f").locator("#note")).to_have_value("Lu")


def cleaner_of(parent: str, *known: str) -> str:
    """A script that takes away what it does not know among the children of `parent`."""
    names = ", ".join(f"'{name}'" for name in known)
    return (
        f"<script>window.removals = 0; new MutationObserver(() => {{ for (const child of [...{parent}.children])"
        f" if (![{names}].includes(child.localName)) {{ child.remove(); removals += 1; }} }})"
        f".observe({parent}, {{ childList: true }})</script>"
    )


def test_a_page_that_takes_away_what_it_does_not_know_in_its_body_does_not_meet_the_guide(open_page):
    page = open_page("<button id=x>X</button><button id=y>Y</button>" + cleaner_of("document.body", "button", "script"))
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    press_next(page)
    expect_step_on(page, "#y")
    press_next(page)
    expect_nothing_left(page)
    assert page.evaluate("removals") == 0


def test_a_page_that_suffers_nothing_of_ours_gets_no_guide_that_nobody_sees(open_page):
    page = open_page("<button id=x>X</button>" + cleaner_of("document.documentElement", "head", "body"))
    start(page, step("#x"))
    page.wait_for_function("player.outcome === 'cancelled'")
    expect_nothing_left(page)
    seen = page.evaluate("removals")
    page.wait_for_timeout(600)
    assert page.evaluate("removals") == seen
    page.keyboard.press("Escape")
    assert [event["type"] for event in events(page, "cancelled")] == ["cancelled"]


ANSWERS_EVERY_CHANGE = """
<main><button id=x>X</button></main><p id=y>Y</p>
<script>
  window.answered = 0;
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) {
      if (!node.localName?.startsWith('circuy-')) continue;
      answered += 1;
      node.setAttribute('data-seen', 'yes');
      node.title = 'traduit';
      document.querySelector('main').innerHTML = '<button id=x>X</button>';
    }
  }).observe(document.documentElement, { childList: true, subtree: true, attributes: true });
</script>"""


def test_a_page_that_answers_our_coming_by_drawing_itself_again_is_guided_all_the_same(open_page):
    page = open_page(ANSWERS_EVERY_CHANGE)
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    page.locator("#x").click()
    expect_step_on(page, "#y")
    press_next(page)
    expect_nothing_left(page)
    assert page.evaluate("answered") == 1


def test_a_page_that_marks_all_its_elements_sees_nothing_of_the_inside_of_a_card(open_page):
    page = open_page(
        "<button id=x>X</button><script>new MutationObserver((records) => records.flatMap((one) => [...one.addedNodes])"
        ".forEach((node) => { for (const one of [node, ...(node.querySelectorAll?.('*') ?? [])])"
        " one.className += ' seen'; })).observe(document, { childList: true, subtree: true })</script>"
    )
    start(page, step("#x"))
    expect_step_on(page, "#x")
    expect(card(page).locator(".seen")).to_have_count(0)
    press_next(page)
    expect_nothing_left(page)


def test_a_page_that_replaces_its_body_is_told_that_the_element_is_not_there(open_page):
    page = open_page("<button id=x>X</button>")
    start(page, step("#x"))
    expect_step_on(page, "#x")
    page.evaluate("document.body.replaceWith(document.createElement('body'))")
    expect(part(page, "step-missing")).to_be_visible()
    part(page, "step-cancel").click()
    expect_nothing_left(page)
