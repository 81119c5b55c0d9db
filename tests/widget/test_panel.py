"""The launcher and the panel, as people use them: with a keyboard, with a mouse, with a screen reader."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.widget.acting import ask, call, finish_the_tour, focused, open_panel, part, until
from tests.widget.circuy_server import NOTHING, TOUR, CircuyServer, Reply
from tests.widget.conftest import OpenPage

OFFER: dict[str, Any] = {
    "tours": [{"tour_id": TOUR["tour_id"], "title": "Ajouter une remise", "steps_count": 1}],
    "suggestions": ["Choisir le client", "Changer le taux de TVA"],
}


def test_the_keyboard_alone_opens_asks_and_closes(open_page: OpenPage, server: CircuyServer) -> None:
    server.replies["/v1/ai/ask"] = Reply({"question_id": "q1", **NOTHING})
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    page.locator("#aide").focus()
    page.keyboard.press("Tab")
    assert focused(page) == "launcher"
    page.keyboard.press("Enter")
    assert focused(page) == "question"
    page.keyboard.type("Comment archiver ?")
    page.keyboard.press("Enter")
    expect(part(page, "fallback")).to_be_visible()
    assert focused(page) == "question"
    page.keyboard.press("Escape")
    expect(part(page, "panel")).to_be_hidden()
    assert focused(page) == "launcher"


def test_the_focus_goes_back_to_what_had_it(open_page: OpenPage) -> None:
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    page.locator("#aide").focus()
    call(page, "Circuy.open()")
    assert focused(page) == "question"
    page.keyboard.press("Escape")
    assert focused(page) == "aide"


def accessible(page: Page) -> list[dict[str, Any]]:
    """Chromium's accessibility tree, as a flat list of role, name and properties."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [
        {
            "role": node["role"]["value"],
            "name": node.get("name", {}).get("value", ""),
            **{entry["name"]: entry["value"].get("value") for entry in node.get("properties", [])},
        }
        for node in nodes
        if not node.get("ignored")
    ]


def test_a_screen_reader_meets_a_named_dialog_a_live_conversation_and_named_controls(
    open_page: OpenPage, server: CircuyServer
) -> None:
    server.replies["/v1/tours"] = Reply(OFFER)
    page = open_page()
    launcher = next(node for node in accessible_when_there(page) if node["name"] == "Ouvrir l’aide")
    assert launcher["role"] == "button"
    assert launcher["expanded"] is False
    open_panel(page)
    expect(part(page, "guide")).to_be_visible()
    nodes = accessible(page)
    assert [node["name"] for node in nodes if node["role"] == "dialog"] == ["Besoin d’aide\u00a0?"]
    (log,) = [node for node in nodes if node["role"] == "log"]
    assert log["live"] == "polite"
    assert [node["name"] for node in nodes if node["role"] == "textbox"][-1] == "Votre question"
    assert all(node["name"] for node in nodes if node["role"] in ("button", "dialog", "heading", "textbox"))
    assert next(node for node in nodes if node["name"] == "Fermer l’aide")["expanded"] is True


def accessible_when_there(page: Page) -> list[dict[str, Any]]:
    expect(part(page, "launcher")).to_be_visible()
    return accessible(page)


def test_the_pages_guides_and_goals_are_one_click_away(open_page: OpenPage, server: CircuyServer) -> None:
    server.replies["/v1/tours"] = Reply(OFFER)
    page = open_page()
    open_panel(page)
    expect(part(page, "page-suggestion")).to_have_text(["Choisir le client", "Changer le taux de TVA"])
    expect(part(page, "starters")).to_have_count(0)
    part(page, "guide").click()
    expect(part(page, "step-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(part(page, "step-dialog")).to_be_hidden()
    open_panel(page)
    part(page, "page-suggestion").first.click()
    assert until(lambda: server.asked("/v1/ai/ask"), page)[0].body["question"] == "Choisir le client"
    assert server.asked("/v1/tours")[0].query["route"] == ["/factures/42"]


def test_an_unknown_page_helps_to_begin_a_question(open_page: OpenPage) -> None:
    page = open_page()
    open_panel(page)
    part(page, "starter").first.click()
    expect(part(page, "question")).to_have_value("Comment ajouter ")
    assert focused(page) == "question"


def test_earlier_questions_stay_in_this_tab_for_the_one_who_asked(open_page: OpenPage, server: CircuyServer) -> None:
    server.replies["/v1/ai/ask"] = Reply({"question_id": "q1", **NOTHING})
    page = open_page(attributes="data-key=pk_1 data-user-id=camille data-user-hash=ab")
    ask(page, "Où est la remise ?")
    expect(part(page, "fallback")).to_be_visible()
    page.reload()
    open_panel(page)
    expect(part(page, "past-question")).to_have_text(["Où est la remise ?"])
    part(page, "question").press("ArrowUp")
    expect(part(page, "question")).to_have_value("Où est la remise ?")
    part(page, "past-question").click()
    assert until(lambda: len(server.asked("/v1/ai/ask")) == 2, page)

    somebody_else = open_page(attributes="data-key=pk_1 data-user-id=hugo data-user-hash=cd", in_page=page)
    open_panel(somebody_else)
    expect(part(somebody_else, "starters")).to_be_visible()
    expect(part(somebody_else, "past-question")).to_have_count(0)


def test_a_thumb_under_an_answer_is_reported_once(open_page: OpenPage, server: CircuyServer) -> None:
    page = open_page()
    ask(page, "Comment ajouter une remise ?")
    expect(part(page, "step-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    open_panel(page)
    part(page, "thumb-down").click()
    expect(part(page, "rated")).to_be_visible()
    assert focused(page) == "question"
    rated = until(lambda: [event for event in server.events() if event["type"] == "rated"], page)
    assert [(event["tour_id"], event["detail"]) for event in rated] == [(TOUR["tour_id"], "down")]
    part(page, "replay").click()
    finish_the_tour(page)
    expect(part(page, "rating")).to_have_count(0)


def test_a_guide_walked_to_its_end_asks_what_it_was_worth(open_page: OpenPage, server: CircuyServer) -> None:
    page = open_page()
    ask(page, "Comment ajouter une remise ?")
    finish_the_tour(page)
    part(page, "rate-up").click()
    expect(part(page, "rated")).to_have_count(1)
    expect(part(page, "thumbs")).to_have_count(0)
    rated = until(lambda: [event for event in server.events() if event["type"] == "rated"], page)
    assert [event["detail"] for event in rated] == ["up"]


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("fr", "Désolé, je n'ai pas trouvé l'élément correspondant sur cette page."),
        ("en", "Sorry, I couldn't find the matching element on this page."),
    ],
)
def test_nothing_found_is_said_in_the_agreed_sentence(
    open_page: OpenPage, server: CircuyServer, lang: str, sentence: str
) -> None:
    server.replies["/v1/ai/ask"] = Reply({"question_id": "q1", **NOTHING, "message": ""})
    page = open_page(lang=lang)
    ask(page, "Comment archiver ?")
    expect(part(page, "fallback")).to_contain_text(sentence)
    assert server.asked("/v1/ai/ask")[0].body["locale"] == lang


def test_an_answer_that_takes_time_says_so_and_comes(open_page: OpenPage, server: CircuyServer) -> None:
    waiting = {"question_id": "q1"}
    server.replies["/v1/ai/ask"] = Reply(waiting, 202, {"Location": "/v1/ai/questions/q1"})
    server.replies["/v1/ai/questions/q1"] = Reply(waiting, 202)
    page = open_page()
    expect(part(page, "launcher")).to_be_visible()
    page.clock.install()
    ask(page, "Comment archiver ?")
    expect(part(page, "progress")).to_have_text("Je cherche sur cette page…")
    page.clock.fast_forward(6_500)
    expect(part(page, "progress")).to_contain_text("la réponse s’affichera ici")
    server.replies["/v1/ai/questions/q1"] = Reply({"question_id": "q1", **NOTHING})
    page.clock.fast_forward(500)
    expect(part(page, "fallback")).to_be_visible()
    expect(part(page, "progress")).to_have_count(0)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply({"code": "server_error"}, 500), "Un souci de notre côté"),
        (Reply({"code": "rate_limited"}, 429, {"Retry-After": "12"}), "Réessayez dans 12\u00a0s."),
        (Reply("<html>", 502), "Un souci de notre côté"),
    ],
)
def test_a_failure_says_what_to_do_and_asking_again_is_one_click(
    open_page: OpenPage, server: CircuyServer, faults: list[str], reply: Reply, said: str
) -> None:
    server.replies["/v1/ai/ask"] = reply
    page = open_page()
    ask(page, "Comment archiver ?")
    expect(part(page, "error")).to_contain_text(said)
    server.replies["/v1/ai/ask"] = Reply({"question_id": "q1", **NOTHING})
    part(page, "retry").click()
    expect(part(page, "fallback")).to_be_visible()
    expect(part(page, "error")).to_have_count(0)
    assert faults
    assert all("Failed to load resource" in fault for fault in faults)
    faults.clear()


def test_somebody_offline_is_told_so_and_keeps_the_question(open_page: OpenPage, faults: list[str]) -> None:
    page = open_page()
    open_panel(page)
    page.context.set_offline(True)
    ask(page, "Comment archiver ?")
    expect(part(page, "error")).to_contain_text("Vous êtes hors ligne.")
    page.context.set_offline(False)
    part(page, "retry").click()
    expect(part(page, "step-dialog")).to_be_visible()
    faults.clear()


def test_texts_of_the_server_and_of_people_are_only_ever_text(open_page: OpenPage, server: CircuyServer) -> None:
    evil = "<img src=x onerror=document.title='hit'>"
    server.replies["/v1/tours"] = Reply({"tours": [{**OFFER["tours"][0], "title": evil}], "suggestions": [evil]})
    server.replies["/v1/ai/ask"] = Reply({"question_id": "q1", **NOTHING, "message": evil, "suggestions": [evil]})
    page = open_page()
    ask(page, evil)
    expect(part(page, "fallback")).to_contain_text(evil)
    expect(part(page, "question-asked")).to_have_text(evil)
    assert json.loads(page.evaluate("JSON.stringify([document.title, document.querySelectorAll('img').length])")) == [
        "Facture",
        0,
    ]


def test_a_guide_in_another_language_than_the_widgets_is_in_one_language(
    open_page: OpenPage, server: CircuyServer
) -> None:
    server.replies["/v1/ai/ask"] = Reply({"question_id": "q1", **TOUR, "title": "Add a discount", "locale": "en"})
    page = open_page()
    ask(page, "How do I add a discount?")
    expect(part(page, "step-status")).to_contain_text("Guide made just now for you")
    expect(part(page, "answer-status")).to_contain_text("relecture")
