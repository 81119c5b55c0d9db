"""What a person sees of Circuy in a page, and does with it, whatever the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browsers.drivers import KEYS, Driver, until
from tests.scan.site import Site

Json = dict[str, Any]

# Finds parts of ours by their hook, in whatever shadow root of ours they are; ` >>> ` enters the page's own ones.
_FIND = """
const ours = (hook) => [...document.querySelectorAll('circuy-tour, circuy-widget')]
    .map((host) => host.shadowRoot?.querySelector(`[data-circuy=${hook}]`)).find((one) => one) ?? null;
const theirs = (selector) => selector.split(' >>> ').reduce(
    (tree, part) => { const one = tree?.querySelector(part); return one?.shadowRoot ?? one?.contentDocument ?? one; },
    document);
const isSeen = (one) =>
    one !== null && one.getClientRects().length > 0 && getComputedStyle(one).visibility === 'visible';
const boxOf = (one) => { const { left, top, right, bottom } = one.getBoundingClientRect();
    return { left, top, right, bottom }; };
"""


class Screen:
    """One browser's window."""

    def __init__(self, driver: Driver, site: Site, document_of: Callable[..., str]) -> None:
        self.driver = driver
        self.site = site
        self._document_of = document_of

    def open(self, html: str, path: str = "/page", csp: str | None = None) -> None:
        """Open a page whose body is `html`, with the guides' player in it."""
        policy = {} if csp is None else {"Content-Security-Policy": csp}
        self.site.put(path, self._document_of(html), **policy)
        self.driver.go(self.site.url + path)
        until(lambda: self.run("return window.player !== undefined"), "the player")

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.run(_FIND + script, *arguments)

    def start(self, *steps: Json) -> None:
        guide = {"tour_id": None, "status": "published", "source": "published", "title": "Un guide", "steps": steps}
        self.run("player.start(arguments[0])", guide)

    def text(self, hook: str) -> str:
        """The words of a part of ours; "" when it cannot be seen."""
        return str(self.run("const one = ours(arguments[0]); return isSeen(one) ? one.textContent : ''", hook))

    def expect_text(self, hook: str, words: str) -> None:
        until(lambda: words in self.text(hook), f"{words!r} in {hook}")

    def expect_gone(self, hook: str) -> None:
        until(lambda: not self.run("return isSeen(ours(arguments[0]))", hook), f"{hook} to leave")

    def expect_ring_around(self, selector: str) -> None:
        """The ring frames this element, and the card does not cover it."""
        script = """
            const ring = ours('spotlight'), card = ours('step-dialog')?.querySelector('.shepherd-content');
            if (!isSeen(ring) || !card) return false;
            const [spot, box, over] = [boxOf(ring), boxOf(theirs(arguments[0])), boxOf(card)];
            const near = (a, b) => Math.abs(a - b) < 7;
            return ['left', 'top', 'right', 'bottom'].every((side) => near(spot[side], box[side]))
                && !(over.right > box.left + 1 && over.left < box.right - 1
                     && over.bottom > box.top + 1 && over.top < box.bottom - 1);
        """
        until(lambda: self.run(script, selector), f"the ring around {selector}")

    def click(self, hook: str) -> None:
        """Click a part of ours, where it is seen."""
        self._click(f"ours({hook!r})", hook)

    def click_on_page(self, selector: str) -> None:
        self._click(f"theirs({selector!r})", selector)

    def press(self, *names: str) -> None:
        self.driver.type("".join(KEYS[name] for name in names))

    def focused(self) -> str:
        """The hook, id or tag of the element that has the focus, in our shadow roots too."""
        script = """
            let one = document.activeElement;
            while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
            return one?.dataset?.circuy || one?.id || one?.localName || '';
        """
        return str(self.run(script))

    def _click(self, element: str, said: str) -> None:
        middle = f"""
            const one = {element};
            if (!one || !isSeen(one)) return null;
            const {{ left, top, right, bottom }} = boxOf(one);
            const [x, y] = [(left + right) / 2, (top + bottom) / 2];
            let over = document.elementFromPoint(x, y);
            while (over?.shadowRoot?.elementFromPoint(x, y)) {{
                const inner = over.shadowRoot.elementFromPoint(x, y);
                if (inner === over) break;
                over = inner;
            }}
            return over === one || one.contains(over) ? [Math.round(x), Math.round(y)] : null;
        """
        x, y = until(lambda: self.run(middle), f"{said} to be reached by a click")
        self.driver.click_at(x, y)
