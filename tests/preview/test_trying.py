"""Trying a version on its page: what the bar says, what the guide does, and that nothing of it is counted."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.axe import violations
from tests.preview.conftest import PAGE, PATH, STEPS, TOKEN, Try, tour
from tests.scan.site import Site
from tests.tour.guiding import card, expect_step_on, step
from tests.widget.acting import part
from tests.widget.circuy_server import TOUR, CircuyServer, Reply


def states(page: Page) -> list[str]:
    return [chip.get_attribute("data-state") or "" for chip in part(page, "preview-step").all()]


def test_the_link_opens_the_version_with_a_bar_and_plays_it(try_out: Try, server: CircuyServer) -> None:
    page = try_out(tried=tour(*STEPS, version=3))
    expect_step_on(page, "#client")
    expect(part(page, "preview-title")).to_have_text("Essai du guide «\u00a0Créer une facture\u00a0»")
    expect(part(page, "preview-where")).to_have_text("version 3 · Étape 1/3")
    assert "circuy-preview" not in page.url
    (asked,) = server.asked(f"/v1/tours/{TOUR['tour_id']}")
    assert asked.query == {"preview": [TOKEN]}
    assert page.locator("circuy-widget").count() == 0


def test_every_step_says_at_once_how_it_finds_its_element(try_out: Try) -> None:
    steps = (
        step("#client"),
        step("#gone", fallback="input[name=remise]"),
        step("#nowhere"),
        step("p"),
        step("#client", route="/clients"),
        step("form > p:nth-of-type(3) > button"),
    )
    page = try_out(tried=tour(*steps))
    expect_step_on(page, "#client")
    assert states(page) == ["primary", "fallback", "missing", "ambiguous", "elsewhere", "fragile"]
    expect(part(page, "preview-step").nth(1)).to_contain_text("trouvée par le second repère")
    expect(part(page, "preview-step").nth(2)).to_contain_text("introuvable")


def test_what_a_step_says_follows_the_page(try_out: Try) -> None:
    page = try_out()
    expect(part(page, "preview-step").nth(2)).to_contain_text("introuvable")
    page.evaluate("document.querySelector('#save').id = 'nowhere'")
    expect(part(page, "preview-step").nth(2)).to_have_attribute("data-state", "primary")


def test_a_step_in_a_closed_part_is_no_worry(try_out: Try) -> None:
    page = try_out("<details><summary>Plus</summary><input id=x></details>", tried=tour(step("#x")))
    expect(part(page, "preview-step")).to_have_attribute("data-state", "closed")


def test_nothing_of_a_try_out_is_reported(try_out: Try, server: CircuyServer) -> None:
    page = try_out()
    expect_step_on(page, "#client")
    part(page, "step-next").click()
    expect_step_on(page, "#remise")
    part(page, "step-cancel").click()
    expect(part(page, "preview-status")).to_contain_text("Rien n’a été compté")
    page.goto("about:blank")
    assert server.asked("/v1/events") == []


def test_it_can_be_played_again_and_from_any_step(try_out: Try) -> None:
    page = try_out()
    expect_step_on(page, "#client")
    part(page, "preview-step").nth(1).click()
    expect_step_on(page, "#remise")
    expect(part(page, "preview-where")).to_have_text("version 1 · Étape 2/3")
    expect(part(page, "preview-step").nth(1)).to_have_attribute("aria-current", "step")
    part(page, "preview-replay").click()
    expect_step_on(page, "#client")


def test_it_goes_on_over_pages_and_does_not_start_again_once_it_was_over(try_out: Try, site: Site) -> None:
    page = try_out()
    expect_step_on(page, "#client")
    part(page, "step-next").click()
    expect_step_on(page, "#remise")
    page.reload()
    expect_step_on(page, "#remise")
    expect(part(page, "preview-where")).to_have_text("version 1 · Étape 2/3")
    page.keyboard.press("Escape")
    expect(card(page)).to_be_hidden()
    page.goto(site.url + PATH)
    expect(part(page, "preview-replay")).to_be_visible()
    expect(card(page)).to_be_hidden()


def test_on_another_page_the_guide_shows_the_way(try_out: Try) -> None:
    page = try_out(path="/accueil")
    expect(part(page, "step-missing")).to_contain_text("autre page")
    assert states(page) == ["elsewhere"] * 3
    expect(part(page, "preview-pick")).to_be_disabled()


def test_leaving_it_gives_the_page_back_to_the_widget(try_out: Try, site: Site) -> None:
    page = try_out()
    expect_step_on(page, "#client")
    part(page, "preview-quit").click()
    expect(page.locator("circuy-preview, circuy-tour")).to_have_count(0)
    expect(part(page, "launcher")).to_be_visible()
    page.goto(site.url + PATH)
    expect(part(page, "launcher")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0


def test_a_token_that_has_ended_says_so_and_what_to_do(try_out: Try, server: CircuyServer, faults: list[str]) -> None:
    sentence = "Cet essai est terminé : il dure une demi-heure. Rouvrez-le depuis la page de relecture du guide."
    gone = Reply({"code": "preview_token_invalid", "detail": sentence, "status": 401}, 401)

    class Gone(dict[str, Reply]):
        def get(self, path: str, default: Reply | None = None) -> Reply | None:  # type: ignore[override]
            return gone if path.startswith("/v1/tours/") else super().get(path, default)

    server.replies = Gone(server.replies)
    page = try_out()
    expect(part(page, "preview-status")).to_contain_text("Rouvrez-le depuis la page de relecture")
    expect(part(page, "preview-retry")).to_have_count(0)
    part(page, "preview-quit").click()
    expect(part(page, "launcher")).to_be_visible()
    faults[:] = [fault for fault in faults if "status of 401" not in fault]


def test_a_server_out_of_reach_can_be_tried_again(try_out: Try, server: CircuyServer, faults: list[str]) -> None:
    page = try_out()
    expect_step_on(page, "#client")
    page.route("**/v1/tours/**", lambda route: route.abort())
    page.reload()
    expect(part(page, "preview-status")).to_contain_text("Je n’arrive pas à joindre le serveur")
    page.unroute("**/v1/tours/**")
    part(page, "preview-retry").click()
    expect_step_on(page, "#client")
    faults[:] = [fault for fault in faults if "ERR_FAILED" not in fault]


def test_the_bar_is_within_reach_while_the_page_shows_a_modal_dialog(try_out: Try) -> None:
    page = try_out(f"{PAGE}<dialog id=d><button id=in>Valider</button></dialog>", tried=tour(step("#in")))
    page.evaluate("document.querySelector('#d').showModal()")
    expect_step_on(page, "#in")
    part(page, "preview-replay").click()
    expect_step_on(page, "#in")
    assert page.evaluate("document.querySelector('circuy-preview').parentElement.id") == "d"


def test_the_bar_gives_way_to_what_the_step_is_about(try_out: Try) -> None:
    page = try_out("<br>" * 150 + "<button id=low>Tout en bas</button>", tried=tour(step("#low")))
    expect_step_on(page, "#low")
    page.wait_for_function(
        """() => {
            const { shadowRoot } = document.querySelector('circuy-preview');
            const bar = shadowRoot.querySelector('.bar').getBoundingClientRect();
            const low = document.querySelector('#low').getBoundingClientRect();
            return bar.bottom < low.top || bar.top > low.bottom;
        }"""
    )


@pytest.mark.parametrize("width", [1280, 360])
def test_the_guide_s_card_and_the_bar_do_not_cover_each_other(try_out: Try, width: int) -> None:
    page = try_out()
    page.set_viewport_size({"width": width, "height": 740})
    expect_step_on(page, "#client")
    page.wait_for_function(
        """() => {
            const root = (host) => document.querySelector(host).shadowRoot;
            const of = (host, part) => root(host).querySelector(part).getBoundingClientRect();
            const bar = of('circuy-preview', '.bar'), card = of('circuy-tour', '.shepherd-content');
            return bar.top >= card.bottom || bar.bottom <= card.top || bar.left >= card.right || bar.right <= card.left;
        }"""
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nothing_of_it_is_out_of_reach_for_people_who_cannot_see_it(try_out: Try) -> None:
    page = try_out()
    expect_step_on(page, "#client")
    expect(part(page, "preview-step").nth(2)).to_have_attribute("data-state", "missing")
    assert violations(page, "circuy-preview") == []
    part(page, "preview-pick").click()
    expect(part(page, "pick-pane")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(part(page, "pick-chip")).to_be_visible()
    assert violations(page, "circuy-preview") == []


def test_a_page_in_english_of_a_french_organization_gets_the_bar_in_french(try_out: Try) -> None:
    page = try_out(lang="en")
    expect(part(page, "preview-quit")).to_contain_text("Quitter l’essai")
    assert json.loads(page.evaluate("JSON.stringify(document.querySelector('circuy-preview').lang)")) == "fr"
