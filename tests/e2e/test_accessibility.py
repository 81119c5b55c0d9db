"""What people meet who cannot see the screen or use a mouse: every page of ours, checked and walked through."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.axe import COLOURS, violations
from tests.e2e.acting import (
    DISCOUNT,
    NEW_INVOICE,
    ask,
    enter_the_administration,
    enter_the_back_office,
    expect_step_on,
    finish_the_tour,
    hook,
    open_the_recorder,
)

_IDENTIFIER = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d+")
_NOT_WALKED = ("/admin/logout/", "/admin/jsi18n/")
_FEWEST_SCREENS = 20
_INSIGHT = {"/admin/insight/", "/admin/insight/questions/", "/admin/insight/tours/N/"}


def test_axe_finds_nothing_wrong_on_any_screen_of_the_administration_light_or_dark(stack, people):
    leave_something_to_review(stack, people)
    leave_something_to_count(stack, people)
    claire = people("claire")
    claire.emulate_media(reduced_motion="reduce")
    enter_the_administration(claire, stack.url)
    leave_something_to_measure(claire, stack.url, wish="Où réserver un vol de nuit ?")
    found: dict[str, list[str]] = {}
    seen: set[str] = set()
    waiting = [f"{stack.url}/admin/"]
    while waiting:
        address = waiting.pop(0)
        claire.emulate_media(color_scheme="light")
        claire.goto(address)
        wrong = violations(claire)
        claire.emulate_media(color_scheme="dark")
        if wrong := [*wrong, *violations(claire, rules=COLOURS)]:
            found[address] = wrong
        waiting += new_screens(claire, seen)
    assert found == {}
    assert len(seen) >= _FEWEST_SCREENS, seen
    assert seen >= _INSIGHT


def leave_something_to_review(stack: Any, people: Any) -> None:
    nadia = people("nadia")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    ask(nadia, "Où choisir le client ?")
    expect(hook(nadia, "step-dialog")).to_be_visible()


def leave_something_to_count(stack: Any, people: Any) -> None:
    """Follow a guide to its end, and ask in vain: a tour has a funnel then, and a page a question without an answer."""
    nadia = people("nadia")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    ask(nadia, "Comment rembourser un voyage sur la lune ?")
    expect(hook(nadia, "fallback")).to_be_visible()
    ask(nadia, "Comment ajouter une remise ?")
    expect_step_on(nadia, DISCOUNT)
    with nadia.expect_response("**/v1/events"):
        finish_the_tour(nadia)


def leave_something_to_measure(claire: Page, url: str, *, wish: str) -> None:
    """Keep a question that is not answered right, and have it measured."""
    claire.goto(f"{url}/admin/evaluation/add/")
    claire.locator("main li a").first.click()
    claire.locator("#question").fill(wish)
    claire.locator("#step-1").select_option(index=1)
    claire.locator("button[value=keep]").click()
    expect(claire.locator("main [role=status]").first).to_be_visible()
    claire.goto(f"{url}/admin/evaluation/")
    claire.locator("button[value=local]").click()
    expect(claire.locator(".misses li").filter(has_text=wish)).to_be_visible(timeout=30_000)


def new_screens(page: Page, seen: set[str]) -> list[str]:
    """Addresses of the administration that this page links to: one of each kind, ids apart."""
    addresses: list[str] = []
    for link in page.locator("a[href]").evaluate_all("links => links.map(link => link.href)"):
        parts = urlsplit(link)
        kind = _IDENTIFIER.sub("N", parts.path)
        is_screen = parts.path.startswith("/admin/") and not parts.path.startswith(_NOT_WALKED)
        if is_screen and not parts.path.endswith(".csv") and kind not in seen:
            seen.add(kind)
            addresses.append(link.partition("#")[0])
    return addresses


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_in_the_panel_and_in_a_step(stack, people, scheme):
    nadia = people("nadia")
    nadia.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    hook(nadia, "launcher").click()
    expect(hook(nadia, "page-suggestions")).to_be_visible()
    assert violations(nadia, "circuy-widget") == []
    ask(nadia, "Comment rembourser un voyage sur la lune ?")
    expect(hook(nadia, "fallback")).to_be_visible()
    assert violations(nadia, "circuy-widget") == []
    ask(nadia, "Comment ajouter une remise ?")
    expect_step_on(nadia, DISCOUNT)
    assert violations(nadia, "circuy-tour") == []
    finish_the_tour(nadia)
    expect(hook(nadia, "rating")).to_be_visible()
    assert violations(nadia, "circuy-widget") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_in_the_recorder(stack, people, scheme):
    claire = people("claire")
    claire.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    enter_the_administration(claire, stack.url)
    enter_the_back_office(claire, stack.url, "camille.roux")
    recorder = open_the_recorder(claire, stack.url, NEW_INVOICE)
    recorder.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    expect(hook(recorder, "node").first).to_be_visible()
    assert violations(recorder, "circuy-recorder") == []


def test_a_guide_is_asked_for_and_followed_with_the_keyboard_alone(stack, people):
    nadia = people("nadia")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    expect(hook(nadia, "launcher")).to_be_visible()
    press_until(nadia, "Shift+Tab", "launcher")
    nadia.keyboard.press("Enter")
    expect(hook(nadia, "question")).to_be_focused()
    nadia.keyboard.type("Créer une facture pour un client avec une remise")
    nadia.keyboard.press("Enter")
    expect_step_on(nadia, "#client-select-dropdown")
    expect(hook(nadia, "step-dialog")).to_be_focused()
    for counter in ("2 / 3", "3 / 3"):
        press_until(nadia, "Tab", "step-next")
        nadia.keyboard.press("Enter")
        expect(hook(nadia, "step-counter")).to_have_text(counter)
        expect(hook(nadia, "step-dialog")).to_be_focused()
    press_until(nadia, "Tab", "step-complete")
    nadia.keyboard.press("Enter")
    expect(hook(nadia, "step-dialog")).to_be_hidden()
    expect(hook(nadia, "rating")).to_be_visible()
    press_until(nadia, "Tab", "rate-up")
    nadia.keyboard.press("Enter")
    expect(hook(nadia, "rated")).to_be_visible()
    nadia.keyboard.press("Escape")
    expect(hook(nadia, "panel")).to_be_hidden()
    expect(hook(nadia, "launcher")).to_be_focused()


def press_until(page: Page, key: str, name: str) -> None:
    """Press `key` until this part of Circuy's interface has the focus."""
    for _ in range(60):
        page.keyboard.press(key)
        if hook(page, name).evaluate_all("([one]) => one !== undefined && one.matches(':focus')"):
            return
    raise AssertionError(f"{key} never reaches {name}")


def test_a_screen_reader_is_told_what_the_panel_and_the_step_are(stack, people):
    nadia = people("nadia")
    enter_the_back_office(nadia, stack.url, "nadia.benali")
    nadia.goto(stack.url + NEW_INVOICE)
    hook(nadia, "launcher").click()
    expect(hook(nadia, "panel")).to_match_aria_snapshot(
        """
        - dialog "Besoin d’aide ?":
          - heading "Besoin d’aide ?" [level=2]
          - paragraph: Je vous montre le bon endroit, directement sur la page.
          - button "Fermer"
          - log "Besoin d’aide ?":
            - paragraph: /Bonjour/
          - heading "Sur cette page, vous pouvez :" [level=3]
          - button
          - button
          - button
          - textbox "Votre question"
          - button "Envoyer" [disabled]
        """
    )
    ask(nadia, "Comment ajouter une remise ?")
    expect_step_on(nadia, DISCOUNT)
    expect(hook(nadia, "step-dialog")).to_match_aria_snapshot(
        """
        - dialog "Saisir la remise":
          - img "Étape 1 sur 1"
          - button "Fermer le guide"
          - heading "Saisir la remise" [level=2]
          - paragraph: /« Remise/
          - paragraph: /relecture/
          - button "Terminé"
        """
    )
    # It has the focus, so it is read out as a whole: the live region has nothing to add.
    expect(hook(nadia, "step-dialog")).to_be_focused()
    finish_the_tour(nadia)
    expect(hook(nadia, "thread")).to_match_aria_snapshot(
        """
        - log:
          - paragraph: /Bonjour/
          - paragraph: Comment ajouter une remise ?
          - paragraph: /remise/
          - paragraph: /relecture/
          - button "Revoir le guide"
          - button "Cette réponse m’aide"
          - button "Cette réponse ne m’aide pas"
          - paragraph: C’est fait ?
          - button "Oui"
          - button "Pas encore"
        """
    )
