"""The page cannot reach in, the guide does not leak out, and nothing of it stays."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.scan.site import SCRIPT
from tests.tour.conftest import ROOT
from tests.tour.guiding import card, expect_nothing_left, expect_step_on, part, press_next, start, step

PAGE = (
    "<header><h1>Commandes</h1></header><main><button id=x>Exporter</button><a href='#a'>Lien</a>"
    "<input aria-label=Nom><select><option>Un</select></main><footer><button id=y>Suite</button></footer>"
)

# Everything computed, of every element of the page but ours.
_STYLES = """() => [...document.querySelectorAll('html, body, body *')]
    .filter((element) => !element.localName.startsWith('circuy-'))
    .map((element) => [element.localName, ...[...getComputedStyle(element)].map((name) =>
        `${name}:${getComputedStyle(element).getPropertyValue(name)}`)].join(';'))"""

_LOOKS = """card => ['.shepherd-content', '.shepherd-title', '.shepherd-text', '.shepherd-button', '.icon-button']
    .map((selector) => card.querySelector(selector)).map((element) => {
        const { display, color, backgroundColor, fontSize, fontFamily, paddingLeft, lineHeight, textTransform,
            letterSpacing, opacity, visibility, cursor } = getComputedStyle(element);
        const { width, height } = element.getBoundingClientRect();
        return [display, color, backgroundColor, fontSize, fontFamily, paddingLeft, lineHeight, textTransform,
            letterSpacing, opacity, visibility, cursor, Math.round(width), Math.round(height)].join(' ');
    })"""


def settle(page: Page) -> None:
    """Nothing is hovered, and the card has come in."""
    page.mouse.move(900, 800)
    card(page).evaluate("card => Promise.all(card.getAnimations({ subtree: true }).map(({ finished }) => finished))")


def test_the_styles_of_the_page_are_the_same_before_during_and_after(open_page):
    page = open_page(PAGE)
    before = page.evaluate(_STYLES)
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    page.mouse.move(700, 700)
    assert page.evaluate(_STYLES) == before
    press_next(page)
    expect_step_on(page, "#y")
    page.mouse.move(700, 700)
    assert page.evaluate(_STYLES) == before
    part(page, "step-cancel").click()
    expect_nothing_left(page)
    assert page.evaluate(_STYLES) == before


@pytest.mark.parametrize(
    "css",
    [
        "button{display:none!important} #x{display:inline-block!important}",
        "*{all:unset!important} head,script,style,title{display:none!important}",
        "*{color:red!important;font:9px serif!important;text-transform:uppercase!important;opacity:.3!important;"
        "transform:rotate(4deg)!important;filter:blur(2px)!important;letter-spacing:1em!important}"
        " #x,html,body,main{transform:none!important}",
        "circuy-tour{display:none!important;visibility:hidden!important;position:static!important;zoom:3!important}"
        " [popover]{inset:auto!important;padding:5em!important} ::backdrop{background:black!important}",
        ".card,.button,.root,.shepherd-element{display:none!important} h2{font-size:99px!important}",
    ],
)
def test_no_style_of_the_page_reaches_the_card(open_page, css):
    plain = open_page(PAGE, path="/plain")
    start(plain, step("#x"))
    expect_step_on(plain, "#x")
    settle(plain)
    expected = card(plain).evaluate(_LOOKS)
    plain.close()
    page = open_page(PAGE, head=f"<style>{css}</style>")
    start(page, step("#x"))
    expect(card(page)).to_be_visible()
    settle(page)
    assert card(page).evaluate(_LOOKS) == expected
    part(page, "step-cancel").click()
    expect_nothing_left(page)


def test_everything_stands_in_one_shadow_root_under_the_agreed_class(open_page):
    page = open_page(PAGE)
    start(page, step("#x"))
    expect_step_on(page, "#x")
    found = page.evaluate(
        """() => {
            const ours = [...document.querySelectorAll('*')].filter((one) => one.localName.startsWith('circuy-'));
            const [host] = ours;
            return { hosts: ours.length, inside: host.childElementCount,
                themed: host.shadowRoot.querySelector('.shepherd-element').matches('.circuy-shepherd-theme *'),
                named: host.shadowRoot.querySelector('.shepherd-element').classList.contains('circuy-shepherd-theme'),
                sheets: host.shadowRoot.adoptedStyleSheets.length,
                inline: host.shadowRoot.querySelectorAll('style').length,
                pageSheets: document.styleSheets.length + document.adoptedStyleSheets.length };
        }"""
    )
    assert found == {
        "hosts": 1,
        "inside": 0,
        "themed": True,
        "named": True,
        "sheets": 2,
        "inline": 0,
        "pageSheets": 0,
    }


def test_the_page_is_touched_by_nothing_but_the_host_coming_and_going(open_page):
    page = open_page(PAGE)
    before = page.evaluate("document.documentElement.outerHTML")
    page.evaluate(
        """() => {
            window.touched = [];
            new MutationObserver((records) => records.forEach((record) => {
                const { type, target, attributeName } = record;
                const nodes = [...record.addedNodes, ...record.removedNodes];
                const isHost = target.localName === 'circuy-tour'
                    || (nodes.length > 0 && nodes.every((node) => node.localName === 'circuy-tour'));
                if (!isHost) touched.push([type, target.localName, attributeName]);
            })).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        }"""
    )
    start(page, step("#x"), step("#gone"), step("#y"))
    expect_step_on(page, "#x")
    press_next(page)
    expect(part(page, "step-missing")).to_be_visible()
    press_next(page)
    expect_step_on(page, "#y")
    press_next(page)
    expect_nothing_left(page)
    assert page.evaluate("touched") == []
    assert page.evaluate("document.documentElement.outerHTML") == before


def test_the_prototypes_and_globals_of_the_page_stay_as_they_are(open_page):
    look = """() => [Object.getOwnPropertyNames(window).sort().join(), history.pushState.toString(),
        ...[Element, HTMLElement, Node, History, Event, Array, Object, EventTarget].map((one) =>
            Object.getOwnPropertyNames(one.prototype).sort().join())]"""
    page = open_page(PAGE)
    before = page.evaluate(look)
    start(page, step("#x"))
    expect_step_on(page, "#x")
    part(page, "step-cancel").click()
    expect_nothing_left(page)
    assert page.evaluate(look) == before


@pytest.mark.parametrize(
    "policy",
    [
        "default-src 'self'",
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'none'; trusted-types 'none'; "
        "require-trusted-types-for 'script'",
    ],
)
def test_the_strictest_policies_are_met_without_a_violation(open_page, policy):
    page = open_page("<main><button>Un</button></main><button id=x>X</button>", csp=policy)
    page.evaluate(
        "window.violations = [];"
        "document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))"
    )
    start(page, step("#gone", "Du **gras**."), step("#x"))
    expect(part(page, "step-missing")).to_be_visible()
    press_next(page)
    expect_step_on(page, "#x")
    press_next(page)
    expect_nothing_left(page)
    assert page.evaluate("violations") == []


def test_a_shepherd_of_the_page_s_own_runs_beside_ours_unharmed(open_page, site):
    library = ROOT / "sdk/node_modules/shepherd.js/dist/esm/shepherd.mjs"
    if not library.is_file():
        pytest.skip("the SDK's packages are not installed: run `make sdk`")
    site.put("/shepherd.js", library.read_text(encoding="utf-8"), SCRIPT)
    page = open_page(
        PAGE + "<script type=module>import Shepherd from '/shepherd.js';"
        "window.theirs = new Shepherd.Tour({ useModalOverlay: true, steps: [{ id: 'a', title: 'Leur étape',"
        " text: 'À eux', attachTo: { element: '#y', on: 'top' } }] }); theirs.start();</script>"
    )
    expect(page.locator("body > .shepherd-element")).to_be_visible()
    start(page, step("#x"))
    expect_step_on(page, "#x")
    part(page, "step-cancel").click()
    expect_nothing_left(page)
    expect(page.locator("body > .shepherd-element")).to_be_visible()
    expect(page.locator(".shepherd-modal-overlay-container")).to_have_count(1)
    assert page.evaluate("theirs.isActive()") is True
