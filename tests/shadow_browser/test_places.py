"""Pages, routes, frames and shadow roots: where things happen, why the page changed, and what cannot be seen."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.scan.site import Site
from tests.shadow_browser.conftest import STREAM, AddPage, Show
from tests.widget.acting import part, until
from tests.widget.circuy_server import CircuyServer, Reply

ROUTES = """document.querySelector('nav').onclick = (event) => {
    const to = event.target.dataset;
    if (to.push) history.pushState({}, '', to.push);
    if (to.replace) history.replaceState({}, '', to.replace);
};"""


def test_routes_are_told_with_their_cause_and_a_search_that_rewrites_its_address_is_none(show: Show) -> None:
    shown = show(
        "<nav><button data-push=/clients>Clients</button><button data-replace='/clients?q=lin'>Chercher</button>"
        "<button data-replace=/accueil>Accueil</button></nav>",
        script=ROUTES,
    )
    page = shown.page
    page.get_by_role("button", name="Clients").click()
    page.get_by_role("button", name="Chercher").click()
    page.get_by_role("button", name="Accueil").click()
    page.go_back()
    page.go_forward()
    shown.wait_for("navigate", 4)
    assert [event["cause"] for event in shown.events("navigate")] == ["push", "replace", "back", "forward"]


def test_each_page_says_what_led_to_it(show: Show, add_page: AddPage, site: Site) -> None:
    add_page("/clients", "<h1>Clients</h1><a href=/commandes/42>Retour</a>")
    shown = show("<a href=/clients>Clients</a>")
    page = shown.page
    page.locator("a").click()
    shown.wait_for("navigate", 1)
    page.reload()
    shown.wait_for("navigate", 2)
    page.go_back()
    shown.wait_for("navigate", 3)
    page.go_forward()
    shown.wait_for("navigate", 4)
    page.goto(site.url + "/commandes/42")
    shown.wait_for("navigate", 5)
    assert shown.told() == [
        "click Clients",
        "navigate link",
        "navigate reload",
        "navigate back",
        "navigate forward",
        "navigate typed",
    ]
    sequences = [event["sequence"] for event in shown.events()]
    assert sequences == sorted(set(sequences))


def test_what_was_not_sent_is_sent_by_the_next_page(
    show: Show, add_page: AddPage, server: CircuyServer, faults: list[str]
) -> None:
    add_page("/clients", "<h1>Clients</h1><button id=add>Ajouter</button>")
    shown = show("<input id=q aria-label=Chercher><a href=/clients>Clients</a>")
    page = shown.page
    lost = Reply({"code": "unavailable", "detail": ""}, 503)
    server.replies[STREAM] = lost
    page.locator("#q").click()
    page.keyboard.type("lin")
    page.locator("a").click()
    page.wait_for_url("**/clients")
    expect(part(page, "rec-bar")).to_be_visible()
    server.calls.clear()
    server.replies[STREAM] = Reply({"status": "accepted"}, 202)
    page.locator("#add").click()
    until(lambda: "click Ajouter" in shown.told(), page, 15)
    assert shown.told() == ["click Chercher", "fill Chercher lin", "click Clients", "navigate link", "click Ajouter"]
    expect(part(page, "rec-count")).to_have_text("4 actions")
    faults.clear()


def test_frames_and_shadow_roots_are_seen_also_when_they_come_late(show: Show, site: Site) -> None:
    site.put("/inner", "<!doctype html><title>Cadre</title><label>Ville <input id=town></label>")
    shown = show(
        "<button id=late>Plus</button><div id=host></div>",
        script="""host.attachShadow({mode: 'open'});
            const box = document.createElement('input'); box.type = 'checkbox'; box.ariaLabel = 'Cadeau';
            host.shadowRoot.append(box);
            late.onclick = () => { const frame = document.createElement('iframe'); frame.id = 'frame';
              frame.src = '/inner'; document.body.append(frame); };""",
    )
    page = shown.page
    page.get_by_role("checkbox").check()
    page.locator("#late").click()
    town = page.frame_locator("#frame").locator("#town")
    town.click()
    page.keyboard.type("Lille")
    page.locator("#late").click()
    fill = shown.wait_for("fill")[0]
    assert shown.told()[:4] == ["check Cadeau True", "click Plus", "click Ville", "fill Ville Lille"]
    assert (fill["frame"], fill["target"]["selector"]) == ("#frame", "#frame >>> #town")
    assert shown.events("check")[0]["target"]["selector"] == '#host >>> input[aria-label="Cadeau"]'


def test_a_frame_with_our_script_is_recorded_once(show: Show, add_page: AddPage) -> None:
    add_page("/inside", "<button id=in>Dedans</button>")
    shown = show("<iframe id=frame src=/inside></iframe><button id=out>Dehors</button>")
    page = shown.page
    page.frame_locator("#frame").locator("#in").click()
    page.locator("#out").click()
    until(lambda: "click Dehors" in shown.told(), page)
    assert shown.told() == ["click Dedans", "click Dehors"]
    assert page.frame_locator("#frame").locator("circuy-recorder").count() == 0


def test_people_are_told_once_what_cannot_be_seen(show: Show, site: Site) -> None:
    site.put("/foreign", "<!doctype html><button>Payer</button>")
    foreign = site.url.replace("127.0.0.1", "localhost")
    shown = show(
        f"<canvas id=plan width=120 height=80></canvas><x-card id=card></x-card>"
        f"<iframe id=pay src={foreign}/foreign></iframe>",
        script="""card.style.display = 'block';
            const root = card.attachShadow({mode: 'closed'}); const b = document.createElement('button');
            b.textContent = 'Fermé'; root.append(b);""",
    )
    page = shown.page
    for _ in range(2):
        page.locator("#plan").click()
        page.locator("#card").click(position={"x": 8, "y": 8})
        page.frame_locator("#pay").locator("button").click()
    shown.wait_for("unseen", 3)
    assert [event["reason"] for event in shown.events("unseen")] == ["canvas", "closed_shadow", "cross_origin_frame"]
    expect(part(page, "rec-notice")).to_contain_text("vient d’un autre site")
    part(page, "rec-dismiss").click()
    expect(part(page, "rec-notice")).to_be_empty()
