"""What people refused, or what their browser refuses for them, is neither sent nor kept."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.widget.acting import ask, call, finish_the_tour, focused, open_panel, part, until
from tests.widget.circuy_server import LOOK, CircuyServer, Reply
from tests.widget.conftest import OpenPage

REFUSED = "Circuy={q:[['init',[{key:'pk_1',consent:false,user:{id:'camille',hash:'ab'}}],()=>0]]}"
SIGNALS = {
    "Do Not Track": "Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' })",
    "Global Privacy Control": "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })",
}


def kept(page: Page) -> list[str]:
    return list(page.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"))


def walk_and_leave(page: Page) -> None:
    """Walk a guide to its end, and give what is reported the time to go."""
    ask(page, "Comment ajouter une remise ?")
    finish_the_tour(page)
    page.wait_for_timeout(1_700)


def test_a_refusal_sends_nothing_but_what_the_person_types_and_keeps_nothing(
    open_page: OpenPage, server: CircuyServer
) -> None:
    page = open_page(start=REFUSED)
    expect(part(page, "launcher")).to_be_visible()
    assert {asked.path for asked in server.calls} == {"/v1/widget"}
    assert call(page, "Circuy.ask('Comment ajouter une remise ?')") is None
    expect(part(page, "question")).to_have_value("Comment ajouter une remise ?")
    assert focused(page) == "question"
    assert server.asked("/v1/ai/ask") == []
    page.keyboard.press("Enter")
    finish_the_tour(page)
    page.wait_for_timeout(1_700)
    (asked,) = server.asked("/v1/ai/ask")
    assert set(asked.body) == {"question", "route", "page_title", "locale"}
    assert server.asked("/v1/events") == []
    assert kept(page) == []
    open_panel(page)
    expect(part(page, "thumbs")).to_have_count(0)
    expect(part(page, "rating")).to_have_count(0)


def test_a_later_refusal_takes_back_what_was_kept_and_what_waits_to_be_sent(
    open_page: OpenPage, server: CircuyServer
) -> None:
    page = open_page()
    ask(page, "Comment ajouter une remise ?")
    expect(part(page, "step-dialog")).to_be_visible()
    assert "circuy.visitor.pk_test_1" in kept(page)
    call(page, "Circuy.consent(false)")
    page.wait_for_timeout(1_700)
    assert kept(page) == []
    assert server.events() == []
    call(page, "Circuy.consent(true)")
    finish_the_tour(page)
    assert [event["type"] for event in until(server.events, page)] == ["completed"]


@pytest.mark.parametrize("signal", SIGNALS)
def test_a_browser_that_asks_not_to_be_tracked_is_not_reported_on(
    open_page: OpenPage, context: BrowserContext, server: CircuyServer, signal: str
) -> None:
    context.add_init_script(SIGNALS[signal])
    page = open_page(start=REFUSED.replace("consent:false", "consent:true"))
    walk_and_leave(page)
    assert server.asked("/v1/events") == []
    assert server.asked("/v1/ai/ask")[0].body["user"] == {"id": "camille", "hash": "ab"}
    expect(part(page, "thumbs")).to_have_count(0)


def test_a_visit_that_was_not_drawn_reports_what_people_say_and_no_more(
    open_page: OpenPage, server: CircuyServer
) -> None:
    server.replies["/v1/widget"] = Reply({**LOOK, "events_percent": 0})
    page = open_page()
    walk_and_leave(page)
    assert server.events() == []
    part(page, "rate-up").click()
    assert [event["type"] for event in until(server.events, page)] == ["rated"]


def test_a_visit_is_drawn_once_a_tab(open_page: OpenPage, server: CircuyServer) -> None:
    server.replies["/v1/widget"] = Reply({**LOOK, "events_percent": 50})
    page = open_page()
    page.evaluate("sessionStorage.setItem('circuy.sampled', '70')")
    walk_and_leave(page)
    assert server.events() == []
    page.evaluate("sessionStorage.setItem('circuy.sampled', '30')")
    page.reload()
    walk_and_leave(page)
    assert {event["type"] for event in server.events()} >= {"started", "completed"}


def test_what_happened_last_is_reported_though_the_page_is_left(open_page: OpenPage, server: CircuyServer) -> None:
    page = open_page()
    ask(page, "Comment ajouter une remise ?")
    finish_the_tour(page)
    page.goto("about:blank")
    until(lambda: "completed" in [event["type"] for event in server.events()], page)
    types = [event["type"] for event in server.events()]
    assert types[0] == "started"
    assert types[-1] == "completed"
    assert len(server.asked("/v1/events")) == 1
