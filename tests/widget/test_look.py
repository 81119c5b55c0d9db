"""How the widget looks and where it stands: as the organization chose, in the page's language, out of the way."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.widget.acting import ask, call, open_panel, part
from tests.widget.circuy_server import LOOK, NOTHING, CircuyServer, Reply
from tests.widget.conftest import OpenPage

TEAL = "rgb(15, 118, 110)"
CHOSEN = {**LOOK, "accent": "#0f766e", "side": "left", "offset_x": 24, "offset_y": 96, "label": "Besoin d’aide"}


def colour_of(page: Page, name: str) -> str:
    return str(part(page, name).evaluate("element => getComputedStyle(element).backgroundColor"))


def test_the_organizations_colour_corner_and_word_are_shown(open_page: OpenPage, server: CircuyServer) -> None:
    server.replies["/v1/widget"] = Reply(CHOSEN)
    page = open_page()
    launcher = part(page, "launcher")
    expect(launcher).to_have_text("Besoin d’aide")
    assert colour_of(page, "launcher") == TEAL
    box = launcher.bounding_box()
    assert box is not None
    assert (box["x"], 900 - box["y"] - box["height"]) == (24, 96)
    open_panel(page)
    panel = part(page, "panel").bounding_box()
    assert panel is not None
    assert panel["x"] == 24
    assert colour_of(page, "question") == "rgba(0, 0, 0, 0)"


def test_the_guides_have_the_organizations_colour_too(open_page: OpenPage, server: CircuyServer) -> None:
    server.replies["/v1/widget"] = Reply(CHOSEN)
    page = open_page()
    ask(page, "Comment ajouter une remise ?")
    expect(part(page, "step-dialog")).to_be_visible()
    accent = "getComputedStyle(document.querySelector('circuy-tour')).getPropertyValue('--accent').trim()"
    assert call(page, accent) == "#0f766e"


def test_the_pages_own_colour_is_stronger(open_page: OpenPage, server: CircuyServer) -> None:
    server.replies["/v1/widget"] = Reply(CHOSEN)
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    call(page, "document.documentElement.style.setProperty('--circuy-accent', '#7c2d12')")
    expect(part(page, "launcher")).to_have_css("background-color", "rgb(124, 45, 18)")


@pytest.mark.parametrize("accent", ["red;} body{display:none}", "#FFF", "", 7])
def test_no_answer_of_the_server_writes_styles(open_page: OpenPage, server: CircuyServer, accent: object) -> None:
    server.replies["/v1/widget"] = Reply({**LOOK, "accent": accent, "offset_x": "1px}*{display:none"})
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    expect(page.locator("h1")).to_be_visible()
    assert colour_of(page, "launcher") == "rgb(79, 70, 229)"


def test_without_the_organizations_choice_the_widget_is_there_all_the_same(
    open_page: OpenPage, server: CircuyServer, faults: list[str]
) -> None:
    server.replies["/v1/widget"] = Reply({"code": "server_error"}, 500)
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    faults.clear()


def test_a_refused_key_leaves_no_dead_button_and_says_why(
    open_page: OpenPage, server: CircuyServer, faults: list[str]
) -> None:
    refusal = {"code": "origin_not_allowed", "detail": "La clé pk_test… ne fonctionne pas depuis cette origine."}
    server.replies["/v1/widget"] = Reply(refusal, 403)
    page = open_page()
    with page.expect_console_message(lambda message: "ne fonctionne pas depuis" in message.text):
        call(page, "Circuy.open()")
    assert page.locator("circuy-widget").count() == 0
    assert all("403" in fault or "Circuy: the server refused this page." in fault for fault in faults)
    faults.clear()


def test_chosen_pages_go_without_it(open_page: OpenPage, server: CircuyServer) -> None:
    server.replies["/v1/widget"] = Reply({**LOOK, "hidden_on": ["/pay/**"]})
    page = open_page(path="/pay/card", start="Circuy={q:[['init',[{key:'pk_1',hideOn:['/panier']}],()=>0]]}")
    expect(page.locator("circuy-widget")).to_be_attached()
    expect(part(page, "launcher")).to_be_hidden()
    for path, is_there in (("/factures", True), ("/panier", False), ("/panier/2", True), ("/pay", False)):
        call(page, f"history.pushState(null, '', '{path}')")
        expect(part(page, "launcher")).to_be_visible(visible=is_there)
    call(page, "Circuy.open()")
    expect(part(page, "panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(part(page, "panel")).to_be_hidden()
    expect(part(page, "launcher")).to_be_hidden()


def test_another_page_without_a_load_has_its_own_guides(open_page: OpenPage, server: CircuyServer) -> None:
    page = open_page()
    open_panel(page)
    expect(part(page, "starters")).to_be_visible()
    tour = {"tour_id": "0190c0de-0000-7000-8000-000000000009", "title": "Exporter", "steps_count": 1}
    server.replies["/v1/tours"] = Reply({"tours": [tour], "suggestions": []})
    call(page, "history.pushState(null, '', '/clients')")
    expect(part(page, "guide")).to_contain_text("Exporter")
    assert server.asked("/v1/tours")[-1].query["route"] == ["/clients"]


def test_another_language_comes_with_a_dictionary(open_page: OpenPage, server: CircuyServer) -> None:
    server.replies["/v1/ai/ask"] = Reply({"question_id": "q1", **NOTHING, "message": ""})
    words = "{de: {panelTitle: 'Hilfe', notFound: 'Leider nichts gefunden.'}, ar: {panelTitle: 'مساعدة'}}"
    start = f"Circuy={{q:[['init',[{{key:'pk_1',messages:{words}}}],()=>0]]}}"
    page = open_page(lang="de-AT", start=start)
    ask(page, "Wo?")
    expect(page.get_by_role("dialog", name="Hilfe")).to_be_visible()
    expect(part(page, "fallback")).to_contain_text("Leider nichts gefunden.")
    expect(part(page, "question")).to_have_attribute("placeholder", "Ask your question…")
    expect(page.locator("circuy-widget")).to_have_attribute("lang", "de")
    assert "locale" not in server.asked("/v1/ai/ask")[0].body

    arabic = open_page(lang="ar", start=start, in_page=page)
    expect(arabic.locator("circuy-widget")).to_have_attribute("dir", "rtl")


HOSTILE_CSS = """
* { display: none !important; font-size: 40px !important; color: red !important; all: unset !important; }
html, body, h1, circuy-widget { display: block !important; }
button { pointer-events: none !important; }
"""


def test_the_pages_styles_do_not_reach_in(open_page: OpenPage) -> None:
    plain = open_page()
    open_panel(plain)
    look = "element => [...element.querySelectorAll('*')].map((e) => JSON.stringify({...getComputedStyle(e)}))"
    still = "element => Promise.all(element.getAnimations({ subtree: true }).map((one) => one.finished)).then(() => 0)"
    part(plain, "panel").evaluate(still)
    before = part(plain, "panel").evaluate(look)
    plain.evaluate(
        "css => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css);"
        " document.adoptedStyleSheets.push(sheet); }",
        HOSTILE_CSS,
    )
    assert part(plain, "panel").evaluate(look) == before
    part(plain, "close").click()
    expect(part(plain, "panel")).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 480), (1280, 400), (320, 256)])
def test_everything_fits_and_can_be_reached_in_a_small_or_zoomed_window(
    open_page: OpenPage, server: CircuyServer, width: int, height: int
) -> None:
    server.replies["/v1/tours"] = Reply({"tours": [], "suggestions": ["Choisir le client"] * 3})
    server.replies["/v1/widget"] = Reply({**LOOK, "offset_x": 200, "label": "Besoin d’un coup de main"})
    page = open_page()
    page.set_viewport_size({"width": width, "height": height})
    open_panel(page)
    part(page, "panel").evaluate("panel => Promise.all(panel.getAnimations().map(({ finished }) => finished))")
    for name in ("panel", "close", "question", "send"):
        box = part(page, name).bounding_box()
        assert box is not None, name
        assert box["x"] >= 0, name
        assert box["y"] >= 0, name
        assert box["x"] + box["width"] <= width, name
        assert box["y"] + box["height"] <= height, name
    part(page, "page-suggestion").last.scroll_into_view_if_needed()
    part(page, "close").click()
    box = part(page, "launcher").bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= width
