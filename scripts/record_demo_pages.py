"""Record Maison Orée's pages with the real recorder in Chromium, into demo/scans/.

Starts everything in a scratch folder, signs in as a product admin would, opens each page from « Apprendre une page »,
sends what the recorder sees, and keeps the body that the SDK sent. Run it when the demo's pages or the scanner change:
`make demo-scans`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Any

from demo_people import enter_the_administration, enter_the_back_office, new_browser
from playwright.sync_api import Page, sync_playwright
from scratch_stack import ROOT, scratch_stack

SCANS = ROOT / "demo" / "scans"


NEW_INVOICE = "/maison-oree/factures/nouvelle"
# Not a path: the first order that can be both moved on and refunded, so that its page shows all it can.
RICH_ORDER = "an order with a status to change and a payment to refund"


@dataclass(frozen=True)
class DemoPage:
    """A page to record: the file's name, where it is, what the admin calls it."""

    file: str
    path: str
    name: str
    pattern: str


PAGES = (
    DemoPage("commandes", "/maison-oree/commandes", "Commandes", "/maison-oree/commandes"),
    DemoPage("commande", RICH_ORDER, "Détail d’une commande", "/maison-oree/commandes/*"),
    DemoPage(
        "nouvelle-facture", "/maison-oree/factures/nouvelle", "Création de facture", "/maison-oree/factures/nouvelle"
    ),
)


def main() -> None:
    """Record every page of the demonstration that the seed learns."""
    with scratch_stack() as stack:
        _record_all(stack.url)


def _record_all(url: str) -> None:
    SCANS.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = new_browser(playwright)
        page = browser.new_context(locale="fr-FR", viewport={"width": 1440, "height": 900}).new_page()
        enter_the_back_office(page, url, "camille.roux")
        enter_the_administration(page, url)
        for wanted in PAGES:
            body = _record(page, url, wanted)
            file = SCANS / f"{wanted.file}.json"
            file.write_text(json.dumps(body, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            print(f"{file.relative_to(ROOT)}: {len(body['nodes'])} nodes")
        browser.close()


def _record(page: Page, url: str, wanted: DemoPage) -> dict[str, Any]:
    """Record one page the way a product admin does, and return the body that the SDK sent."""
    path = _rich_order(page, url) if wanted.path == RICH_ORDER else wanted.path
    page.goto(f"{url}/admin/learn/")
    page.locator("input[name=url]").fill(url + path)
    page.locator("main form [type=submit]").first.click()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Ouvrir la page").or_(page.get_by_role("link", name="Open the page")).click()
    tab = opened.value
    tab.locator("[data-circuy=page-name]").fill(wanted.name)
    tab.locator("[data-circuy=route]").fill(wanted.pattern)
    with tab.expect_request(lambda request: request.method == "POST" and request.url.endswith("/v1/scans")) as sent:
        tab.locator("[data-circuy=submit-scan]").click()
    tab.locator("[data-circuy=recorder-status][data-tone=good]").wait_for(timeout=30_000)
    body: dict[str, Any] = sent.value.post_data_json or {}
    tab.close()
    return body


def _rich_order(page: Page, url: str) -> str:
    page.goto(f"{url}/maison-oree/commandes?statut=Expédiée")
    for number in page.get_by_role("link", name="CMD-").all_inner_texts():
        path = f"/maison-oree/commandes/{number}"
        page.goto(url + path)
        if page.locator("[data-testid=refund-open]").count() and page.get_by_label("Nouveau statut").count():
            return path
    sys.exit("no order can be both moved on and refunded")


if __name__ == "__main__":
    main()
