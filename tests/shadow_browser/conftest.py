"""A member who shows Léa a task on a customer's pages, and a server that plays Circuy's part."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.scan.conftest import browser_type_launch_args, context, faults
from tests.scan.site import Site
from tests.widget.acting import part, until
from tests.widget.circuy_server import CircuyServer, Reply
from tests.widget.conftest import KEY, build, running_server, server, site

__all__ = ["browser_type_launch_args", "build", "context", "faults", "running_server", "server", "site"]

Json = dict[str, Any]
AddPage = Callable[..., str]
Talk = Callable[..., Page]
Show = Callable[..., "Shown"]

STREAM = "/api/v1/traces/stream/event"
UNDERSTANDING = "understanding"
STEPS: list[Json] = [
    {"step": 1, "intent": "Ouvrir « Commandes »", "confidence": 0.95, "reasons": [], "state": "proposed"},
    {
        "step": 2,
        "intent": "Choisir « Livrée » dans Statut",
        "confidence": 0.55,
        "reasons": ["Plusieurs éléments de la page portent ce nom."],
        "state": "proposed",
    },
]


class Replies(dict[str, Reply]):
    """What each path answers; what is understood has the session in its path, which the tab makes up."""

    def get(self, path: str, default: Any = None) -> Any:
        return super().get(UNDERSTANDING if path.endswith("/understanding") else path, default)


@dataclass
class Shown:
    """A tab in which a task is shown."""

    page: Page
    server: CircuyServer

    def events(self, *kinds: str) -> list[Json]:
        """What has arrived, in its order and once each, whatever was sent twice; of these kinds."""
        calls = [call for call in self.server.asked(STREAM) if self.server.replies[STREAM].status == 202]
        arrived = {event["sequence"]: event for call in calls for event in call.body["events"]}
        ordered = [arrived[sequence] for sequence in sorted(arrived)]
        return [event for event in ordered if event["kind"] in kinds or (not kinds and event["kind"] != "focus")]

    def wait_for(self, kind: str, count: int = 1) -> list[Json]:
        """The events of a kind, once there are so many."""
        until(lambda: len(self.events(kind)) >= count, self.page, 15)
        found = self.events(kind)
        assert len(found) >= count, self.told()
        return found

    def told(self) -> list[str]:
        """Each event in a few words."""
        return [told(event) for event in self.events()]

    def all_sent(self) -> str:
        return json.dumps([call.body for call in self.server.calls], ensure_ascii=False)


def told(event: Json) -> str:
    target = event.get("target", {})
    said = event.get("option") or event.get("value") or event.get("cause") or event.get("key") or event.get("reason")
    checked = event.get("checked")
    words = [event["kind"], target.get("name"), said, None if checked is None else str(checked)]
    return " ".join(word for word in words if word)


def says(server: CircuyServer, reply: str, state: str, **more: Any) -> None:
    """What Léa answers from now on."""
    server.replies["/v1/chat"] = Reply({"reply": reply, "state": state, **more})


def understands(server: CircuyServer, *steps: Json, **more: Any) -> None:
    """What the server says of the session from now on."""
    server.replies[UNDERSTANDING] = Reply({"steps": list(steps), "current_step": None, **more})


@pytest.fixture
def add_page(site: Site, server: CircuyServer, faults: list[str]) -> Iterator[AddPage]:
    """
    Put a page of the customer's, with the script tag, on the site; gives its address. No inline script or style, no
    `eval`, Trusted Types: as careful customers serve their pages. What goes wrong in a page fails the test.
    """

    def added(path: str, html: str, *, head: str = "", script: str = "") -> str:
        site.put(f"{path}.js", script, "text/javascript; charset=utf-8")
        tag = f'<script src="{server.url}/static/circuy/circuy.js" data-key={KEY} async></script>'
        title = "<meta charset=utf-8><title>Maison Orée</title>"
        policy = (
            f"default-src 'self'; script-src 'self' {server.url}; connect-src 'self' {server.url}; frame-src *; "
            "require-trusted-types-for 'script'"
        )
        document = (
            f"<!doctype html><html lang=fr><head>{title}{head}{tag}</head>"
            f"<body>{html}<script src={path}.js></script></body></html>"
        )
        site.put(path, document, **{"Content-Security-Policy": policy})
        return site.url + path

    yield added
    assert faults == []


@pytest.fixture
def talk(context: BrowserContext, add_page: AddPage, server: CircuyServer) -> Talk:
    """Open a page through the administration's link and turn to Léa."""

    def opened(html: str, *, path: str = "/commandes/42", **more: Any) -> Page:
        server.replies = Replies(server.replies)
        understands(server)
        server.replies[STREAM] = Reply({"status": "accepted"}, 202)
        says(server, "Je n'ai pas compris.", "idle")
        page = context.new_page()
        page.goto(add_page(path, html, **more) + "#circuy-record=abc", wait_until="load")
        part(page, "talk").click()
        expect(part(page, "lea-field")).to_be_focused()
        return page

    return opened


@pytest.fixture
def show(talk: Talk, server: CircuyServer) -> Show:
    """Open a page and have it observed."""

    def observed(html: str, **more: Any) -> Shown:
        page = talk(html, **more)
        says(server, "J'observe. Fais ta tâche.", "observing")
        part(page, "lea-observe").click()
        expect(part(page, "rec-bar")).to_be_visible()
        return Shown(page, server)

    return observed
