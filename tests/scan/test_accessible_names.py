"""Names and roles as the standards have them, in Chromium: ours, and those that Chromium itself gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page

from bench.names.chromium_tree import heard_in
from tests.scan.conftest import document_of
from tests.scan.scanning import evaluate

SITUATIONS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "accessible_names.json").read_text(encoding="utf-8")
)
# What is only there to structure a page has a role in Chromium, and none in a scan.
STRUCTURE = {None, "group", "table", "figure", "Iframe", "status", "meter"}


def _element(selector: str) -> str:
    host, _, inside = selector.partition(" >>> ")
    found = f"document.querySelector({json.dumps(host)})"
    return f"{found}.shadowRoot.querySelector({json.dumps(inside)})" if inside else found


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """One page for all situations, which are many and small."""
    context = browser.new_context(locale="fr-FR")
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def tree(tab: Page) -> CDPSession:
    """What Chromium tells screen readers of that page."""
    return tab.context.new_cdp_session(tab)


@pytest.mark.parametrize("situation", SITUATIONS, ids=[situation["id"] for situation in SITUATIONS])
def test_an_element_is_called_what_the_standard_calls_it(site, tab, tree, situation):
    site.put("/situation", document_of(situation["html"]))
    tab.goto(f"{site.url}/situation")
    element = _element(situation["selector"])
    assert evaluate(tab, f"CircuyScan.reader().nameOf({element})") == situation["name"]

    handle = tree.send("Runtime.evaluate", {"expression": element})["result"]["objectId"]
    nodes = tree.send("Accessibility.getPartialAXTree", {"objectId": handle, "fetchRelatives": False})["nodes"]
    (heard,) = heard_in(nodes).values()
    if "reason" in situation:
        # Once Chromium agrees, the reason is stale.
        assert heard.name != situation["name"]
    else:
        assert heard.name == situation["name"]
    if situation["role"] is None and "role_reason" not in situation:
        assert heard.role in STRUCTURE
    else:
        assert (heard.role == situation["role"]) is ("role_reason" not in situation)


def test_a_closed_part_is_named_as_it_will_be_when_it_is_open(open_page):
    page = open_page(
        "<style>i { display: none }</style><details><summary>Plus</summary>"
        "<a id=t href=/>Lire <b>la suite</b><i>jamais</i><span hidden>caché</span></a></details>"
    )
    read = "CircuyScan.reader().nameOf(document.querySelector('#t'))"
    assert evaluate(page, read) == "Lire la suite"
    page.locator("summary").click()
    assert evaluate(page, read) == "Lire la suite"


def test_generated_words_are_read_too_where_style_sheets_may_not_be(open_page, tmp_path):
    page = open_page("<button id=t>x</button>")
    page.route(
        "https://elsewhere.test/*",
        lambda route: route.fulfill(body="#t::after { content: ' suite' }", content_type="text/css"),
    )
    page.evaluate(
        "new Promise((resolve) => { const link = document.createElement('link'); link.rel = 'stylesheet';"
        "link.href = 'https://elsewhere.test/a.css'; link.onload = resolve; document.head.append(link); })"
    )
    assert (
        evaluate(page, "(() => { try { return document.styleSheets[0].cssRules.length } catch { return null } })()")
        is None
    )
    assert evaluate(page, "CircuyScan.reader().nameOf(document.querySelector('#t'))") == "x suite"


def test_what_is_marked_as_private_is_in_no_name(open_page):
    page = open_page(
        "<div data-circuy-mask><p id=x>Durand</p></div><button id=t aria-labelledby='y x'>z</button><i id=y>Client</i>"
        "<a id=u href=/ aria-owns=x>Voir <b data-circuy-mask>Durand</b></a>"
        "<input id=v><div data-circuy-mask><label for=v>Durand</label></div>"
    )
    for selector, name in (("#t", "Client"), ("#u", "Voir"), ("#v", "")):
        assert evaluate(page, f"CircuyScan.reader().nameOf(document.querySelector('{selector}'))") == name
