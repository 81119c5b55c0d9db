"""A question asked on one page of the back-office whose answer is on another."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.acting import DISCOUNT, NEW_INVOICE, ask, enter_the_back_office, expect_step_on, finish_the_tour, hook


def test_the_answer_is_on_another_page_and_its_guide_goes_there(stack, people):
    camille = people("camille")
    enter_the_back_office(camille, stack.url, "camille.roux")
    camille.goto(f"{stack.url}/maison-oree/commandes")
    ask(camille, "Comment ajouter une remise ?")
    expect(hook(camille, "step-missing")).to_contain_text("C’est sur Création de facture → ")
    hook(camille, "step-go").click()
    camille.wait_for_url(f"**{NEW_INVOICE}")
    expect_step_on(camille, DISCOUNT)
    expect(hook(camille, "step-complete")).to_have_text("Terminé")
    finish_the_tour(camille)

    camille.goto(f"{stack.url}/maison-oree/commandes")
    with camille.expect_response("**/v1/ai/ask") as answered:
        ask(camille, "Comment ajouter une remise ?")
    assert answered.value.json()["source"] == "history"
    expect(hook(camille, "step-missing")).to_be_visible()
    camille.keyboard.press("Escape")
    hook(camille, "launcher").click()
    expect(hook(camille, "answer-title")).to_contain_text("C’est sur Création de facture → ")
