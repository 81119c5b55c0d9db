"""What a page's own code can do with `Circuy`, and what it never has to fear from it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.widget.acting import call, finish_the_tour, open_panel, part, until
from tests.widget.circuy_server import NOTHING, TOUR, CircuyServer, Reply
from tests.widget.conftest import KEY, SDK, OpenPage

# The snippet of docs/integrating.md.
SNIPPET = (SDK.parent / "docs" / "integrating.md").read_text().split("<!-- snippet -->")[1].split("```")[1][3:]


def test_calls_made_before_the_script_came_are_done_in_their_order(open_page: OpenPage, server: CircuyServer) -> None:
    early = """
        window.heard = [];
        Circuy.on('ready', () => heard.push('ready'));
        Circuy.init({ key: 'pk_early', user: { id: 'camille', hash: 'ab' } });
        Circuy.on('asked', ({ question }) => heard.push(question));
        Circuy.ask('Comment ajouter une remise ?').then((answer) => heard.push(answer.title));
        Circuy.nonsense;
    """
    page = open_page(attributes="", snippet=SNIPPET, early=early)
    expect(part(page, "step-dialog")).to_be_visible()
    assert call(page, "heard") == ["ready", "Comment ajouter une remise ?", "Ajouter une remise"]
    (asked,) = server.asked("/v1/ai/ask")
    assert asked.headers["Authorization"] == "Bearer pk_early"
    assert asked.body["user"] == {"id": "camille", "hash": "ab"}


def test_an_early_init_takes_the_place_of_the_tags(open_page: OpenPage, server: CircuyServer) -> None:
    page = open_page(snippet=SNIPPET, early="Circuy.init({ key: 'pk_early' })")
    expect(part(page, "launcher")).to_be_visible()
    assert [asked.headers["Authorization"] for asked in server.asked("/v1/widget")] == ["Bearer pk_early"]


def test_a_second_script_changes_nothing(open_page: OpenPage, server: CircuyServer) -> None:
    page = open_page(head=f'<script src="{server.url}/static/circuy/circuy.js" data-key={KEY} async></script>')
    expect(part(page, "launcher")).to_have_count(1)
    assert len(server.asked("/v1/widget")) == 1


def test_wrong_options_get_one_error_that_names_them_and_the_page_lives(open_page: OpenPage, faults: list[str]) -> None:
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    call(page, "Circuy.init({ key: 'pk_1', locale: 3, hideOn: '/pay', colour: 'red' })")
    (fault,) = faults
    assert fault.startswith("Circuy.init: ")
    for name in ("locale: ", "hideOn: ", "colour: "):
        assert name in fault
    expect(part(page, "launcher")).to_be_visible()
    faults.clear()
    call(page, "Circuy.init({ key: 'sk_live_1' })")
    assert [fault[:44] for fault in faults] == ["Circuy.init: key: give the publishable key, "]
    faults.clear()


WRONG_CALLS = [
    ("ask()", None),
    ("ask({})", None),
    ("handleUserQuestion('')", None),
    ("startTour()", "failed"),
    ("startTour({ steps: 3 })", "failed"),
    ("record()", None),
    ("scan()", None),
    ("consent('no')", None),
    ("on('nope', () => 0)()", None),
    ("on('ready')()", None),
]


@pytest.mark.parametrize(("wrong", "result"), WRONG_CALLS)
def test_a_wrong_call_is_one_sentence_in_the_console(
    open_page: OpenPage, faults: list[str], wrong: str, result: Any
) -> None:
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    assert call(page, f"Circuy.{wrong}") == result
    assert [fault.partition(": ")[0] for fault in faults] == [
        f"Circuy.{wrong}".partition("(")[0].replace("handleUserQuestion", "ask")
    ]
    faults.clear()


@pytest.mark.parametrize("early", ["ask('Où ?')", "open()", "close()", "startTour('t')", "guides()", "record('c')"])
def test_calls_without_init_say_what_is_missing(open_page: OpenPage, faults: list[str], early: str) -> None:
    page = open_page(attributes="data-nothing")
    call(
        page,
        f"new Promise(go => {{ const wait = () => window.Circuy ? go(Circuy.{early}) : setTimeout(wait, 9); wait() }})",
    )
    expected = [] if early == "close()" else [f"Circuy.{early.partition('(')[0]}: call Circuy.init({{ key }}) first."]
    assert faults == expected
    faults.clear()


def test_asking_from_code_gives_the_answer_and_starts_the_guide(open_page: OpenPage, server: CircuyServer) -> None:
    page = open_page()
    answer = call(page, "Circuy.ask('Comment ajouter une remise ?')")
    assert answer["title"] == "Ajouter une remise"
    expect(part(page, "step-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    assert call(page, "Circuy.handleUserQuestion('Encore ?')") is None
    assert server.asked("/v1/ai/ask")[-1].body == {
        "question": "Encore ?",
        "route": "/factures/42",
        "page_title": "Facture",
        "locale": "fr",
        "visitor": "visitor-token",
    }


def test_a_failed_answer_is_null_and_an_event_never_an_exception(
    open_page: OpenPage, server: CircuyServer, faults: list[str]
) -> None:
    server.replies["/v1/ai/ask"] = Reply({"code": "identity_invalid", "detail": "Signature refusée."}, 403)
    page = open_page()
    call(page, "(window.codes = [], Circuy.on('failed', ({ code }) => codes.push(code)), 0)")
    assert call(page, "Circuy.ask('Où ?')") is None
    expect(part(page, "error")).to_contain_text("Signature refusée.")
    assert call(page, "codes") == ["identity_invalid"]
    assert call(page, "Circuy.startTour('unknown')") == "failed"
    assert all("Failed to load resource" in fault for fault in faults)
    faults.clear()


def test_a_guide_can_be_listed_and_started_by_its_id(open_page: OpenPage, server: CircuyServer) -> None:
    guide = {"tour_id": TOUR["tour_id"], "title": "Ajouter une remise", "steps_count": 1}
    server.replies["/v1/tours"] = Reply({"tours": [guide], "suggestions": []})
    page = open_page()
    assert call(page, "Circuy.guides('/clients')") == [guide]
    assert server.asked("/v1/tours")[0].query["route"] == ["/clients"]
    page.evaluate(f"() => {{ Circuy.startTour('{TOUR['tour_id']}').then((end) => {{ window.end = end; }}); }}")
    finish_the_tour(page)
    assert until(lambda: call(page, "window.end"), page) == "completed"


def test_listeners_hear_until_they_leave(open_page: OpenPage, server: CircuyServer) -> None:
    server.replies["/v1/ai/ask"] = Reply({"question_id": "q1", **NOTHING})
    page = open_page()
    page.evaluate(
        """async () => {
            window.heard = [];
            const keep = (name) => () => heard.push(name);
            const [opened, asked] = [keep('opened'), keep('asked')];
            Circuy.on('opened', opened);
            Circuy.on('asked', asked);
            const stop = Circuy.on('closed', keep('closed'));
            await Circuy.open(); await Circuy.ask('Où ?'); await Circuy.close();
            Circuy.off('opened', opened); Circuy.off('asked', asked); stop();
            await Circuy.open(); await Circuy.ask('Où ?'); await Circuy.close();
        }"""
    )
    assert call(page, "heard") == ["opened", "asked", "closed"]


def traces(page: Page, context: BrowserContext) -> dict[str, Any]:
    """What a script can leave behind: markup, style sheets, listeners of the window and the document, globals."""
    session = context.new_cdp_session(page)
    listeners = {}
    for name in ("window", "document", "document.documentElement", "document.body", "window.navigation"):
        found = session.send("Runtime.evaluate", {"expression": name})["result"]["objectId"]
        kinds = session.send("DOMDebugger.getEventListeners", {"objectId": found})["listeners"]
        listeners[name] = sorted(listener["type"] for listener in kinds)
    session.detach()
    return {
        "listeners": listeners,
        "markup": page.evaluate("document.documentElement.outerHTML"),
        "sheets": page.evaluate("document.adoptedStyleSheets.length"),
        "globals": page.evaluate("Object.getOwnPropertyNames(window).filter((name) => !/^\\d+$/.test(name)).sort()"),
        "styles": page.evaluate(
            "[...document.querySelectorAll('*')].filter((e) => !e.localName.startsWith('circuy-'))"
            ".map((e) => JSON.stringify({...getComputedStyle(e)}))"
        ),
    }


def test_nothing_of_the_page_looks_different_with_it_and_shutdown_leaves_the_page_as_it_was(
    open_page: OpenPage, context: BrowserContext
) -> None:
    page = open_page(attributes="data-nothing")
    until(lambda: call(page, "!!window.Circuy"), page)
    before = traces(page, context)
    call(page, "Circuy.init({ key: 'pk_1' })")
    open_panel(page)
    assert traces(page, context)["styles"] == before["styles"]
    call(page, "Circuy.ask('Comment ajouter une remise ?')")
    expect(part(page, "step-dialog")).to_be_visible()
    call(page, "Circuy.shutdown()")
    expect(page.locator("circuy-widget, circuy-tour")).to_have_count(0)
    after = traces(page, context)
    assert {**after, "globals": []} == {**before, "globals": []}
    assert set(after["globals"]) - set(before["globals"]) == set()


def test_a_shutdown_while_it_loads_leaves_nothing(open_page: OpenPage, server: CircuyServer) -> None:
    server.replies["/v1/widget"] = Reply(server.replies["/v1/widget"].body, after_s=0.3)
    page = open_page()
    until(lambda: server.asked("/v1/widget"), page)
    call(page, "Circuy.shutdown()")
    page.wait_for_timeout(600)
    assert page.locator("circuy-widget").count() == 0
    call(page, f"Circuy.init({{ key: '{KEY}' }})")
    expect(part(page, "launcher")).to_have_count(1)


def test_only_somebody_who_records_may_scan(open_page: OpenPage, server: CircuyServer) -> None:
    page = open_page("<h1>Facture</h1><p>Client CLI-2041</p><button id=envoyer>Envoyer à CLI-2041</button>")
    expect(part(page, "launcher")).to_be_visible()
    page.evaluate("() => { Circuy.record('code-1'); }")
    expect(part(page, "submit-scan")).to_be_visible()
    expect(page.locator("circuy-widget")).to_have_count(0)
    assert server.asked("/v1/recorder/sessions")[0].body == {"code": "code-1"}
    scanned = call(page, "Circuy.scan()")
    (button,) = [node for node in scanned["nodes"] if node["tag"] == "button"]
    assert button["label"] == "Envoyer à [SENSITIVE]"
    call(page, "Circuy.shutdown()")
    expect(page.locator("circuy-recorder")).to_have_count(0)
    call(page, f"Circuy.init({{ key: '{KEY}' }})")
    expect(part(page, "submit-scan")).to_be_visible()
    part(page, "quit").click()
    expect(part(page, "launcher")).to_be_visible()


def test_the_npm_package_is_a_module_that_starts_when_told(open_page: OpenPage, server: CircuyServer) -> None:
    page = open_page("<h1>Facture</h1><input id=remise name=remise>", attributes="data-nothing")
    page.evaluate(f"async () => {{ window.npm = (await import('{server.url}/static/dist/index.js')).default; }}")
    assert call(page, "npm.version") == call(page, "Circuy.version")
    assert page.locator("circuy-widget").count() == 0
    call(page, f"npm.init({{ key: 'pk_npm', server: '{server.url}' }})")
    call(page, "npm.handleUserQuestion('Comment ajouter une remise ?')")
    expect(part(page, "step-dialog")).to_be_visible()
    assert server.asked("/v1/ai/ask")[0].headers["Authorization"] == "Bearer pk_npm"
    assert server.asked("/v1/ai/ask")[0].headers["Origin"] != server.url
