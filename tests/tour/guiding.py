"""Starting guides on a page, and what people see of them."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

Json = dict[str, Any]

_BOXES = """selector => {
    const inPage = (selector) => {
        let tree = document, dx = 0, dy = 0, found = null;
        for (const part of selector.split(' >>> ')) {
            if (found !== null) {
                tree = found.shadowRoot ?? found.contentDocument;
                if (found.contentDocument) {
                    const box = found.getBoundingClientRect();
                    dx += box.left + found.clientLeft;
                    dy += box.top + found.clientTop;
                }
            }
            found = tree.querySelector(part);
            if (found === null) return null;
        }
        const box = found.getBoundingClientRect();
        return { left: box.left + dx, top: box.top + dy, right: box.right + dx, bottom: box.bottom + dy };
    };
    const root = document.querySelector('circuy-tour')?.shadowRoot ?? [...document.querySelectorAll('*')]
        .map(one => one.shadowRoot?.querySelector('circuy-tour')?.shadowRoot).find(Boolean);
    const ring = root?.querySelector('[data-circuy=spotlight]');
    const card = root?.querySelector('.shepherd-content')?.getBoundingClientRect();
    if (!ring || !card) return false;
    const spot = ring.getBoundingClientRect();
    const box = inPage(selector);
    if (box === null) return false;
    const near = (a, b) => Math.abs(a - b) < 7;
    return getComputedStyle(ring).visibility === 'visible' && near(spot.left, box.left) && near(spot.top, box.top)
        && near(spot.right, box.right) && near(spot.bottom, box.bottom)
        && !(card.right > box.left + 1 && card.left < box.right - 1
             && card.bottom > box.top + 1 && card.top < box.bottom - 1);
}"""


def step(selector: str, text: str = "Faites ceci.", **more: Any) -> Json:
    """One step about `selector`; `on`, `fallback`, `buttons` and all that a step may have besides."""
    return {
        "attachTo": {"element": selector, "on": more.pop("on", "bottom")},
        "fallback_selector": more.pop("fallback", ""),
        "title": more.pop("title", f"À propos de {selector}"),
        "text": text,
        "buttons": more.pop("buttons", [{"text": "Retour", "action": "back"}, {"text": "Suivant", "action": "next"}]),
        **more,
    }


def guide(*steps: Json, title: str = "Un guide", status: str = "published") -> Json:
    return {"tour_id": None, "status": status, "source": "published", "title": title, "steps": list(steps)}


def start(page: Page, *steps: Json) -> None:
    page.evaluate("guide => { player.start(guide); }", guide(*steps))


def learn(page: Page, label: str, **more: Any) -> Json:
    """The step that the scanner's view of the element with this label gives, with all that it noted of it."""
    page.add_script_tag(url="/circuy/circuy-scan.js")
    nodes = page.evaluate("CircuyScan.scan().then(({ payload }) => payload.nodes)")
    (node,) = [node for node in nodes if node.get("label") == label]
    return step(
        node["selector"],
        fallback=node.get("fallbackSelector", ""),
        fingerprint=node["fingerprint"],
        **more,
    )


def part(page: Page, name: str) -> Locator:
    """A part of Circuy's own interface."""
    return page.locator(f"[data-circuy={name}]")


def card(page: Page) -> Locator:
    return part(page, "step-dialog")


def expect_step_on(page: Page, selector: str) -> None:
    """
    The card is there, the ring is around this element, and the card does not cover it. ` >>> ` goes into a shadow
    root or a frame.
    """
    expect(card(page)).to_be_visible()
    page.wait_for_function(_BOXES, arg=selector)


def expect_apart(page: Page, words: str) -> None:
    """The card stands by itself and says these words; nothing on the page is pointed at."""
    expect(part(page, "step-missing")).to_contain_text(words)
    expect(part(page, "spotlight")).to_be_hidden()


def expect_nothing_left(page: Page) -> None:
    expect(page.locator("circuy-tour")).to_have_count(0)


def events(page: Page, *kinds: str) -> list[Json]:
    """What was reported, of these kinds."""
    return [event for event in page.evaluate("player.events") if event["type"] in kinds]


def press_next(page: Page) -> None:
    part(page, "step-next").click()


def middle_of(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
