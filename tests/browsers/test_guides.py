"""Guides and the widget do in Firefox and WebKit what they do in Chromium."""

from __future__ import annotations

from tests.browsers.drivers import until
from tests.browsers.screen import Screen
from tests.tour.guiding import step
from tests.widget.circuy_server import CircuyServer
from tests.widget.conftest import FORM, KEY

STRICT = "default-src 'self'; require-trusted-types-for 'script'"
DONE = [{"text": "Retour", "action": "back"}, {"text": "Terminé", "action": "complete"}]


def test_a_guide_goes_from_field_to_field_and_leaves_the_page_as_it_was(screen: Screen) -> None:
    screen.open("<input id=x aria-label=Nom><p style='height: 1500px'></p><button id=y>Y</button>", csp=STRICT)
    before = screen.run("return document.body.outerHTML")
    screen.start(step("#x", title="Le nom"), step("#y", buttons=DONE))
    screen.expect_ring_around("#x")
    assert screen.text("step-title") == "Le nom"
    assert screen.focused() == "step-dialog"
    screen.click("step-next")
    screen.expect_ring_around("#y")
    screen.expect_text("step-counter", "2 / 2")
    screen.click("step-complete")
    screen.expect_gone("step-dialog")
    assert screen.run("return document.querySelector('circuy-tour') === null")
    assert screen.run("return document.body.outerHTML") == before


def test_the_user_s_own_click_on_the_target_leads_on(screen: Screen) -> None:
    screen.open("<button id=x>X</button><button id=y style='margin-top: 400px'>Y</button>")
    screen.run("document.querySelector('#x').onclick = () => { document.title = 'clicked'; }")
    screen.start(step("#x"), step("#y"))
    screen.expect_ring_around("#x")
    screen.click_on_page("#x")
    screen.expect_ring_around("#y")
    assert screen.run("return document.title") == "clicked"


def test_it_stands_above_a_modal_dialog_and_is_reached_in_it(screen: Screen) -> None:
    screen.open("<dialog id=d style='width: 500px; height: 500px'><button id=x>X</button></dialog>")
    screen.run("document.querySelector('#d').showModal()")
    screen.start(step("#x", buttons=DONE))
    screen.expect_ring_around("#x")
    screen.click("step-complete")
    screen.expect_gone("step-dialog")


def test_a_target_in_a_shadow_root_is_found(screen: Screen) -> None:
    screen.open("<div id=host></div>")
    screen.run(
        "const root = document.querySelector('#host').attachShadow({ mode: 'open' });"
        "root.append(Object.assign(document.createElement('button'), { id: 'in', textContent: 'Dedans' }))"
    )
    screen.start(step("#host >>> #in"))
    screen.expect_ring_around("#host >>> #in")


def test_the_keyboard_reaches_the_buttons_and_escape_ends_the_guide(screen: Screen) -> None:
    screen.open("<input id=x aria-label=Nom>")
    screen.start(step("#x"), step("#x"))
    screen.expect_ring_around("#x")
    screen.press("Tab")
    until(lambda: screen.focused() == "step-cancel", "the focus on the button that closes")
    screen.press("Escape")
    screen.expect_gone("step-dialog")


def test_a_guide_goes_on_after_a_page_load(screen: Screen) -> None:
    screen.open("<h1>Deux</h1><input id=y aria-label=Suite>", path="/two")
    screen.open("<h1>Un</h1><a id=x href=/two>Suite</a>", path="/one")
    screen.start(step("#x", route="/one"), step("#y", route="/two"))
    screen.expect_ring_around("#x")
    screen.click_on_page("#x")
    screen.expect_ring_around("#y")
    screen.expect_text("step-counter", "2 / 2")


def test_a_target_that_is_not_there_is_told_and_nothing_is_pointed_at(screen: Screen) -> None:
    screen.open("<h1>Vide</h1>")
    screen.start(step("#gone"))
    until(lambda: screen.text("step-missing"), "the apology")
    assert screen.run("return isSeen(ours('spotlight'))") is False


def test_a_question_asked_in_the_widget_ends_on_the_field(screen: Screen, server: CircuyServer) -> None:
    tag = f'<script src="{server.url}/static/circuy/circuy.js" data-key={KEY} async></script>'
    policy = f"default-src 'self'; script-src 'self' {server.url}; connect-src 'self' {server.url}"
    screen.site.put(
        "/factures/42",
        f"<!doctype html><html lang=fr><head><meta charset=utf-8><title>Facture</title>{tag}</head>{FORM}</html>",
        **{"Content-Security-Policy": policy},
    )
    screen.driver.go(f"{screen.site.url}/factures/42")
    screen.click("launcher")
    until(lambda: screen.focused() == "question", "the focus in the field")
    screen.driver.type("Comment ajouter une remise ?")
    screen.press("Enter")
    screen.expect_ring_around("#remise")
    assert screen.text("step-title") == "Saisir la remise"
    screen.click("step-next")
    screen.expect_gone("step-dialog")


def test_the_scanner_sees_the_same_fields_under_the_same_names(screen: Screen) -> None:
    screen.open(
        "<label>Remise <input id=r></label><button aria-label='Envoyer'><svg></svg></button>"
        "<select aria-labelledby=l><option>Un</select><span id=l>Liste</span>"
    )
    screen.run(
        "const tag = document.createElement('script'); tag.src = '/circuy/circuy-scan.js';document.head.append(tag)"
    )
    until(lambda: screen.run("return window.CircuyScan !== undefined"), "the scanner")
    screen.run("CircuyScan.scan().then(({ payload }) => { window.nodes = payload.nodes; })")
    nodes = until(lambda: screen.run("return window.nodes ?? null"), "the scan")
    assert [(node["tag"], node.get("label")) for node in nodes if node["isInteractive"]] == [
        ("input", "Remise"),
        ("button", "Envoyer"),
        ("select", "Liste"),
    ]
