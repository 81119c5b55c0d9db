"""What is marked as private, typed or chosen is in no name, whatever in the page refers to it or copies it."""

from __future__ import annotations

import json

import pytest

from tests.scan.scanning import evaluate, scan

MARKS = ["data-circuy-mask", "data-circuy-ignore"]


def _name(page, selector):
    return evaluate(page, f"CircuyScan.reader().nameOf(document.querySelector({json.dumps(selector)}))")


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<label>Client <span {}>Durand</span><input id=t></label>", "Client"),
        ("<label {}>Durand<input id=t></label>", ""),
        ("<div {}><label for=t>Durand</label></div><input id=t>", ""),
        ("<button id=t>Ouvrir <b {}>Durand</b></button>", "Ouvrir"),
        ("<button id=t aria-labelledby=p>x</button><p id=p {}>Durand</p>", "x"),
        ("<button id=t aria-labelledby='q p'>x</button><div {}><p id=p>Durand</p></div><p id=q>Voir", "Voir"),
        ("<a id=t href=/ aria-owns=p>Voir</a><div {}><p id=p>Durand</p></div>", "Voir"),
        ("<a id=t href=/>Voir <span {} aria-label=Durand></span><img {} alt=Durand></a>", "Voir"),
        ("<fieldset id=t><legend {}>Durand</legend><input></fieldset>", ""),
        ("<table id=t><caption {}>Durand</caption><tr><td>x</table>", ""),
    ],
)
def test_words_marked_as_private_are_in_no_name(open_page, mark, html, name):
    assert _name(open_page(html.replace("{}", mark)), "#t") == name


@pytest.mark.parametrize("mark", MARKS)
def test_words_marked_as_private_are_nowhere_in_a_scan(open_page, mark):
    page = open_page(
        f"<h2>Dossier <b {mark}>Durand</b></h2><label>Client <span {mark}>Durand</span><input></label>"
        f"<table><tr><th {mark}>Durand</th><th>Solde</th></tr>"
        f"<tr><td {mark}>Durand</td><td><button>Régler</button></td></tr></table>"
        f"<select aria-label=Choix><option {mark}>Durand</option><option>Autre</option></select>"
    )
    scanned = scan(page)
    assert scanned.around("Durand") == []
    assert scanned.labels == ["Dossier", "Client", "Régler", "Choix"]
    assert scanned.node("Régler")["context"]["heading"] == "Dossier"
    assert scanned.node("Choix")["options"] == ["Autre"]


@pytest.mark.parametrize(
    ("html", "name"),
    [
        (
            "<div contenteditable><p id=p>TAPÉ</p></div><button id=t aria-labelledby='p q'>x</button><p id=q>Voir",
            "Voir",
        ),
        ("<div contenteditable><label for=t>TAPÉ</label></div><input id=t>", ""),
        ("<label for=t contenteditable>TAPÉ</label><input id=t>", ""),
        ("<fieldset id=t><legend contenteditable>TAPÉ</legend><input></fieldset>", ""),
        ("<a id=t href=/ aria-owns=p>Voir</a><div contenteditable><p id=p>TAPÉ</p></div>", "Voir"),
        ("<button id=t aria-labelledby='p q'>x</button><output><b id=p>TAPÉ</b></output><p id=q>Voir", "Voir"),
        # A part of an editor where nobody writes is its author's, and so is what the editor says of itself.
        ("<div contenteditable>TAPÉ<p contenteditable=false><label>Taille <input id=t></label></p></div>", "Taille"),
        ("<div id=p contenteditable aria-label=Note>TAPÉ</div><button id=t aria-labelledby=p>x</button>", "Note"),
    ],
)
def test_what_is_written_in_an_editor_names_nothing(open_page, html, name):
    assert _name(open_page(html), "#t") == name


def test_a_document_that_is_an_editor_as_a_whole_has_no_names(open_page):
    page = open_page(
        "<h1>TAPÉ</h1><p id=p>TAPÉ</p><div tabindex=0>TAPÉ</div><button id=t aria-labelledby=p>TAPÉ</button>"
    )
    assert _name(page, "#t") == "TAPÉ"
    page.evaluate("document.designMode = 'on'")
    assert _name(page, "#t") == ""
    assert scan(page).around("TAPÉ") == []


@pytest.mark.parametrize(
    ("html", "name"),
    [
        (
            "<style>label::after { content: attr(data-v) }</style><label for=t data-v=TAPÉ>Nom</label><input id=t>",
            "Nom",
        ),
        (
            "<style>label::after { content: var(--v) }</style>"
            "<label for=t style='--v: \"TAPÉ\"'>Nom</label><input id=t>",
            "Nom",
        ),
        (
            "<style>i::after { content: attr(data-v) ' !' }</style>"
            "<label>Nom <i data-v=TAPÉ></i><textarea id=t></textarea></label>",
            "Nom",
        ),
        (
            "<style>#p::after { content: attr(data-v) }</style><p id=p data-v=TAPÉ>Nom</p>"
            "<textarea id=t aria-labelledby=p></textarea>",
            "Nom",
        ),
        (
            "<style>i::after { content: attr(data-v) }</style><a id=t href=/>Nom <i data-v=TAPÉ></i><input></a>",
            "Nom",
        ),
    ],
)
def test_what_a_style_sheet_copies_out_of_a_field_names_nothing(open_page, html, name):
    assert _name(open_page(html), "#t") == name


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<button id=t aria-haspopup=listbox title='Marie Durand'>Marie Durand</button>", ""),
        ("<button id=t role=combobox aria-haspopup=menu title='Marie Durand'>Marie Durand</button>", ""),
        ("<button id=t aria-haspopup=listbox aria-label='Suivi par'>Marie Durand</button>", "Suivi par"),
        (
            "<b id=l>Suivi par</b>"
            "<button id=t aria-haspopup=listbox aria-labelledby='l v'><span id=v>Marie Durand</span></button>",
            "Suivi par",
        ),
        ("<a id=t href=/>Suivi par <button aria-haspopup=listbox title=Durand>Marie Durand</button></a>", "Suivi par"),
    ],
)
def test_what_was_chosen_in_a_list_that_a_script_draws_names_nothing(open_page, html, name):
    assert _name(open_page(html), "#t") == name


def test_what_was_chosen_in_a_list_that_a_script_draws_is_nowhere_in_a_scan(open_page):
    page = open_page(
        "<table><tr><td><button aria-haspopup=listbox>Marie Durand</button></td>"
        "<td><a href=/>Ouvrir</a></td></tr></table>"
        "<div tabindex=0 aria-haspopup=listbox title='Marie Durand'>Marie Durand</div>"
    )
    scanned = scan(page)
    assert scanned.around("Durand") == []
    assert "Ouvrir" in scanned.labels


def test_a_closed_part_without_boxes_is_named_as_it_will_be_when_it_is_open(open_page):
    page = open_page(
        "<style>.flat { display: contents }</style>"
        "<div hidden><a id=t class=flat href=/>Lire <b>la suite</b></a></div>"
        "<details><summary>Plus</summary><a id=u class=flat href=/>Lire <b>la suite</b></a></details>"
        "<details><summary id=v class=flat>Lire <b>la suite</b><i hidden>caché</i></summary></details>"
    )
    assert [_name(page, selector) for selector in ("#t", "#u", "#v")] == ["Lire la suite"] * 3


def test_nothing_that_is_drawn_has_words_from_style_sheets(open_page):
    page = open_page(
        "<style>svg::before, path::before { content: 'jamais' }</style>"
        "<button id=t><svg width=9 height=9><path d='M0 0h9'/></svg>Ajouter</button>"
    )
    assert _name(page, "#t") == "Ajouter"
