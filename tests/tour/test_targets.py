"""A step stands on its own element, wherever it is and whenever it comes, or on none."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.tour.guiding import (
    card,
    events,
    expect_apart,
    expect_nothing_left,
    expect_step_on,
    learn,
    middle_of,
    part,
    press_next,
    start,
    step,
)

MISSING = "Je ne vois pas cet élément"
TALL = "<div style='height:1500px'></div>"


def test_an_element_that_the_page_draws_later_is_waited_for(open_page):
    page = open_page("<main></main>")
    page.evaluate(
        "setTimeout(() => { document.querySelector('main').innerHTML = '<button id=late>Plus tard</button>'; }, 300)"
    )
    start(page, step("#late"))
    expect_step_on(page, "#late")
    assert events(page, "target_missing") == []


def test_an_element_that_never_comes_is_missed_in_a_sentence_and_blocks_nothing(open_page):
    page = open_page("<button id=other onclick='this.textContent = \"cliqué\"'>Autre</button>")
    start(page, step("#gone", "Cliquez sur « Archiver »."))
    expect_apart(page, MISSING)
    expect(part(page, "step")).to_contain_text("Ce qu’il faut chercher :")
    expect(part(page, "step-text")).to_have_text("Cliquez sur « Archiver ».")
    page.locator("#other").click()
    expect(page.locator("#other")).to_have_text("cliqué")
    assert [event["detail"] for event in events(page, "target_missing")] == ["#gone"]


def test_a_missing_element_is_pointed_at_as_soon_as_it_shows_up(open_page):
    page = open_page("<button id=x style='display:none'>Archiver</button>")
    start(page, step("#x"))
    expect_apart(page, MISSING)
    page.locator("#x").evaluate("element => { element.style.display = ''; }")
    expect_step_on(page, "#x")


def test_of_two_matches_the_one_that_people_see_is_meant(open_page):
    page = open_page(
        "<button class=dup style='display:none'>Ajouter</button><button class=dup id=seen>Ajouter</button>"
    )
    start(page, step(".dup"))
    expect_step_on(page, "#seen")


def test_when_two_elements_could_be_meant_none_is_pointed_at(open_page):
    page = open_page("<button class=dup>Retirer</button><button class=dup>Retirer</button>")
    start(page, step(".dup"))
    expect_apart(page, "Plusieurs éléments de la page pourraient convenir")


def test_an_element_that_is_drawn_again_is_found_again(open_page):
    page = open_page("<main><button id=x>Payer</button></main>")
    start(page, step("#x"))
    expect_step_on(page, "#x")
    page.evaluate(
        "document.querySelector('main').innerHTML = '<p style=\"height:200px\"></p><button id=x>Payer</button>'"
    )
    expect_step_on(page, "#x")
    assert events(page, "target_missing") == []
    assert len(events(page, "step_shown")) == 1


def test_an_element_that_goes_away_for_good_leaves_a_sentence_and_a_way_on(open_page):
    page = open_page("<button id=x>Payer</button><button id=y>Suite</button>")
    start(page, step("#x"), step("#y"))
    expect_step_on(page, "#x")
    page.locator("#x").evaluate("element => element.remove()")
    expect_apart(page, MISSING)
    press_next(page)
    expect_step_on(page, "#y")


def test_an_open_shadow_root_is_entered(open_page):
    page = open_page("<p>Avant</p><x-card id=host></x-card>")
    page.locator("#host").evaluate(
        "host => { host.attachShadow({ mode: 'open' }).innerHTML = '<button>Ouvrir le dossier</button>'; }"
    )
    start(page, step("#host >>> button"))
    expect_step_on(page, "#host >>> button")


def test_a_frame_of_the_same_site_is_entered_and_the_card_stands_by_its_element(open_page):
    inner = "<body style='margin:0;height:900px'><p style='height:300px'>.</p><button id=in>Signer</button>"
    page = open_page(
        f'<p style="height:120px"></p><iframe id=f style="margin-left:90px;border:7px solid" width=400 height=160 '
        f'srcdoc="{inner.replace(chr(34), "")}"></iframe>{TALL}'
    )
    start(page, step("#f >>> #in"), step("#f"))
    expect_step_on(page, "#f >>> #in")
    page.frame_locator("#f").locator("#in").click()
    expect_step_on(page, "#f")


def test_a_frame_in_a_frame_of_another_site_is_not_reachable_and_nothing_is_thrown(open_page, site):
    other = site.url.replace("127.0.0.1", "localhost")
    site.put("/deepest", "<button id=b>Là</button>")
    site.put("/deeper", f"<iframe id=g src='{site.url}/deepest'></iframe>")
    page = open_page(f"<iframe id=f src='{other}/deeper'></iframe>")
    start(page, step("#f >>> #g >>> #b"))
    expect_apart(page, MISSING)


def test_what_was_learnt_is_known_again_under_another_selector_and_reported_as_healed(open_page):
    page = open_page("<main><button id=discount>Ajouter une remise</button></main>")
    learnt = learn(page, "Ajouter une remise")
    page.evaluate(
        "document.querySelector('main').innerHTML ="
        " '<button>Annuler</button><p><button class=x>Ajouter une remise</button></p>'"
    )
    start(page, learnt)
    expect_step_on(page, ".x")
    assert [event["detail"] for event in events(page, "healed")] == [learnt["attachTo"]["element"]]


def test_another_element_in_the_place_of_the_learnt_one_is_not_pointed_at(open_page):
    page = open_page("<main><button>Valider</button><button>Annuler</button></main>")
    learnt = learn(page, "Annuler")
    page.evaluate("document.querySelector('main').innerHTML = '<button>Valider</button><button>Supprimer</button>'")
    start(page, learnt)
    expect_apart(page, MISSING)


def test_the_fallback_stands_in_and_that_is_reported(open_page):
    page = open_page("<input name=ville aria-label=Ville>")
    start(page, step("#gone", fallback="input[name='ville']"))
    expect_step_on(page, "input")
    assert [event["detail"] for event in events(page, "fallback_used")] == ["input[name='ville']"]


def test_a_doubtful_element_is_not_pointed_at_when_what_judges_it_cannot_be_loaded(open_page, faults):
    page = open_page("<main><button>Valider</button><button>Annuler</button></main>")
    learnt = learn(page, "Annuler")
    page.route("**/judge.js*", lambda route: route.abort())
    page.evaluate("document.querySelector('main').innerHTML = '<button>Valider</button><button>Supprimer</button>'")
    start(page, learnt)
    expect_apart(page, MISSING)
    assert [fault for fault in faults if "ERR_FAILED" not in fault] == []
    faults.clear()


def test_a_plain_element_needs_no_judge(open_page):
    page = open_page("<button id=pay>Payer</button><label for=town>Ville</label><input id=town>")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    start(page, learn(page, "Payer"), learn(page, "Ville"))
    expect_step_on(page, "#pay")
    press_next(page)
    expect_step_on(page, "#town")
    assert not [url for url in asked if "judge" in url]


@pytest.mark.parametrize("selector", [":r3:", "#_r_15p_", "#", "a[", "#a\\:b >>> ", "]]", "x >>> y >>> z"])
def test_a_selector_that_means_nothing_is_only_missing(open_page, selector):
    page = open_page("<button id=b>B</button>")
    start(page, step(selector), step("#b"))
    expect_apart(page, MISSING)
    press_next(page)
    expect_step_on(page, "#b")


def test_an_id_with_a_colon_is_found(open_page):
    page = open_page("<button id='a:b'>B</button>")
    start(page, step("#a\\:b"))
    expect_step_on(page, "[id='a:b']")


def test_a_target_far_down_is_brought_clear_of_a_sticky_header(open_page):
    bar = "<header style='position:sticky;top:0;height:60px;background:#ccc'>Barre</header>"
    page = open_page(
        f"{bar}{TALL}<button id=x style='display:block;height:700px;width:300px'>Grand</button>{TALL}",
    )
    start(page, step("#x", on="right"))
    expect(card(page)).to_be_visible()
    page.wait_for_function("document.querySelector('#x').getBoundingClientRect().top >= 60")
    page.wait_for_function(
        "(() => { const box = document.querySelector('#x').getBoundingClientRect();"
        " return document.elementFromPoint(box.left + 150, box.top + 3).id === 'x'; })()"
    )


def test_a_target_inside_something_that_scrolls_is_scrolled_into_sight(open_page):
    page = open_page(
        "<div id=list style='height:200px;overflow:auto'><div style='height:900px'></div>"
        f"<button id=x>Dernier</button></div>{TALL}"
    )
    start(page, step("#x"))
    expect_step_on(page, "#x")
    expect(page.locator("#x")).to_be_in_viewport()


def test_the_ring_does_not_stay_over_something_else_when_its_target_is_scrolled_away(open_page):
    page = open_page(
        "<div id=list style='height:200px;overflow:auto'><button id=x>Premier</button><div style='height:900px'></div>"
        "</div><p>Autre chose</p>"
    )
    start(page, step("#x", on="right"))
    expect_step_on(page, "#x")
    page.locator("#list").evaluate("list => { list.scrollTop = 500; }")
    expect(part(page, "spotlight")).to_be_hidden()
    page.locator("#list").evaluate("list => { list.scrollTop = 0; }")
    expect_step_on(page, "#x")


def test_the_middle_of_a_one_line_field_can_be_clicked_through_card_and_arrow(open_page):
    page = open_page("<p style='height:200px'></p><input id=x size=30 aria-label=Nom>")
    start(page, step("#x"))
    expect_step_on(page, "#x")
    x, y = middle_of(page.locator("#x"))
    page.mouse.click(x, y)
    page.keyboard.type("Zoé")
    expect(page.locator("#x")).to_have_value("Zoé")


def test_a_closed_details_is_opened_first(open_page):
    page = open_page("<details id=d><summary>Options avancées</summary><button id=x>Exporter</button></details>")
    start(page, step("#x"))
    expect(part(page, "step-way")).to_have_text("Ouvrez d’abord « Options avancées ».")
    expect_step_on(page, "summary")
    page.locator("summary").click()
    expect_step_on(page, "#x")
    assert events(page, "target_missing") == []
    page.locator("summary").click()
    expect_step_on(page, "summary")


def test_a_hidden_tab_is_opened_first(open_page):
    page = open_page(
        "<div role=tablist><button role=tab aria-controls=p1>Général</button>"
        "<button role=tab aria-controls=p2 id=t2 onclick=\"document.querySelector('#p2').hidden = false\">Livraison"
        "</button></div><div role=tabpanel id=p1>Un</div>"
        "<div role=tabpanel id=p2 hidden><input id=x aria-label=Adresse></div>"
    )
    start(page, step("#x"))
    expect(part(page, "step-way")).to_contain_text("« Livraison »")
    expect_step_on(page, "#t2")
    page.locator("#t2").click()
    expect_step_on(page, "#x")
    expect(part(page, "step-way")).to_have_count(0)


def test_a_closed_menu_is_opened_first(open_page):
    page = open_page(
        "<button id=m aria-expanded=false onclick=\"document.querySelector('#menu').style.display = 'block'\">Actions"
        "</button><ul id=menu style='display:none'><li><a id=x href='#dup'>Dupliquer</a></li></ul>"
    )
    start(page, learn(page, "Dupliquer"))
    expect(part(page, "step-way")).to_contain_text("« Actions »")
    page.locator("#m").click()
    expect_step_on(page, "#x")


def test_a_closed_part_that_nothing_is_known_to_open_is_said_to_be_missing(open_page):
    page = open_page("<div style='display:none'><button id=x>Exporter</button></div>")
    start(page, step("#x"))
    expect_apart(page, MISSING)
    part(page, "step-cancel").click()
    expect_nothing_left(page)


def test_a_drawer_that_is_pushed_out_of_the_window_is_said_to_be_closed_until_it_is_opened(open_page):
    page = open_page(
        "<button id=open onclick=\"document.querySelector('#drawer').style.transform = 'none'\">Menu</button>"
        "<nav id=drawer style='position:fixed;inset:0 auto 0 0;width:200px;transform:translateX(-220px)'>"
        "<p style='height:120px'></p><button id=x>Exporter</button></nav>"
    )
    start(page, step("#x"))
    expect_apart(
        page, "Cet élément est hors de la fenêtre. Faites défiler la page, ou ouvrez le volet où il se trouve."
    )
    page.evaluate("document.querySelector('#open').click()")
    expect_step_on(page, "#x")


def test_what_is_closed_twice_is_opened_one_after_the_other(open_page):
    page = open_page(
        "<details id=d1><summary id=s1>Réglages</summary><p>.</p><details id=d2><summary id=s2>Avancés</summary>"
        "<button id=x>Exporter</button></details></details>"
    )
    start(page, step("#x"))
    expect(part(page, "step-way")).to_have_text("Ouvrez d’abord « Réglages ».")
    page.locator("#s1").click()
    expect_step_on(page, "#s2")
    expect(part(page, "step-way")).to_have_text("Ouvrez d’abord « Avancés ».")
    page.locator("#s2").click()
    expect_step_on(page, "#x")


def test_the_card_above_a_field_leaves_the_fields_label_in_sight(open_page):
    page = open_page(
        "<div style='height: 90vh'></div><label for=x style='display: block'>Remise</label>"
        "<input id=x style='display: block'>"
    )
    start(page, step("#x"))
    expect_step_on(page, "#x")
    shown = card(page).locator(".shepherd-content").bounding_box()
    label = page.locator("label").bounding_box()
    assert shown["y"] + shown["height"] <= label["y"]
