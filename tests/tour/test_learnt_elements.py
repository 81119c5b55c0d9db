"""What was learnt on one page is meant on another: in another language, in its own row, in a part that is closed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.tour.guiding import expect_apart, expect_step_on, learn, part, start, step

FRENCH = """<h1>Commande</h1><form><label for=f1>Remise</label><input id=f1 name=discount>
<label for=f2>Remise fidélité</label><input id=f2 name=loyalty><button name=save>Enregistrer</button></form>"""
GERMAN = """<h1>Bestellung</h1><form><label for=f1>Rabatt</label><input id=f1 name=discount>
<label for=f2>Treuerabatt</label><input id=f2 name=loyalty><button name=save>Speichern</button></form>"""


@pytest.mark.parametrize(
    ("label", "there"),
    [("Remise", "[name=discount]"), ("Remise fidélité", "[name=loyalty]"), ("Enregistrer", "[name=save]")],
)
def test_the_same_page_in_german_has_the_same_element(open_page, label, there):
    page = open_page(FRENCH)
    learnt = learn(page, label)
    page.evaluate(
        "german => { document.documentElement.lang = 'de'; document.body.innerHTML = german; }",
        GERMAN,
    )
    start(page, learnt)
    expect_step_on(page, there)


ROWS = ("Bol", "Tasse", "Vase")


def table(rows: tuple[str, ...]) -> str:
    cells = "".join(f"<tr id=r{row}><td>{row}</td><td><button>Retirer</button></td></tr>" for row in rows)
    return f"<table><thead><tr><th>Article</th><th></th></tr></thead><tbody>{cells}</tbody></table>"


def test_of_buttons_that_are_called_the_same_the_one_in_the_learnt_row_is_meant(open_page):
    page = open_page(f"<main>{table(ROWS)}</main>")
    page.add_script_tag(url="/circuy/circuy-scan.js")
    nodes = page.evaluate("CircuyScan.scan().then(({ payload }) => payload.nodes)")
    (node,) = [node for node in nodes if node.get("label") == "Retirer" and node["context"].get("row") == "Tasse"]
    learnt = step(node["selector"], fallback=node.get("fallbackSelector", ""), fingerprint=node["fingerprint"])
    draw = "html => { document.querySelector('main').innerHTML = html; }"
    page.evaluate(draw, table(("Vase", "Louche", "Bol", "Tasse")))
    start(page, learnt)
    expect_step_on(page, "#rTasse button")
    part(page, "step-cancel").click()
    page.evaluate(draw, table(("Vase", "Louche", "Bol")))
    start(page, learnt)
    expect_apart(page, "Je ne vois pas cet élément")


ACCORDION = """<h2><button id=head data-bs-toggle=collapse aria-expanded=false aria-controls=panel>Adresse</button></h2>
<div id=panel style='height:0;overflow:hidden;transition:height .2s;visibility:hidden'><input id=x aria-label=Rue></div>
<script>document.querySelector('#head').onclick = (event) => {
  const panel = document.querySelector('#panel');
  panel.style.visibility = 'visible';
  panel.style.height = '80px';
  event.currentTarget.setAttribute('aria-expanded', 'true');
}</script>"""


def test_an_accordion_is_opened_by_the_step_before(open_page):
    page = open_page(ACCORDION)
    start(page, step("#head"), step("#x"))
    expect_step_on(page, "#head")
    page.locator("#head").click()
    expect_step_on(page, "#x")
    expect(part(page, "step-counter")).to_have_text("2 / 2")


def test_a_closed_accordion_is_said_to_be_closed_and_opened_first(open_page):
    page = open_page(ACCORDION)
    start(page, step("#x"))
    expect(part(page, "step-way")).to_have_text("Ouvrez d’abord « Adresse ».")
    expect_step_on(page, "#head")
    page.locator("#head").click()
    expect_step_on(page, "#x")
