"""Guides on pages of known applications, under the pages' own style sheets.

The pages are not part of this repository: without them these tests are skipped.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from bench.browser.corpus import QUESTIONS, question_pages
from tests.scan.site import Site
from tests.tour.guiding import events, expect_nothing_left, expect_step_on, press_next, start, step

TARGETS_A_PAGE = 4
PAGES = [page.name for page in question_pages()]

pytestmark = pytest.mark.skipif(
    not PAGES, reason=f"no pages at {QUESTIONS.parent}: set CORPUS to the folder that holds questions/"
)

# Fields and buttons far from each other, as the scanner describes them, each marked with its number.
_SOME_TARGETS = """async (count) => {
    const { payload, elements } = await CircuyScan.scan();
    const open = payload.nodes.filter((node) => !node.state?.closed && !node.state?.disabled
        && ['input', 'select', 'textarea', 'button'].includes(node.tag));
    const every = Math.max(1, Math.floor(open.length / count));
    const some = open.filter((_, index) => index % every === 0).slice(0, count);
    some.forEach((node, index) => { elements.get(node.id).setAttribute('data-target', index); });
    return some;
}"""

# Everything computed of every element that is shown on the page, as one number. (What a closed part holds is laid out
# only when somebody asks how large it is.)
_STYLES = """() => {
    let sum = 0;
    for (const element of document.querySelectorAll('html, body, body *')) {
        if (element.localName.startsWith('circuy-') || !element.checkVisibility()) continue;
        const style = getComputedStyle(element);
        for (const name of ['display', 'position', 'color', 'background-color', 'font', 'margin', 'padding', 'width',
            'height', 'overflow', 'z-index', 'outline', 'opacity', 'visibility', 'cursor', 'transform']) {
            for (const char of style.getPropertyValue(name)) sum = (sum * 31 + char.charCodeAt(0)) | 0;
        }
    }
    return sum;
}"""


@pytest.fixture(scope="session")
def applications(site: Site) -> Site:
    """The same site, with the applications' pages on it."""
    site.put_folder("/pages", QUESTIONS / "pages")
    return site


@pytest.mark.parametrize("name", PAGES)
def test_a_guide_stands_on_its_fields_and_leaves_the_page_as_it_was(browser, applications, name):
    # Without `faults`: these pages were saved without some of their scripts, and say so on the console.
    context = browser.new_context(locale="fr-FR", viewport={"width": 1280, "height": 900})
    page = opened(context.new_page(), f"{applications.url}/{name}")
    targets = page.evaluate(_SOME_TARGETS, TARGETS_A_PAGE)
    assert targets
    page.mouse.move(0, 0)
    before = page.evaluate("document.body.outerHTML"), page.evaluate(_STYLES)
    start(page, *(learnt(target) for target in targets))
    for number in range(len(targets)):
        expect_step_on(page, f"[data-target='{number}']")
        press_next(page)
    expect_nothing_left(page)
    # The page answers the pointer, and what comes under it: both have followed the guide, and go back.
    page.evaluate("window.scrollTo({ top: 0, behavior: 'instant' })")
    page.mouse.move(1, 1)
    page.mouse.move(0, 0)
    assert events(page, "target_missing", "fallback_used", "healed") == []
    assert (page.evaluate("document.body.outerHTML"), page.evaluate(_STYLES)) == before
    context.close()


def opened(page: Page, address: str) -> Page:
    page.goto(address, wait_until="load")
    page.add_script_tag(url="/circuy/circuy-scan.js")
    page.add_script_tag(url="/player.js", type="module")
    page.wait_for_function("window.player !== undefined")
    return page


def learnt(node: dict[str, Any]) -> dict[str, Any]:
    return step(node["selector"], fallback=node.get("fallbackSelector", ""), fingerprint=node["fingerprint"])
