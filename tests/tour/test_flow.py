"""A guide goes on with the user: over pages, by their own clicks, one at a time, in one tab."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.chromium import with_windows
from tests.tour.guiding import (
    card,
    events,
    expect_apart,
    expect_nothing_left,
    expect_step_on,
    guide,
    part,
    press_next,
    start,
    step,
)

LIST = "<h1>Commandes</h1><a id=new href='/orders/new'>Nouvelle commande</a>"
FORM = "<h1>Nouvelle commande</h1><input id=client aria-label=Client><button id=save>Enregistrer</button>"
TO_THE_FORM = (
    step("#new", "Cliquez sur « Nouvelle commande ».", route="/orders"),
    step("#client", "Choisissez le client.", route="/orders/new"),
    step("#save", "Enregistrez.", route="/orders/new"),
)


@pytest.fixture
def orders(open_page):
    return open_page(LIST, path="/orders", others={"/orders/new": FORM, "/help": "<h1>Aide</h1>"})


def test_the_user_s_own_click_leads_on_to_the_next_page_and_the_guide_goes_on_there(orders):
    start(orders, *TO_THE_FORM)
    expect_step_on(orders, "#new")
    orders.locator("#new").click()
    orders.wait_for_url("**/orders/new")
    expect_step_on(orders, "#client")
    expect(part(orders, "step-counter")).to_have_text("2 / 3")
    assert events(orders, "started") == []


def test_a_page_reached_in_another_way_takes_the_guide_to_its_first_step_there(orders, site):
    start(orders, *TO_THE_FORM)
    expect_step_on(orders, "#new")
    orders.goto(f"{site.url}/orders/new")
    expect_step_on(orders, "#client")


def test_a_reload_goes_on_with_the_same_step(orders, site):
    orders.goto(f"{site.url}/orders/new")
    start(orders, *TO_THE_FORM[1:])
    press_next(orders)
    expect_step_on(orders, "#save")
    orders.reload()
    expect_step_on(orders, "#save")


def test_on_a_page_that_no_step_is_about_the_guide_is_forgotten(orders, site):
    start(orders, *TO_THE_FORM)
    expect_step_on(orders, "#new")
    orders.goto(f"{site.url}/help")
    orders.wait_for_function("window.player !== undefined")
    expect_nothing_left(orders)
    orders.goto(f"{site.url}/orders/new")
    orders.wait_for_function("window.player !== undefined")
    expect_nothing_left(orders)
    assert orders.evaluate("sessionStorage.length") == 0


def test_after_half_an_hour_the_guide_is_forgotten(orders, site):
    start(orders, *TO_THE_FORM)
    expect_step_on(orders, "#new")
    orders.add_init_script("Date.now = ((now) => () => now() + 31 * 60 * 1000)(Date.now)")
    orders.goto(f"{site.url}/orders/new")
    orders.wait_for_function("window.player !== undefined")
    expect_nothing_left(orders)


@pytest.mark.parametrize(
    "kept",
    ["nonsense", "null", "{}", '{"guide":{"steps":[{}]},"index":0,"home":"/orders","until":9e15}', '{"index":-1}'],
)
def test_what_others_wrote_in_our_place_is_not_taken_for_a_guide(orders, kept):
    orders.evaluate("kept => { sessionStorage.setItem('circuy:guide', kept); }", kept)
    orders.reload()
    orders.wait_for_function("window.player !== undefined")
    expect_nothing_left(orders)


def test_another_tab_does_not_play_it_too(orders):
    orders.evaluate("document.querySelector('#new').target = '_blank'")
    start(orders, step("#new"), step("h1"))
    expect_step_on(orders, "#new")
    with orders.context.expect_page() as opened:
        orders.locator("#new").click()
    other = opened.value
    other.wait_for_function("window.player !== undefined")
    expect_nothing_left(other)
    expect_step_on(orders, "h1")


def test_a_guide_for_another_page_says_so_first_and_offers_to_go_there(orders):
    start(orders, *TO_THE_FORM[1:])
    expect_apart(orders, "Cette étape se passe sur une autre page (/orders/new).")
    expect(part(orders, "tour-waiting")).to_be_hidden()
    part(orders, "step-go").click()
    orders.wait_for_url("**/orders/new")
    expect_step_on(orders, "#client")


@pytest.mark.parametrize("route", ["//evil.example/x", "/orders/*", "javascript:alert(1)", "https://evil.example/"])
def test_no_way_is_offered_to_a_route_that_is_not_one_page_of_this_site(orders, route):
    start(orders, step("#client", route=route))
    expect(part(orders, "step-missing")).to_contain_text("autre page")
    expect(part(orders, "step-go")).to_have_count(0)


APP = (
    "<main><button id=go>Créer</button></main><script>addEventListener('click', (event) => {"
    " if (event.target.id !== 'go') return; CHANGE;"
    " setTimeout(() => { document.querySelector('main').innerHTML = '<input id=client aria-label=Client>'; }, 150);"
    "});</script>"
)


@pytest.mark.parametrize(
    ("change", "route"),
    [
        ("history.pushState({}, '', '/app/new')", "/app/new"),
        ("history.replaceState({}, '', '/app/new')", "/app/new"),
        ("location.hash = '#/new'", "/app#/new"),
        ("navigation.navigate('/app/new', { history: 'push' })", "/app/new"),
    ],
)
def test_in_an_application_of_one_page_the_guide_follows_to_the_next_route(open_page, change, route):
    intercept = "<script>navigation.addEventListener('navigate', (event) => event.intercept());</script>"
    page = open_page(
        APP.replace("CHANGE", change), path="/app", head=intercept if "navigation.navigate" in change else ""
    )
    start(page, step("#go", route="/app"), step("#client", route=route))
    expect_step_on(page, "#go")
    page.locator("#go").click()
    expect_step_on(page, "#client")
    expect(part(page, "step-counter")).to_have_text("2 / 2")


def test_going_back_within_an_application_says_where_the_step_is_and_finds_it_again_there(open_page):
    page = open_page("<button id=x>Ici</button>", path="/app")
    page.evaluate("history.pushState({}, '', '/app/new')")
    start(page, step("#x", route="/app/new"))
    expect_step_on(page, "#x")
    page.go_back()
    expect_apart(page, "autre page (/app/new)")
    page.go_forward()
    expect_step_on(page, "#x")


def test_the_element_that_is_meant_advances_and_not_the_first_that_looks_like_it(open_page):
    page = open_page("<button class=m style='display:none'>A</button><button class=m id=m2>B</button><i id=y>Fin</i>")
    start(page, step(".m"), step("#y"))
    expect_step_on(page, "#m2")
    page.locator("#m2").click()
    expect_step_on(page, "#y")


def test_clicks_of_scripts_and_clicks_elsewhere_do_not_advance(open_page):
    page = open_page("<button id=x>X</button><button id=other>Autre</button><i id=y>Fin</i>")
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    page.locator("#x").evaluate("button => button.click()")
    page.locator("#other").click()
    expect(part(page, "step-counter")).to_have_text("1 / 2")


def test_a_click_that_the_page_keeps_to_itself_advances_all_the_same(open_page):
    page = open_page("<button id=x onclick='event.stopImmediatePropagation()'>X</button><i id=y>Fin</i>")
    start(page, step("#x"), step("#y"))
    page.locator("#x").click()
    expect_step_on(page, "#y")


def test_a_step_can_wait_for_a_change_of_its_field(open_page):
    page = open_page("<select id=x aria-label=Pays><option>France<option>Italie</select><i id=y>Fin</i>")
    start(page, step("#x", advanceOn={"event": "change"}), step("#y"))
    expect_step_on(page, "#x")
    page.locator("#x").focus()
    page.keyboard.press("ArrowDown")
    expect_step_on(page, "#y")


def test_typing_in_a_field_does_not_advance_by_itself(open_page):
    page = open_page("<input id=x aria-label=Nom><i id=y>Fin</i>")
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    page.locator("#x").click()
    page.keyboard.type("Zoé")
    expect(part(page, "step-counter")).to_have_text("1 / 2")


def test_the_last_step_is_completed_by_the_click_it_asks_for(open_page):
    page = open_page("<button id=x onclick='this.textContent = \"fait\"'>Enregistrer</button>")
    start(page, step("#x"))
    expect_step_on(page, "#x")
    page.locator("#x").click()
    expect_nothing_left(page)
    expect(page.locator("#x")).to_have_text("fait")
    assert page.evaluate("player.outcome") == "completed"


def test_one_can_go_back_and_the_buttons_stay(open_page):
    page = open_page("<button id=x>X</button><button id=y>Y</button>")
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    part(page, "step-back").click()
    expect(part(page, "step-counter")).to_have_text("1 / 2")
    press_next(page)
    expect_step_on(page, "#y")
    part(page, "step-back").click()
    expect_step_on(page, "#x")
    press_next(page)
    press_next(page)
    expect_nothing_left(page)


def test_a_second_guide_takes_the_place_of_the_first(open_page):
    page = open_page("<button id=x>X</button><button id=y>Y</button>")
    start(page, step("#x"))
    expect_step_on(page, "#x")
    start(page, step("#y"))
    expect_step_on(page, "#y")
    expect(page.locator("circuy-tour")).to_have_count(1)
    expect(card(page)).to_have_count(1)
    assert len(events(page, "cancelled")) == 1


def test_a_guide_that_fails_is_ended_and_leaves_nothing_behind(open_page, faults):
    page = open_page("<button id=x>X</button>")
    page.evaluate("guide => { delete guide.steps[0].text; player.start(guide); }", guide(step("#x")))
    expect_nothing_left(page)
    assert page.evaluate("player.outcome") == "cancelled"
    assert len(faults) == 1
    assert "the guide had to end" in faults.pop()


def test_a_page_that_the_browser_brings_back_as_it_was_does_not_play_an_old_step(
    browser_type, browser_type_launch_args, open_page, site
):
    kept_whole = ["--disable-back-forward-cache"]
    browser = browser_type.launch(**with_windows(browser_type_launch_args), ignore_default_args=kept_whole)
    try:
        context = browser.new_context(locale="fr-FR")
        page = open_page(LIST, path="/orders", others={"/orders/new": FORM}, within=context)
        page.evaluate("addEventListener('pageshow', (event) => { window.broughtBack = event.persisted; })")
        start(page, *TO_THE_FORM)
        page.locator("#new").click()
        page.wait_for_url("**/orders/new")
        expect_step_on(page, "#client")
        part(page, "step-cancel").click()
        expect_nothing_left(page)
        page.go_back(wait_until="commit")
        page.wait_for_function("window.player !== undefined")
        assert page.evaluate("window.broughtBack") is True
        expect_nothing_left(page)
    finally:
        browser.close()
