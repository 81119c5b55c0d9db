"""Pages that call twice, whose listeners fail, whose addresses start elsewhere, or that are open in two tabs."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.scan.site import Site
from tests.widget.acting import ask, call, finish_the_tour, focused, open_panel, part, until
from tests.widget.circuy_server import TOUR, CircuyServer, Reply
from tests.widget.conftest import FORM, KEY, OpenPage

GUIDE = json.dumps(TOUR)


def test_a_guide_started_twice_in_one_breath_is_shown_once_and_the_first_call_hears_that_it_ended(
    open_page: OpenPage, server: CircuyServer
) -> None:
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    page.evaluate(
        f"() => {{ window.ends = []; for (const n of [1, 2]) Circuy.startTour({GUIDE})"
        ".then((end) => { ends.push([n, end]); }); }"
    )
    expect(part(page, "step-dialog")).to_have_count(1)
    until(lambda: call(page, "ends"), page)
    assert call(page, "ends") == [[1, "cancelled"]]
    expect(page.locator("circuy-tour")).to_have_count(1)
    finish_the_tour(page)
    assert until(lambda: len(call(page, "ends")) == 2, page)
    assert call(page, "ends")[1] == [2, "completed"]


def test_two_questions_in_one_breath_end_in_the_guide_of_the_second(open_page: OpenPage, server: CircuyServer) -> None:
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    page.evaluate("() => { Circuy.ask('Un ?'); Circuy.ask('Deux ?'); }")
    expect(part(page, "step-dialog")).to_have_count(1)
    finish_the_tour(page)
    expect(part(page, "question-asked")).to_have_text(["Un\u00a0?", "Deux\u00a0?"])
    expect(part(page, "answer")).to_have_count(1)
    expect(part(page, "progress")).to_have_count(0)


FAILING = {
    "throws": "() => { throw new Error('theirs') }",
    "rejects": "async () => { throw new Error('theirs') }",
}


@pytest.mark.parametrize("how", FAILING)
def test_listeners_of_the_page_that_fail_stop_neither_answers_nor_guides(
    open_page: OpenPage, server: CircuyServer, faults: list[str], how: str
) -> None:
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    page.evaluate(
        "() => { for (const name of ['opened', 'closed', 'asked', 'answered', 'tour'])"
        f" Circuy.on(name, {FAILING[how]}); window.heard = 0; Circuy.on('tour', () => {{ heard += 1; }}); }}"
    )
    ask(page, "Comment ajouter une remise ?")
    finish_the_tour(page)
    expect(part(page, "rating")).to_be_visible()
    assert call(page, "heard") >= 3
    assert faults
    assert all("theirs" in fault for fault in faults)
    faults.clear()


def test_a_page_whose_addresses_start_elsewhere_loads_all_of_it_from_our_server(
    open_page: OpenPage, server: CircuyServer
) -> None:
    asked: list[str] = []
    page = open_page(head="<base href='https://elsewhere.example/deep/'>", attributes="data-nothing")
    page.on("request", lambda request: asked.append(request.url))
    until(lambda: call(page, "!!window.Circuy"), page)
    call(page, "Circuy.init({ key: 'pk_1' })")
    ask(page, "Comment ajouter une remise ?")
    finish_the_tour(page)
    assert asked
    assert all(url.startswith(server.url) for url in asked)
    assert server.asked("/v1/ai/ask")[0].body["route"] == "/factures/42"


def test_a_guide_in_one_tab_leaves_the_other_tab_alone(
    open_page: OpenPage, context: BrowserContext, server: CircuyServer
) -> None:
    one, two = open_page(), open_page()
    ask(one, "Comment ajouter une remise ?")
    expect(part(one, "step-dialog")).to_be_visible()
    two.reload()
    expect(part(two, "launcher")).to_be_visible()
    open_panel(two)
    expect(part(two, "past-question")).to_have_count(0)
    expect(two.locator("circuy-tour")).to_have_count(0)
    one.reload()
    expect(part(one, "step-dialog")).to_be_visible()
    two.reload()
    expect(part(two, "launcher")).to_be_visible()
    expect(two.locator("circuy-tour")).to_have_count(0)


def test_the_panel_can_be_used_while_the_page_makes_all_that_it_holds_inert(open_page: OpenPage) -> None:
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    page.evaluate("document.body.inert = true")
    open_panel(page)
    assert focused(page) == "question"
    page.keyboard.press("Escape")
    expect(part(page, "panel")).to_be_hidden()
    assert focused(page) == "launcher"


@pytest.mark.parametrize("css", ["html{zoom:1.5}", "body{zoom:.6}"])
def test_a_guide_is_walked_in_a_page_that_is_shown_larger_or_smaller(open_page: OpenPage, css: str) -> None:
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    page.evaluate(
        "css => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css);"
        " document.adoptedStyleSheets.push(sheet); Circuy.init({ key: 'pk_1' }); }",
        css,
    )
    ask(page, "Comment ajouter une remise ?")
    finish_the_tour(page)
    expect(part(page, "rating")).to_be_visible()
    panel = part(page, "panel").bounding_box()
    assert panel is not None
    assert 0 <= panel["y"] <= panel["y"] + panel["height"] <= 900


LONG = "Donaudampfschifffahrtsgesellschaftskapitän" * 6


def test_long_words_of_people_and_of_the_server_stay_in_the_panel(open_page: OpenPage, server: CircuyServer) -> None:
    server.replies["/v1/ai/ask"].body.update({"title": LONG})
    server.replies["/v1/tours"].body.update(
        {"tours": [{"tour_id": TOUR["tour_id"], "title": LONG, "steps_count": 12}], "suggestions": [LONG]}
    )
    page = open_page()
    open_panel(page)
    expect(part(page, "guide")).to_be_visible()
    ask(page, LONG)
    expect(part(page, "step-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    open_panel(page)
    expect(part(page, "answer")).to_be_visible()
    wide = part(page, "panel").evaluate(
        "panel => [...panel.querySelectorAll('*')].filter((one) => {"
        " const { left, right } = one.getBoundingClientRect(), box = panel.getBoundingClientRect();"
        " return right > box.right + 1 || left < box.left - 1; }).map((one) => one.className)"
    )
    assert wide == []


def test_a_policy_of_nonces_needs_ours_on_the_tag_only(page: Page, site: Site, server: CircuyServer) -> None:
    tag = f'<script src="{server.url}/static/circuy/circuy.js" data-key={KEY} nonce=r4nd0m async></script>'
    policy = (
        "default-src 'none'; script-src 'nonce-r4nd0m'; style-src 'none'; require-trusted-types-for 'script'; "
        f"connect-src {server.url}"
    )
    site.put(
        "/factures/42",
        f"<!doctype html><html lang=fr><title>Facture</title>{tag}{FORM}",
        **{"Content-Security-Policy": policy},
    )
    violations: list[str] = []
    page.on("console", lambda message: violations.append(message.text) if message.type == "error" else None)
    page.goto(f"{site.url}/factures/42")
    ask(page, "Comment ajouter une remise ?")
    finish_the_tour(page)
    expect(part(page, "rating")).to_be_visible()
    assert violations == []


@pytest.mark.parametrize(
    ("attribute", "selector"),
    [
        ("id='a:b'", "#a\\:b"),
        ("id='2.x'", "#\\32 \\.x"),
        ("name='a\"b\\c'", '[name="a\\"b\\\\c"]'),
        ("data-testid='é>>>\u00a0#'", '[data-testid="é\\>\\>\\>\u00a0#"]'),
    ],
)
def test_a_selector_comes_unchanged_through_the_answer_and_through_a_reload(
    open_page: OpenPage, server: CircuyServer, attribute: str, selector: str
) -> None:
    (step,) = TOUR["steps"]
    steps = [{**step, "attachTo": {**step["attachTo"], "element": selector}, "fallback_selector": ""}]
    server.replies["/v1/ai/ask"] = Reply({"question_id": "q1", **TOUR, "steps": steps})
    page = open_page(f"<p>Facture</p><button {attribute}>Payer</button>")
    ask(page, "Comment payer ?")
    expect(part(page, "spotlight")).to_be_visible()
    page.reload()
    expect(part(page, "step-dialog")).to_be_visible()
    expect(part(page, "spotlight")).to_be_visible()
    expect(part(page, "step-missing")).to_have_count(0)
