"""What others' scanners were reported for, on the smallest page that shows it: names, and what is masked in them."""

from __future__ import annotations

import pytest

from tests.scan.scanning import scan

MAIL = "alice@example.com"


def test_a_name_taken_from_a_text_box_is_not_what_was_typed_in_it(open_page):
    page = open_page(
        "<label id=l>Dans <input name=days value=12345> jours</label>"
        "<span id=box><input name=who value=Zurbaran></span>"
        "<textarea id=ta name=ta>Zurbaran</textarea><select id=sel name=sel><option>Rubens<option>Titien</select>"
        "<div contenteditable id=ce>Zurbaran</div>"
        "<button aria-labelledby='box l'>x</button><button aria-labelledby=ta>x</button>"
        "<button aria-labelledby=ce>x</button><button aria-labelledby=sel>x</button>"
    )
    page.locator("[name=who]").fill("Velazquez")
    scanned = scan(page)
    buttons = [node.get("label", "") for node in scanned.nodes if node["tag"] == "button"]
    assert buttons[0] == "Dans jours"
    for typed in ("Zurbaran", "Velazquez", "12345"):
        assert scanned.around(typed) == []
    # A list's options are the page's own words, but which one was chosen names nothing.
    assert not any("Rubens" in name for name in buttons)


def test_a_button_may_be_named_by_itself_and_by_something_hidden(open_page):
    page = open_page(
        "<button id=b aria-label=Supprimer aria-labelledby='b what'>x</button>"
        "<span id=what hidden>la <b hidden>facture</b></span>"
    )
    assert scan(page).labels == ["Supprimer la facture"]


def test_a_hidden_label_names_its_field(open_page):
    page = open_page("<label for=ville style='display:none'>Ville</label><input id=ville>")
    assert scan(page).labels == ["Ville"]


def test_every_text_that_leaves_the_page_is_masked(open_page):
    page = open_page(
        f"<h2>{MAIL}</h2><nav aria-label='{MAIL}'>"
        f"<form aria-label='{MAIL}' id='f-{MAIL}' name='{MAIL}'><fieldset><legend>{MAIL}</legend>"
        f"<input id='u-{MAIL}' name='{MAIL}' placeholder='{MAIL}' title='{MAIL}' data-testid='{MAIL}'>"
        f"<select aria-label='{MAIL}'><optgroup label='{MAIL}'><option>{MAIL}</optgroup></select>"
        f"<a href='/clients/{MAIL}?mail={MAIL}#{MAIL}'><img alt='{MAIL}' width=20 height=20></a>"
        f"<a href='mailto:{MAIL}'>Écrire</a><label for='n-{MAIL}'>{MAIL}</label><textarea id='n-{MAIL}'></textarea>"
        f"<button class='{MAIL}' value='{MAIL}' aria-describedby=d>{MAIL}</button><i id=d>{MAIL}</i>"
        f"</fieldset></form></nav><table><tr><th>{MAIL}</th></tr><tr><td>{MAIL}</td>"
        f"<td><button>Ouvrir</button></td></tr></table>"
        f"<iframe name='{MAIL}' title='{MAIL}' srcdoc='<button title=\"{MAIL}\">{MAIL}</button>'></iframe>"
    )
    page.evaluate(f"document.title = 'Fiche de {MAIL}'")
    scanned = scan(page, path=f"/clients/{MAIL}")
    assert "[EMAIL]" in scanned.text
    assert scanned.stats["masked"] > 0
    assert scanned.around("alice") == []


@pytest.mark.parametrize("text", ["1748503543012", "0.250750683890174", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"])
def test_a_number_that_is_nobodys_is_left_as_it_is(open_page, text):
    scanned = scan(open_page(f"<select aria-label=x><option>{text}</select>"))
    assert scanned.nodes[0]["options"] == [text]
    assert scanned.stats["masked"] == 0


def test_a_card_number_is_masked(open_page):
    scanned = scan(open_page("<button>Payer 2221000000000009</button>"))
    assert scanned.labels == ["Payer [SENSITIVE_NUMERIC]"]


@pytest.mark.parametrize("space", [" ", "\u00a0", "\u202f"], ids=["space", "no-break space", "narrow no-break space"])
def test_a_telephone_number_is_masked_whatever_spaces_it_holds(open_page, space):
    number = space.join(["06", "12", "34", "56", "78"])
    assert scan(open_page(f"<button>{number}</button>")).labels == ["[SENSITIVE_NUMERIC]"]


def test_an_address_right_after_words_without_spaces_is_masked(open_page):
    (label,) = scan(open_page(f"<button>联系{MAIL}</button>")).labels
    assert label is not None
    assert label.endswith("[EMAIL]")
    assert "alice" not in label


def test_half_a_number_at_the_cut_is_masked_too(open_page):
    scanned = scan(open_page("<button>Appeler tout de suite le 06 12 34 56 78</button>"))
    assert scanned.labels == ["Appeler tout de suite le [SEN…"]
