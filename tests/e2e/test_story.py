"""The main job, lived by two end users and one product admin against the whole of Circuy."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acting import (
    DISCOUNT,
    NEW_INVOICE,
    approve,
    ask,
    enter_the_administration,
    enter_the_back_office,
    expect_step_on,
    finish_the_tour,
    hook,
    open_the_recorder,
)


@dataclass(frozen=True)
class Wish:
    """Something to ask on the page of a new invoice, with the element and words that tell the answer is right."""

    question: str
    selector: str
    word: str
    adjusted: str


REMISE = Wish("Comment ajouter une remise ?", DISCOUNT, "remise", "Saisissez ici la remise accordée, en pour cent.")
TVA = Wish("Choisir le taux de TVA", "#id_vat_rate", "TVA", "Choisissez ici le taux qui s’applique.")


@pytest.mark.parametrize(("engine", "wish"), [("local", REMISE), ("with_model", TVA)], ids=["local", "model"])
def test_ask_then_review_then_everyone(stack, people, slack, request, engine, wish):
    if engine == "with_model":
        request.getfixturevalue(engine)
    camille, hugo, claire = people("camille"), people("hugo"), people("claire")
    enter_the_administration(claire, stack.url)
    tell_slack(claire, stack.url)

    enter_the_back_office(camille, stack.url, "camille.roux")
    camille.goto(stack.url + NEW_INVOICE)
    ask(camille, wish.question)
    expect_step_on(camille, wish.selector)
    expect(hook(camille, "step-status")).to_contain_text("relecture")
    expect(hook(camille, "step-complete")).to_have_text("Terminé")
    finish_the_tour(camille)

    enter_the_back_office(hugo, stack.url, "hugo.marchand")
    hugo.goto(stack.url + NEW_INVOICE)
    hook(hugo, "launcher").click()
    expect(hook(hugo, "panel")).to_be_visible()
    expect(hook(hugo, "guide").filter(has_text=wish.word)).to_have_count(0)

    claire.goto(f"{stack.url}/admin/inbox/")
    expect(claire.locator("main")).to_contain_text(wish.question)
    claire.locator("main").get_by_role("link").filter(has_text=wish.word).first.click()
    claire.locator("[name=steps-0-text]").fill(wish.adjusted)
    claire.locator("button[value=save_approve]").click()
    expect(claire.locator(".badge-published").first).to_be_visible()

    hugo.goto(stack.url + NEW_INVOICE)
    hook(hugo, "launcher").click()
    expect(hook(hugo, "guide").filter(has_text=wish.word)).to_have_count(1)
    ask(hugo, wish.question)
    expect_step_on(hugo, wish.selector)
    expect(hook(hugo, "step-text")).to_have_text(wish.adjusted)
    expect(hook(hugo, "step-status")).to_contain_text("approuvé")
    finish_the_tour(hugo)

    expect_message_in(slack, wish.question)


def tell_slack(page: Page, url: str) -> None:
    page.goto(f"{url}/admin/notifications/")
    page.locator("details.more").evaluate("details => (details.open = true)")
    page.locator("[name=slack_bot_token]").fill("xoxb-e2e")
    page.locator("[name=slack_channel]").fill("C-GUIDES")
    page.locator("main form [type=submit]").first.click()


def expect_message_in(slack, text: str) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if any(text in json.dumps(message["blocks"], ensure_ascii=False) for message in slack.messages):
            return
        time.sleep(0.2)
    raise AssertionError(f"Slack was not told of {text!r}: {slack.messages}")


def test_learn_a_new_page_then_ask_about_it(stack, people):
    claire, nadia = people("claire"), people("nadia")
    enter_the_administration(claire, stack.url)
    enter_the_back_office(claire, stack.url, "camille.roux")
    recorder = open_the_recorder(claire, stack.url, "/maison-oree/clients/nouveau")
    expect(hook(recorder, "recorder-title")).to_be_visible()
    assert "circuy-record" not in recorder.url
    hook(recorder, "page-name").fill("Nouveau client")
    hook(recorder, "submit-scan").click()
    expect(hook(recorder, "review")).to_be_visible(timeout=30_000)
    with recorder.expect_popup() as review_opened:
        hook(recorder, "review").click()
    review = review_opened.value

    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(f"{stack.url}/maison-oree/clients/nouveau")
    ask(nadia, "Où saisir l'adresse e-mail du client ?")
    expect(hook(nadia, "fallback")).to_contain_text("je n'ai pas trouvé l'élément correspondant sur cette page")

    approve(review)
    ask(nadia, "Où saisir l'adresse e-mail du client ?")
    expect_step_on(nadia, "#id_email")


def test_a_plan_walks_several_fields_and_the_button(stack, people):
    nadia = people("nadia")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    ask(nadia, "Créer une facture pour un client avec une remise")
    expect_step_on(nadia, "#client-select-dropdown")
    expect(hook(nadia, "step-counter")).to_have_text("1 / 3")
    hook(nadia, "step-next").click()
    expect_step_on(nadia, DISCOUNT)
    hook(nadia, "step-back").click()
    expect_step_on(nadia, "#client-select-dropdown")
    finish_the_tour(nadia)
    expect(hook(nadia, "rating")).to_be_visible()
    hook(nadia, "rate-up").click()
    expect(hook(nadia, "rated")).to_be_visible()


def test_the_fallback_stands_in_when_the_first_selector_is_gone(stack, people):
    nadia = people("nadia")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    nadia.evaluate("document.querySelector('#client-select-dropdown').removeAttribute('id')")
    with nadia.expect_request(
        lambda request: request.url.endswith("/v1/events") and "fallback_used" in (request.post_data or "")
    ):
        ask(nadia, "Où choisir le client ?")
        expect_step_on(nadia, "select[name='clientId']")
        finish_the_tour(nadia)


def test_an_english_visitor_is_answered_in_english(stack, people):
    nadia = people("nadia", locale="en-GB")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    ask(nadia, "How do I set the VAT rate?")
    expect_step_on(nadia, "#id_vat_rate")
    expect(hook(nadia, "step-complete")).to_have_text("Done")
