"""Pointing a step at another element of the page: by mouse, by keyboard, by touch, and nothing reaches the page."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.preview.conftest import PAGE, STEPS, Try, target_path, tour
from tests.tour.guiding import card, expect_step_on, middle_of, step
from tests.widget.acting import part
from tests.widget.circuy_server import CircuyServer, Reply

HEARD = """
window.heard = [];
const names = ['pointerdown', 'mousedown', 'mouseup', 'click', 'keydown', 'submit', 'focusin', 'touchstart'];
for (const name of names)
  window.addEventListener(name, (event) => {
    if (!(event.target instanceof Element) || !event.target.localName.startsWith('circuy-')) heard.push(name);
  }, true);
"""


@pytest.fixture
def moved(server: CircuyServer) -> None:
    """The server takes whatever the first or the second step is pointed at."""
    for index in (0, 1):
        steps = [step("#save", "Cliquez.", title="Créer"), *STEPS[1:]] if index == 0 else [STEPS[0], step("#save")]
        server.replies[target_path(index)] = Reply(tour(*steps, version=2))


def start_picking(page: Page) -> None:
    expect(card(page)).to_be_visible()
    part(page, "preview-pick").click()
    expect(part(page, "preview-status")).to_contain_text("Un clic choisit")
    expect(card(page)).to_be_hidden()


def chip(page: Page) -> Any:
    return part(page, "pick-chip")


def expect_framed(page: Page, selector: str) -> None:
    page.wait_for_function(
        """selector => {
            const frame = document.querySelector('circuy-preview').shadowRoot.querySelector('[data-circuy=pick-frame]');
            const box = document.querySelector(selector).getBoundingClientRect();
            const drawn = frame.getBoundingClientRect();
            return drawn.width > 0 && Math.abs(drawn.left + drawn.right - box.left - box.right) < 4
                && Math.abs(drawn.top + drawn.bottom - box.top - box.bottom) < 4;
        }""",
        arg=selector,
    )


def sent(server: CircuyServer, index: int = 0) -> dict[str, Any]:
    (call,) = server.asked(target_path(index))
    return dict(call.body)


def test_the_mouse_shows_what_it_is_over_and_a_click_chooses_it(
    try_out: Try, server: CircuyServer, moved: None
) -> None:
    page = try_out(heard=HEARD)
    start_picking(page)
    page.evaluate("heard.length = 0")
    page.mouse.move(*middle_of(page.locator("#save")))
    expect_framed(page, "#save")
    expect(chip(page)).to_contain_text("Bouton")
    expect(chip(page)).to_contain_text("Créer la facture")
    expect(chip(page)).to_contain_text("repère solide")
    page.mouse.down()
    page.mouse.up()
    expect_step_on(page, "#save")
    told = sent(server)
    assert (told["preview"], told["route"]) == (server_token(server), "/factures/42")
    node = told["node"]
    assert (node["tag"], node["selector"], node["label"], node["role"]) == (
        "button",
        "#save",
        "Créer la facture",
        "button",
    )
    assert node["fingerprint"]
    assert page.evaluate("heard") == []


def server_token(server: CircuyServer) -> str:
    (opened, *_rest) = [call for call in server.calls if "preview" in call.query]
    return opened.query["preview"][0] + "1"


def test_the_new_version_is_played_from_that_step_and_named(try_out: Try, moved: None) -> None:
    page = try_out()
    expect_step_on(page, "#client")
    part(page, "step-next").click()
    expect_step_on(page, "#remise")
    start_picking(page)
    page.locator("#save").click(force=True, position={"x": 5, "y": 5})
    expect_step_on(page, "#save")
    expect(part(page, "preview-where")).to_have_text("version 2 · Étape 2/2")
    expect(part(page, "preview-status")).to_contain_text("Créer la facture")
    expect(part(page, "preview-status")).to_contain_text("version 2, à relire")
    expect(part(page, "preview-review")).to_have_attribute("href", "http://127.0.0.1/admin/tours/tour/1/review/")


def test_the_next_choice_is_made_on_the_new_version(try_out: Try, server: CircuyServer, moved: None) -> None:
    page = try_out()
    for _round in range(2):
        start_picking(page)
        page.locator("#save").click(force=True)
        expect_step_on(page, "#save")
    first, second = server.asked(target_path(0))
    assert (first.body["preview"][-1], second.body["preview"][-1]) == ("1", "2")


def test_the_arrows_move_to_what_is_around_inside_and_beside_and_enter_chooses(
    try_out: Try, server: CircuyServer, moved: None
) -> None:
    page = try_out(heard=HEARD)
    start_picking(page)
    page.evaluate("heard.length = 0")
    for key, selector in (
        ("ArrowDown", "h1"),
        ("ArrowRight", "form"),
        ("ArrowRight", "a"),
        ("ArrowLeft", "form"),
        ("ArrowDown", "#client"),
        ("ArrowRight", "#remise"),
        ("ArrowRight", "#save"),
        ("ArrowRight", "#save"),
        ("ArrowUp", "form"),
        ("ArrowDown", "#client"),
        ("ArrowRight", "#remise"),
        ("ArrowRight", "#save"),
    ):
        page.keyboard.press(key)
        expect_framed(page, selector)
    page.keyboard.press("Enter")
    expect_step_on(page, "#save")
    assert sent(server)["node"]["selector"] == "#save"
    assert page.evaluate("heard") == []


def test_what_is_framed_is_read_aloud(try_out: Try) -> None:
    page = try_out()
    start_picking(page)
    page.keyboard.press("ArrowDown")
    spoken = part(page, "preview").locator("[role=status]")
    expect(spoken).to_contain_text("Titre «\u00a0Facture\u00a0»")


def test_escape_goes_back_to_the_step_and_changes_nothing(try_out: Try, server: CircuyServer) -> None:
    page = try_out(f"{PAGE}<dialog id=d><button id=in>Dedans</button></dialog>")
    expect_step_on(page, "#client")
    page.evaluate("document.querySelector('#d').showModal()")
    start_picking(page)
    page.keyboard.press("ArrowDown")
    expect_framed(page, "#in")
    page.keyboard.press("Escape")
    expect(part(page, "pick-pane")).to_have_count(0)
    expect(card(page)).to_be_visible()
    assert page.evaluate("document.querySelector('#d').open") is True
    assert server.asked(target_path(0)) == []


def test_the_cancel_button_does_the_same_and_tab_stays_in_the_bar(try_out: Try, server: CircuyServer) -> None:
    page = try_out()
    start_picking(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(part(page, "pick-cancel")).to_be_focused()
    page.keyboard.press("Enter")
    expect_step_on(page, "#client")
    assert server.asked(target_path(0)) == []


def test_a_link_that_is_chosen_is_not_followed(try_out: Try, moved: None) -> None:
    page = try_out()
    start_picking(page)
    page.locator("a").click(force=True)
    expect(part(page, "preview-where")).to_contain_text("version 2")
    assert page.url.endswith("/factures/42")


REFUSED = """<div data-circuy-ignore><button id=ignored>Interne</button></div>
<div data-circuy-mask><button id=masked>Jean Dupont</button></div>
<label>Mot de passe <input type=password id=secret></label><p id=text>Du texte.</p><button id=ok>Valider</button>"""


@pytest.mark.parametrize(
    ("selector", "sentence"),
    [
        ("#ignored", "data-circuy-ignore"),
        ("#masked", "data-circuy-mask"),
        ("#secret", "mot de passe"),
    ],
)
def test_what_cannot_be_chosen_says_why(try_out: Try, server: CircuyServer, selector: str, sentence: str) -> None:
    page = try_out(REFUSED, tried=tour(step("#ok")))
    start_picking(page)
    page.mouse.move(*middle_of(page.locator(selector)))
    expect(chip(page)).to_contain_text(sentence)
    expect(part(page, "preview-status")).to_contain_text(sentence)
    expect(part(page, "pick-confirm")).to_be_disabled()
    page.mouse.down()
    page.mouse.up()
    page.mouse.move(*middle_of(page.locator("#ok")))
    expect_framed(page, "#ok")
    assert server.asked(target_path(0)) == []


def test_where_there_is_nothing_it_says_what_to_aim_at(try_out: Try) -> None:
    page = try_out(REFUSED, tried=tour(step("#ok")))
    start_picking(page)
    page.mouse.move(*middle_of(page.locator("#text")))
    expect(part(page, "preview-status")).to_contain_text("visez un bouton")
    expect(chip(page)).to_be_hidden()
    expect(part(page, "pick-confirm")).to_be_disabled()


def test_what_the_organization_hides_is_not_in_what_is_sent(try_out: Try, server: CircuyServer, moved: None) -> None:
    page = try_out("<button id=CLI-2041>Ouvrir CLI-2041</button><button id=save>Ici</button>")
    start_picking(page)
    page.locator("button").first.click(force=True)
    expect(part(page, "preview-where")).to_contain_text("version 2")
    node = sent(server)["node"]
    assert "2041" not in json.dumps(node)
    assert node["label"].startswith("Ouvrir ")


def test_a_refusal_of_the_server_is_told_and_the_version_stays(
    try_out: Try, server: CircuyServer, faults: list[str]
) -> None:
    told = {"code": "changed_since", "detail": "Le contenu a changé depuis.", "status": 409}
    server.replies[target_path(0)] = Reply(told, 409)
    page = try_out()
    start_picking(page)
    page.locator("#save").click(force=True)
    expect(part(page, "preview-status")).to_contain_text("Le contenu a changé depuis.")
    expect(part(page, "preview-review")).to_be_visible()
    expect(part(page, "preview-where")).to_contain_text("version 1")
    faults[:] = [fault for fault in faults if "status of 409" not in fault]


def test_what_comes_late_can_be_chosen_too(try_out: Try, moved: None, server: CircuyServer) -> None:
    page = try_out()
    start_picking(page)
    page.evaluate(
        """() => {
            const late = document.createElement('button');
            Object.assign(late, { id: 'late', type: 'button', textContent: 'En plus' });
            document.querySelector('form').append(late);
        }"""
    )
    page.mouse.move(*middle_of(page.locator("#late")))
    page.mouse.move(*(part + 1 for part in middle_of(page.locator("#late"))))
    expect(chip(page)).to_contain_text("En plus")
    page.mouse.down()
    page.mouse.up()
    expect(part(page, "preview-where")).to_contain_text("version 2")
    assert sent(server)["node"]["selector"] == "#late"


def test_a_version_that_may_not_be_changed_offers_no_change(try_out: Try) -> None:
    page = try_out(tried=tour(*STEPS, editable=False))
    expect_step_on(page, "#client")
    expect(part(page, "preview-pick")).to_be_hidden()


def test_shadow_roots_and_frames_are_reached(try_out: Try, server: CircuyServer, site: Any) -> None:
    site.put("/inner", "<!doctype html><html lang=fr><body><button id=deep>Au fond</button></body>")
    script = """addEventListener('DOMContentLoaded', () => {
        const root = document.querySelector('#host').attachShadow({ mode: 'open' });
        const button = document.createElement('button');
        button.id = 'inside';
        button.textContent = 'Dans la coquille';
        root.append(button);
    });"""
    html = "<div id=host></div><iframe id=frame src=/inner width=400 height=200></iframe><button id=ok>Ici</button>"
    server.replies[target_path(0)] = Reply(tour(step("#ok"), version=2))
    page = try_out(html, tried=tour(step("#ok")), shell=script)
    start_picking(page)
    page.mouse.move(*middle_of(page.locator("#inside")))
    expect(chip(page)).to_contain_text("Dans la coquille")
    page.mouse.move(*middle_of(page.frame_locator("#frame").locator("#deep")))
    expect(chip(page)).to_contain_text("Au fond")
    page.mouse.down()
    page.mouse.up()
    expect(part(page, "preview-where")).to_contain_text("version 2")
    assert sent(server)["node"]["selector"] == "#frame >>> #deep"


def test_our_own_bar_is_never_chosen(try_out: Try, server: CircuyServer) -> None:
    page = try_out()
    start_picking(page)
    page.mouse.move(*middle_of(part(page, "preview-where")))
    expect(part(page, "pick-chip")).to_be_hidden()
    page.mouse.down()
    page.mouse.up()
    assert server.asked(target_path(0)) == []


def test_the_wheel_scrolls_what_it_is_over(try_out: Try) -> None:
    page = try_out("<textarea id=list rows=3></textarea><button id=ok>Ici</button>", tried=tour(step("#ok")))
    page.locator("#list").fill("ligne\n" * 40)
    page.evaluate("document.querySelector('#list').scrollTop = 0")
    start_picking(page)
    page.mouse.move(*middle_of(page.locator("#list")))
    page.mouse.wheel(0, 120)
    page.wait_for_function("() => document.querySelector('#list').scrollTop > 0")


def test_a_finger_points_and_the_button_confirms(
    browser: Browser, try_out: Try, open_page: Any, server: CircuyServer, moved: None
) -> None:
    with browser.new_context(locale="fr-FR", viewport={"width": 360, "height": 740}, has_touch=True) as phone:
        page = try_out(in_page=phone.new_page(), heard=HEARD)
        expect(card(page)).to_be_visible()
        part(page, "preview-pick").tap()
        expect(part(page, "preview-status")).to_contain_text("Touchez un élément")
        page.evaluate("heard.length = 0")
        page.touchscreen.tap(*middle_of(page.locator("#save")))
        expect_framed(page, "#save")
        assert server.asked(target_path(0)) == []
        part(page, "pick-confirm").tap()
        expect(part(page, "preview-where")).to_contain_text("version 2")
        assert sent(server)["node"]["selector"] == "#save"
        assert page.evaluate("heard") == []
