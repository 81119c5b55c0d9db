"""The desk: what waits is tried on the real page, arranged by hand, and decided on with the keyboard alone."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.axe import violations
from tests.e2e.acting import (
    NEW_INVOICE,
    approve,
    ask,
    enter_the_administration,
    enter_the_back_office,
    finish_the_tour,
    hook,
)

QUESTION = "Où saisir la date d'échéance de la facture ?"
HEADING = "Lignes de facture"
THREE_STEPS = "Créer une facture pour un client avec une remise"
# What the pages offer is asked for, by somebody new each time, until so many guides wait.
LEAVE_TEN = """
import time
import uuid
from moderation.states import Status
from organizations.models import EndUser, Organization
from organizations.scoping import tenant_scope
from skills.models import PageSkill
from tours.answering.asking import question_ask
from tours.models import Question, Tour
organization = Organization.objects.get()
with tenant_scope(organization.pk):
    waiting = Tour.objects.filter(status=Status.PENDING_REVIEW)
    for skill in PageSkill.objects.filter(status=Status.PUBLISHED):
        for intent in skill.actions_json["intents"]:
            if waiting.count() < 10:
                person = EndUser.objects.create(organization=organization, visitor_id=uuid.uuid4())
                question = question_ask(organization=organization, end_user=person, text=intent["user_goal"],
                    route=skill.route_pattern, page_title="", locale="fr")
                while Question.objects.get(pk=question.pk).outcome == Question.Outcome.WAITING:
                    time.sleep(0.02)
"""


def listed_guides(page: Page, url: str) -> list[str]:
    """What the widget lists on the page of a new invoice."""
    page.goto(url + NEW_INVOICE)
    with page.expect_response(lambda response: "/v1/tours?" in response.url):
        hook(page, "launcher").click()
    expect(hook(page, "panel")).to_be_visible()
    return hook(page, "guide").all_inner_texts()


def test_a_step_pointed_elsewhere_on_the_page_is_live_once_it_is_approved(stack, people):
    nadia, hugo, claire = people("nadia"), people("hugo"), people("claire")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    ask(nadia, QUESTION)
    expect(hook(nadia, "step-dialog")).to_be_visible()
    title = hook(nadia, "step-title").inner_text()
    finish_the_tour(nadia)

    enter_the_back_office(claire, stack.url, "camille.roux")
    enter_the_administration(claire, stack.url)
    claire.goto(f"{stack.url}/admin/inbox/")
    claire.locator("main").get_by_role("link").filter(has_text=title).first.click()
    with claire.expect_popup() as opened:
        claire.get_by_role("link", name="Essayer sur la page").click()
    page = opened.value
    expect(hook(page, "preview-where")).to_contain_text("version 1")
    expect(hook(page, "step-dialog")).to_be_visible()
    assert "circuy-preview" not in page.url

    hook(page, "preview-pick").click()
    expect(hook(page, "preview-status")).to_contain_text("Un clic choisit")
    heading = page.get_by_role("heading", name=HEADING).bounding_box()
    page.mouse.click(heading["x"] + 20, heading["y"] + 10)
    expect(hook(page, "preview-where")).to_contain_text("version 2")
    expect(hook(page, "preview-status")).to_contain_text(HEADING)
    with page.expect_popup() as opened:
        hook(page, "preview-review").click()
    review = opened.value
    expect(review.locator("[name=steps-0-intent_id] option:checked")).to_have_text(f"{HEADING}, désigné sur la page")

    enter_the_back_office(hugo, stack.url, "hugo.marchand")
    assert not any(title in text for text in listed_guides(hugo, stack.url))
    approve(review)
    expect(hook(page, "step-dialog")).to_be_visible()
    assert any(title in text for text in listed_guides(hugo, stack.url))


def test_steps_are_moved_by_hand_and_their_targets_searched_by_typing(stack, people):
    nadia, claire = people("nadia"), people("claire")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    ask(nadia, THREE_STEPS)
    expect(hook(nadia, "step-dialog")).to_be_visible()

    enter_the_administration(claire, stack.url)
    claire.goto(f"{stack.url}/admin/inbox/")
    row = claire.locator("[data-row]").filter(has_text=THREE_STEPS)
    row.get_by_role("link").first.click()
    titles = claire.locator("[data-step] input[data-preview-from=title]")
    first, second, third = (title.input_value() for title in titles.all())

    claire.locator("[data-grip]").first.hover()
    claire.mouse.down()
    below = claire.locator("[data-step]").nth(1).bounding_box()
    claire.mouse.move(below["x"] + 20, below["y"] + below["height"] - 10, steps=5)
    claire.mouse.up()
    assert [title.input_value() for title in titles.all()] == [second, first, third]
    expect(claire.locator("p[data-moved]")).to_contain_text("l’étape 2")

    target = claire.get_by_role("combobox", name="Montre").first
    target.click()
    target.press_sequentially("echeance")
    claire.keyboard.press("Enter")
    expect(target).to_have_value(re.compile("échéance"))
    claire.locator(".bar button[value=save]").click()
    expect(claire.locator(".review-meta")).to_contain_text("version 2")
    assert [title.input_value() for title in titles.all()] == [second, first, third]
    expect(claire.get_by_role("combobox", name="Montre").first).to_have_value(re.compile("échéance"))


def test_a_reviewer_clears_an_inbox_of_ten_with_the_keyboard_alone(stack, people):
    stack.manage("shell", "-c", LEAVE_TEN)
    claire = people("claire")
    enter_the_administration(claire, stack.url)
    claire.goto(f"{stack.url}/admin/inbox/")
    rows = claire.locator("[data-row]")
    expect(rows).to_have_count(10)

    press(claire, "?")
    expect(claire.get_by_role("dialog", name="Au clavier")).to_be_visible()
    assert_reads_well(claire)
    press(claire, "Escape")
    press(claire, "j")
    expect(rows.first.get_by_role("button", name="Approuver la version")).to_be_visible()
    assert_reads_well(claire)

    for left in range(9, 4, -1):
        expect(link_of(rows.first)).to_be_focused()
        title = link_of(rows.first).inner_text()
        press(claire, "a")
        expect(rows).to_have_count(left)
        expect(claire.locator("[data-said]")).to_contain_text(f"{title} — Approuvé")

    press(claire, "j")
    refused = link_of(rows.nth(1)).inner_text()
    press(claire, "r")
    claire.keyboard.type("aaa j r x : ces lettres restent dans le motif")
    press(claire, "Control+Enter")
    expect(rows).to_have_count(4)
    expect(claire.locator("[data-said]")).to_contain_text(f"{refused} — Refusé")
    expect(link_of(rows.nth(1))).to_be_focused()

    for key in "kxjxjx":
        press(claire, key)
    expect(claire.locator("[data-selected]")).to_have_text("3 sélectionnés")
    press(claire, "a")
    expect(claire.get_by_role("heading", level=1)).to_have_text("Approuver 3 éléments ?")
    assert_reads_well(claire)
    press_tab_to(claire, claire.get_by_role("button", name="Approuver les 3"))
    press(claire, "Enter")
    expect(claire.locator(".messages")).to_contain_text("3 éléments ont été approuvés")
    expect(rows).to_have_count(1)

    press(claire, "j")
    press(claire, "o")
    expect(claire.locator("[data-review]")).to_be_visible()
    press(claire, "a")
    expect(claire.locator(".badge-published").first).to_be_visible()
    press(claire, "i")
    expect(claire.get_by_role("heading", name="Tout est relu")).to_be_visible()


def press(page: Page, key: str) -> None:
    """Press a key as somebody does who sees the page: once it is there."""
    page.wait_for_load_state()
    page.keyboard.press(key)


def link_of(row: Locator) -> Locator:
    return row.locator("[data-open]")


def press_tab_to(page: Page, button: Locator) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if button.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError("Tab never reaches the button")


def assert_reads_well(page: Any) -> None:
    """Nothing is wrong for people who do not see it, in the light as in the dark."""
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert violations(page) == [], scheme
