"""Scanning an open page, and looking up what came out."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

# The page may have replaced what a script is used to have: nothing of it is used here but syntax.
_SCAN = """(async () => {
    const scanned = await CircuyScan.scan(%s);
    const lines = [];
    scanned.lines.forEach((line, id) => { lines[lines.length] = { id, line }; });
    return { payload: scanned.payload, stats: scanned.stats, lines };
})()"""

# A selector of a scan, read by its own rules: each ` >>> ` goes into an open shadow root or a frame of this site.
_FIND = """((selector) => {
    if (selector === '') return 'there is no such selector';
    let root = document;
    let found = null;
    for (const part of selector.split(' >>> ')) {
        const matches = root.querySelectorAll(part);
        if (matches.length !== 1) return `${matches.length} elements match ${part} in ${selector}`;
        found = matches[0];
        root = found.shadowRoot ?? found.contentDocument;
    }
    return found;
})"""


@dataclass(frozen=True)
class Scan:
    """What a scan gave."""

    payload: dict[str, Any]
    stats: dict[str, Any]
    lines: dict[str, str]

    @property
    def nodes(self) -> list[dict[str, Any]]:
        return list(self.payload["nodes"])

    @property
    def labels(self) -> list[str | None]:
        return [node.get("label") for node in self.nodes]

    @property
    def text(self) -> str:
        """All that could leave the page, as it would leave."""
        return json.dumps([self.payload, self.lines], ensure_ascii=False)

    def around(self, word: str) -> list[str]:
        """Each place where `word` would leave the page, with what stands around it."""
        return [self.text[max(0, at.start() - 40) : at.end() + 20] for at in re.finditer(re.escape(word), self.text)]

    def node(self, label: str) -> dict[str, Any]:
        """The only node with this label."""
        (node,) = [node for node in self.nodes if node.get("label") == label]
        return node

    def of_tag(self, tag: str) -> dict[str, Any]:
        """The only node with this tag."""
        (node,) = [node for node in self.nodes if node["tag"] == tag]
        return node


def evaluate(page: Page, expression: str) -> Any:
    """
    The value of `expression` in the page's main world, whatever the page did to its prototypes and whatever its policy
    forbids: the browser itself evaluates and serializes, no script of the test's does. Raises when it throws.
    """
    session = page.context.new_cdp_session(page)
    answer = session.send("Runtime.evaluate", {"expression": expression, "awaitPromise": True, "returnByValue": True})
    session.detach()
    details = answer.get("exceptionDetails")
    if details is not None:
        raise AssertionError(details.get("exception", {}).get("description") or details.get("text"))
    return answer["result"].get("value")


def scan(page: Page, **options: Any) -> Scan:
    """Scan the page with the script that it loaded."""
    answer = evaluate(page, _SCAN % json.dumps(options))
    return Scan(answer["payload"], answer["stats"], {line["id"]: line["line"] for line in answer["lines"]})


def finds(page: Page, selector: str, mark: str) -> Any:
    """True when `selector` finds one element, the one that carries the attribute `mark`; else what it finds."""
    return evaluate(
        page,
        f"(() => {{ const found = {_FIND}({json.dumps(selector)});"
        f" return typeof found === 'string' ? found : (found.hasAttribute({json.dumps(mark)}) || found.outerHTML);"
        " })()",
    )


def both_find(page: Page, node: dict[str, Any], mark: str) -> Any:
    """True when both selectors of `node` find the one element that carries `mark`; else what one of them finds."""
    found = [finds(page, node.get(key, ""), mark) for key in ("selector", "fallbackSelector")]
    return found == [True, True] or found


def resolve(page: Page, node: dict[str, Any], patience_ms: int = 3_000) -> dict[str, Any] | None:
    """How the element of `node` is found again (`by`) and the markup of what was found; None when it is not."""
    answer: dict[str, Any] | None = evaluate(
        page,
        f"(async () => {{ const found = await CircuyScan.resolve({json.dumps(node)}, {patience_ms});"
        " return found && { by: found.by, html: found.element.outerHTML }; })()",
    )
    return answer
