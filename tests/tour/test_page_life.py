"""Addresses, histories, tabs and languages of pages that come and go under a guide."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.chromium import with_windows
from tests.tour.guiding import (
    card,
    expect_apart,
    expect_nothing_left,
    expect_step_on,
    learn,
    part,
    press_next,
    start,
    step,
)

LIST = "<h1>Commandes</h1><a id=new href='/orders/new'>Nouvelle commande</a>"
FORM = "<h1>Nouvelle commande</h1><input id=client aria-label=Client><a id=back href='/orders'>Retour</a>"
TO_THE_FORM = (step("#new", route="/orders"), step("#client", route="/orders/new"))
ELSEWHERE = "<base href='https://elsewhere.example/deep/'>"


def test_a_page_whose_addresses_start_elsewhere_is_guided_and_what_judges_comes_from_our_server(open_page):
    page = open_page("<main><button id=x>Payer</button></main>")
    learnt = learn(page, "Payer")
    page.evaluate("base => { document.querySelector('main').insertAdjacentHTML('beforebegin', base); }", ELSEWHERE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate("document.querySelector('main').innerHTML = '<p><button class=y>Payer</button></p>'")
    start(page, learnt)
    expect_step_on(page, ".y")
    assert [url for url in asked if "judge" in url]
    assert not [url for url in asked if "elsewhere" in url]


def test_the_way_to_another_page_is_one_of_this_site_whatever_the_page_takes_for_its_base(open_page, site):
    page = open_page(ELSEWHERE + LIST, path="/orders", others={"/orders/new": FORM})
    start(page, *TO_THE_FORM[1:])
    expect_apart(page, "autre page (/orders/new)")
    part(page, "step-go").click()
    page.wait_for_url(f"{site.url}/orders/new")
    expect_step_on(page, "#client")


@pytest.mark.parametrize("restoration", ["auto", "manual"])
def test_after_a_reload_the_target_is_brought_into_sight_and_the_page_keeps_its_way_of_scrolling(
    open_page, restoration
):
    page = open_page(
        "<p style='height:150px'></p><button id=x>X</button><div style='height:4000px'></div>",
        head=f"<script>history.scrollRestoration = '{restoration}'</script>",
    )
    start(page, step("#x"))
    expect_step_on(page, "#x")
    page.evaluate("scrollTo(0, 3000)")
    expect(part(page, "spotlight")).to_be_hidden()
    page.reload()
    expect_step_on(page, "#x")
    expect(page.locator("#x")).to_be_in_viewport(ratio=1)
    assert page.evaluate("history.scrollRestoration") == restoration
    assert page.evaluate("history.length") == 2


def test_a_guide_adds_nothing_to_the_history_and_leaves_its_state_alone(open_page):
    page = open_page("<button id=x>X</button><button id=y>Y</button>")
    page.evaluate("history.replaceState({ theirs: 1 }, '')")
    before = page.evaluate("[history.length, history.state, location.href, history.scrollRestoration]")
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    press_next(page)
    expect_step_on(page, "#y")
    press_next(page)
    expect_nothing_left(page)
    assert page.evaluate("[history.length, history.state, location.href, history.scrollRestoration]") == before


def test_the_second_step_in_mind_on_the_first_page_is_forgotten_and_does_not_come_up_later(open_page, site):
    page = open_page(LIST, path="/orders", others={"/orders/new": FORM})
    start(page, *TO_THE_FORM)
    page.locator("#new").click()
    expect_step_on(page, "#client")
    page.locator("#back").click()
    page.wait_for_url("**/orders")
    page.wait_for_function("window.player !== undefined")
    expect_nothing_left(page)
    page.goto(f"{site.url}/orders/new")
    page.wait_for_function("window.player !== undefined")
    expect_nothing_left(page)
    assert page.evaluate("sessionStorage.length") == 0


def test_each_of_two_tabs_goes_on_with_its_own_guide(open_page):
    one = open_page(LIST, path="/orders", others={"/orders/new": FORM})
    two = open_page(LIST, path="/orders", others={"/orders/new": FORM})
    start(one, *TO_THE_FORM)
    start(two, step("h1", route="/orders"), step("#back", route="/orders/new"))
    expect_step_on(one, "#new")
    expect_step_on(two, "h1")
    two.reload()
    expect_step_on(two, "h1")
    one.locator("#new").click()
    expect_step_on(one, "#client")
    two.locator("#new").click()
    expect_step_on(two, "#back")
    part(one, "step-cancel").click()
    expect_nothing_left(one)
    two.reload()
    expect_step_on(two, "#back")


OpenKept = Callable[..., Page]


@pytest.fixture
def open_kept(browser_type, browser_type_launch_args, open_page) -> Iterator[OpenKept]:
    """Open a page in a browser that keeps pages whole when they are left, as people's browsers do."""
    browser = browser_type.launch(
        **with_windows(browser_type_launch_args), ignore_default_args=["--disable-back-forward-cache"]
    )
    context: BrowserContext = browser.new_context(locale="fr-FR", viewport={"width": 1280, "height": 900})

    def opened(html: str, **more: object) -> Page:
        context.add_init_script(
            "window.shows = []; addEventListener('pageshow', ({ persisted }) => { shows.push(persisted); })"
        )
        page: Page = open_page(html, within=context, **more)
        return page

    yield opened
    browser.close()


def brought_back(page: Page, go: str) -> None:
    getattr(page, go)(wait_until="commit")
    page.wait_for_function("window.shows?.at(-1) === true")


def test_a_page_brought_back_in_the_middle_of_a_guide_does_not_show_a_step_that_is_over(open_kept):
    page = open_kept(LIST, path="/orders", others={"/orders/new": FORM})
    start(page, *TO_THE_FORM)
    page.locator("#new").click()
    expect_step_on(page, "#client")
    brought_back(page, "go_back")
    expect_nothing_left(page)
    page.keyboard.press("Escape")
    brought_back(page, "go_forward")
    expect_nothing_left(page)


def test_a_page_brought_back_goes_on_with_the_step_that_is_its_own(open_kept):
    steps = (step("h1", route="/orders"), step("#client", route="/orders/new"), step("#new", route="/orders"))
    page = open_kept(LIST, path="/orders", others={"/orders/new": FORM})
    start(page, *steps)
    expect_step_on(page, "h1")
    page.evaluate("location.href = '/orders/new'")
    page.wait_for_url("**/orders/new")
    expect_step_on(page, "#client")
    brought_back(page, "go_back")
    expect_step_on(page, "#new")
    expect(page.locator("circuy-tour")).to_have_count(1)
    expect(card(page)).to_have_count(1)
    expect(part(page, "step-counter")).to_have_text("3 / 3")


def test_a_guide_that_only_left_its_page_for_a_moment_is_there_when_the_page_is_brought_back(open_kept, site):
    site.put("/plain", "<!doctype html><title>Sans guide</title><p>Sans Circuy")
    page = open_kept(LIST, path="/orders", others={"/orders/new": FORM})
    start(page, step("#new", route="/orders"), step("h1", route="/orders"))
    expect_step_on(page, "#new")
    page.goto(f"{site.url}/plain")
    brought_back(page, "go_back")
    expect_step_on(page, "#new")
    page.keyboard.press("Escape")
    expect_nothing_left(page)


@pytest.mark.parametrize("fails", ["throw new Error('theirs')", "return Promise.reject(new Error('theirs'))"])
def test_a_listener_that_fails_leaves_the_guide_on_the_page_or_ends_it(open_page, faults, fails):
    page = open_page("<button id=x>X</button><button id=y>Y</button>")
    page.evaluate(f"document.querySelector('#x').addEventListener('click', async () => {{ {fails} }})")
    page.evaluate(f"document.querySelector('#x').addEventListener('click', () => {{ {fails} }})")
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    page.locator("#x").click()
    expect_step_on(page, "#y")
    press_next(page)
    expect_nothing_left(page)
    assert len(faults) == 2
    assert all("theirs" in fault for fault in faults)
    faults.clear()
