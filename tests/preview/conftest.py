"""A reviewer's tab on a customer's page: the administration's link, and a server that knows the version it opens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.scan.conftest import browser_type_launch_args, context, faults
from tests.tour.guiding import step
from tests.widget.acting import part
from tests.widget.circuy_server import TOUR, CircuyServer, Reply
from tests.widget.conftest import OpenPage, build, open_page, running_server, server, site

__all__ = ["browser_type_launch_args", "build", "context", "faults", "open_page", "running_server", "server", "site"]

TOKEN = f"{TOUR['tour_id']}.WyJhIl0:1tAbCd:signature_1"
PATH = "/factures/42"
PAGE = """<h1>Facture</h1><form aria-label=Facture>
<p><label for=client>Client</label> <select id=client name=client><option>Duval<option>Brun</select></p>
<p><label>Remise <input id=remise name=remise></label></p>
<p><button type=button id=save>Créer la facture</button></p></form>
<p><a href="/clients">Clients</a></p>"""

Json = dict[str, Any]
Try = Callable[..., Page]


def tour(*steps: Json, version: int = 1, editable: bool = True, **preview: Any) -> Json:
    """What the server says of a version."""
    told = {
        "token": f"{TOKEN}{version}",
        "version": version,
        "locale": "fr",
        "editable": editable,
        "review_url": "http://127.0.0.1/admin/tours/tour/1/review/",
        "masks": ["CLI-####"],
    }
    return {**TOUR, "source": "history", "title": "Créer une facture", "steps": list(steps), "preview": told | preview}


STEPS = (
    step("#client", "Choisissez le client.", title="Choisir le client", route="/factures/*"),
    step("#gone", "Entrez le taux.", title="Saisir la remise", fallback="input[name=remise]", route="/factures/*"),
    step("#nowhere", "Cliquez ici.", title="Créer la facture", route="/factures/*"),
)


def target_path(index: int) -> str:
    return f"/v1/tours/{TOUR['tour_id']}/steps/{index}/target"


@pytest.fixture
def try_out(open_page: OpenPage, server: CircuyServer) -> Try:
    """Open a page through the link of the administration; the server knows the version `tried`."""

    def opened(html: str = PAGE, *, tried: Json | None = None, path: str = PATH, **more: Any) -> Page:
        server.replies[f"/v1/tours/{TOUR['tour_id']}"] = Reply(tried or tour(*STEPS))
        page = open_page(html, path=path, fragment=f"#circuy-preview={TOKEN}", **more)
        expect(part(page, "preview")).to_be_visible()
        return page

    return opened
