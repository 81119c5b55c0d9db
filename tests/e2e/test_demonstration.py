"""« Léa, observe ce que je fais » : one member shows a task over three pages, another person is walked through it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.acting import (
    approve,
    ask,
    enter_the_administration,
    enter_the_back_office,
    expect_step_on,
    hook,
    open_the_recorder,
)

TASK = "Rembourser une commande"
DASHBOARD, ORDERS = "/maison-oree/", "/maison-oree/commandes"
ORDER = re.compile(r".*/maison-oree/commandes/CMD-\d+$")


def test_a_task_that_was_shown_and_put_right_walks_somebody_else_over_three_pages(stack, people):
    claire, hugo = people("claire"), people("hugo")
    enter_the_administration(claire, stack.url)
    enter_the_back_office(claire, stack.url, "camille.roux")
    tab = open_the_recorder(claire, stack.url, DASHBOARD)
    hook(tab, "talk").click()
    hook(tab, "lea-observe").click()
    expect(hook(tab, "rec-line")).to_have_text("J'observe. Fais ta tâche.")
    refund_an_order(tab)
    hook(tab, "rec-stop").click()
    steps = hook(tab, "lea-steps").last.locator("li")
    expect(steps.first).to_contain_text("Toutes les commandes")
    put_right(tab)
    say(tab, f"appelle-la « {TASK} »")
    say(tab, "oui")
    say(tab, "seulement le montant")
    expect(hook(tab, "lea-reply").last).to_contain_text("Tâche apprise et sauvegardée.")
    claire.goto(str(hook(tab, "lea-review").evaluate("link => link.href")))
    approve(claire)

    enter_the_back_office(hugo, stack.url, "hugo.marchand")
    hugo.goto(stack.url + DASHBOARD)
    ask(hugo, "Comment rembourser une commande ?")
    expect_step_on(hugo, "main a[href$='/commandes']")
    expect(hook(hugo, "step-title")).to_have_text("Ouvrir la liste des commandes")
    hugo.locator("main a[href$='/commandes']").click()
    hugo.wait_for_url(stack.url + ORDERS)
    expect(hook(hugo, "step-dialog")).to_be_visible()
    hugo.locator("#id_statut").select_option("Livrée")
    hugo.get_by_role("button", name="Filtrer").click()
    expect(hook(hugo, "step-dialog")).to_be_visible()
    hugo.locator("tbody a").first.click()
    hugo.wait_for_url(ORDER)
    expect_step_on(hugo, "[data-testid=refund-open]")


def refund_an_order(page: Page) -> None:
    """From the dashboard to an order that was delivered, and give 5 € back on it."""
    page.locator("main a[href$='/commandes']").click()
    choose(page, "#id_statut", "Livrée")
    page.get_by_role("button", name="Filtrer").click()
    page.locator("tbody a").first.click()
    page.get_by_test_id("refund-open").click()
    page.locator("#id_amount").fill("5,00")
    choose(page, "#id_reason", "Geste commercial")
    page.locator("#id_confirm").check()
    page.get_by_role("button", name="Confirmer le remboursement").click()
    expect(page.get_by_text("enregistré sur la commande")).to_be_visible()


def choose(page: Page, selector: str, option: str) -> None:
    """Choose by the keyboard, as a person does: an option that a script sets is not what somebody showed."""
    page.locator(selector).press_sequentially(option)
    expect(page.locator(f"{selector} option:checked")).to_have_text(option)


def put_right(page: Page) -> None:
    """Correct a step, make one of two, and two of one."""
    steps = hook(page, "lea-steps").last.locator("li")
    shown = steps.count()
    say(page, "l'étape 1, c'est « Ouvrir la liste des commandes »")
    expect(steps.first).to_contain_text("Ouvrir la liste des commandes")
    say(page, "fusionne les étapes 2 et 3")
    expect(steps).to_have_count(shown - 1)
    texts = steps.all_inner_texts()
    reason = next(number for number, text in enumerate(texts, start=1) if "Motif" in text)
    say(page, f"fusionne {reason} et {reason + 1}")
    expect(steps).to_have_count(shown - 2)
    say(page, f"coupe l'étape {reason} après « Motif »")
    expect(steps).to_have_count(shown - 1)
    expect(steps.nth(reason - 1)).to_contain_text("Motif")


def say(page: Page, text: str) -> None:
    """Tell Léa something, and wait for her answer."""
    replies = hook(page, "lea-reply")
    known = replies.count()
    hook(page, "lea-field").fill(text)
    hook(page, "lea-send").click()
    expect(replies).to_have_count(known + 1)
