"""Take the pictures of docs/images/applications/: Circuy on pages of known applications that never heard of it.

Each page is learnt, approved and asked about as on a customer's site. The pages are not part of this repository:
`CORPUS` says where they are. Run by `make screenshots`.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from demo_people import enter_the_administration, new_browser, open_the_recorder
from playwright.sync_api import Browser, Page, sync_playwright
from scratch_stack import ROOT, scratch_stack

sys.path.insert(0, str(ROOT))

from bench.browser.corpus import QUESTIONS

IMAGES = ROOT / "docs" / "images" / "applications"
SETTLED_MS = 900


@dataclass(frozen=True)
class Visit:
    """One page, and what somebody asks there."""

    picture: str
    page: str
    question: str
    locale: str = "fr-FR"


VISITS = (
    Visit("adminlte", "adminlte/settings.html", "How do I change my time zone?", "en-GB"),
    Visit("django-admin", "django/user_change.html", "Où changer son adresse électronique ?"),
    Visit("oscar", "oscar/voucher_create_fr.html", "Où indiquer la date de fin ?"),
    Visit("sb-admin", "sb/tables.html", "How do I search in the table?", "en-GB"),
)


def main() -> None:
    """Live the story on each page and picture its end."""
    if not all((QUESTIONS / "pages" / visit.page).is_file() for visit in VISITS):
        print(
            f"docs/images/applications: kept, no pages at {QUESTIONS}: set CORPUS to the folder that holds questions/"
        )
        return
    IMAGES.mkdir(parents=True, exist_ok=True)
    with scratch_stack() as stack, served(QUESTIONS / "pages") as applications, sync_playwright() as playwright:
        browser = new_browser(playwright)
        claire = browser.new_page(locale="fr-FR")
        enter_the_administration(claire, stack.url)
        applications.tag = new_script_tag(claire, applications.url)
        for visit in VISITS:
            learn(claire, stack.url, f"{applications.url}/{visit.page}")
            picture(browser, f"{applications.url}/{visit.page}", visit)
        browser.close()


class Applications(ThreadingHTTPServer):
    """Serves the saved pages, with `tag` in the head of each."""

    tag = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(SimpleHTTPRequestHandler):
    server: Applications

    def do_GET(self) -> None:
        file = Path(self.translate_path(self.path))
        if file.suffix != ".html" or not file.is_file():
            super().do_GET()
            return
        body = file.read_text(encoding="utf-8").replace("</head>", f"{self.server.tag}</head>", 1).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[Applications]:
    """Serve the saved pages of this folder on a free port."""
    server = Applications(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def new_script_tag(page: Page, origin: str) -> str:
    """Make a publishable key for this origin, and return the line that its page says to paste."""
    administration = page.url.partition("/admin/")[0]
    page.goto(f"{administration}/admin/organizations/sdkkey/add/")
    page.locator("[name=name]").fill("Applications")
    page.locator("[name=kind][value=publishable]").check()
    page.locator("[name=origins]").fill(origin)
    page.locator("main form [type=submit]").first.click()
    page.wait_for_load_state()
    page.goto(f"{administration}/admin/organizations/sdkkey/")
    page.get_by_role("link", name="Applications").click()
    return page.locator("#script-tag").inner_text()


def learn(claire: Page, administration: str, address: str) -> None:
    """Show the page to Circuy, and approve what it learnt."""
    recorder = open_the_recorder(claire, administration, address)
    recorder.locator("[data-circuy=submit-scan]").click()
    with recorder.expect_popup() as opened:
        recorder.locator("[data-circuy=review]").click()
    review = opened.value
    review.locator("button[value=approve]").click()
    review.locator(".badge-published").first.wait_for()
    review.close()
    recorder.close()


def picture(browser: Browser, address: str, visit: Visit) -> None:
    """Ask as an end user, and picture the guide's first step."""
    page = browser.new_page(locale=visit.locale, viewport={"width": 1280, "height": 800})
    page.goto(address)
    page.locator("[data-circuy=launcher]").click()
    page.locator("[data-circuy=question]").fill(visit.question)
    page.locator("[data-circuy=send]").click()
    page.locator("[data-circuy=step-dialog], [data-circuy=fallback]").first.wait_for()
    page.wait_for_timeout(SETTLED_MS)
    page.screenshot(path=IMAGES / f"{visit.picture}.png")
    print(f"docs/images/applications/{visit.picture}.png")
    page.close()


if __name__ == "__main__":
    main()
