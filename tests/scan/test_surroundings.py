"""Where an element stands: its context, the closed part it is in, the frame or the shadow root it is found through."""

from __future__ import annotations

import pytest

from tests.scan.scanning import both_find, evaluate, finds, resolve, scan


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>Adresse</h2><p><button>x</button></p>", {"heading": "Adresse"}),
        ("<h1>Client</h1><section><h4>Adresse</h4><button>x</button></section>", {"heading": "Adresse"}),
        ("<section><h2>Adresse</h2></section><button>x</button>", {}),
        ("<form aria-label=Facture><button>x</button></form>", {"form": "Facture"}),
        ("<fieldset><legend>TVA</legend><button>x</button></fieldset>", {"group": "TVA"}),
        ("<div role=radiogroup aria-label=TVA><button>x</button></div>", {"group": "TVA"}),
        ("<div role=dialog aria-label=Paiement><button>x</button></div>", {"group": "Paiement"}),
        ("<dialog open aria-label=Paiement><button>x</button></dialog>", {"group": "Paiement"}),
    ],
)
def test_an_element_says_its_heading_form_and_group(open_page, html, expected):
    node = scan(open_page(html)).of_tag("button")
    said = node.get("context", {})
    assert {key: said.get(key) for key in ("heading", "form", "group")} == {
        **dict.fromkeys(("heading", "form", "group")),
        **expected,
    }


@pytest.mark.parametrize("tag", ["nav", "main", "aside", "header", "footer"])
def test_an_element_says_its_landmark(open_page, tag):
    inside, outside = scan(open_page(f"<{tag}><p><button>x</button></p></{tag}><button>y</button>")).nodes
    assert inside["context"]["landmark"]
    assert "landmark" not in outside.get("context", {})


def test_two_landmarks_of_one_kind_are_told_apart_by_their_names(open_page):
    page = open_page("<nav aria-label=Principal><a href=/a>x</a></nav><nav aria-label=Pied><a href=/b>y</a></nav>")
    first, second = (node["context"]["landmark"] for node in scan(page).nodes)
    assert first != second


def test_an_element_of_a_table_says_its_row_and_its_column(open_page):
    page = open_page(
        "<table><thead><tr><th>Article<th>Prix<th>Actions</tr></thead><tbody>"
        "<tr><td>Vase<td>12 €<td><button>Retirer</button></tr>"
        "<tr><th scope=row>Bol<td>9 €<td><button>Retirer</button></tr></tbody></table>"
    )
    contexts = [node["context"] for node in scan(page).nodes]
    assert [(context["row"], context["column"]) for context in contexts] == [("Vase", "Actions"), ("Bol", "Actions")]


def test_columns_are_counted_across_cells_that_span_several(open_page):
    page = open_page(
        "<table><tr><th colspan=2>Article<th>Actions</tr><tr><td>V-12<td>Vase<td><button>Retirer</button></tr></table>"
    )
    (node,) = scan(page).nodes
    assert node["context"]["column"] == "Actions"


CLOSED = [
    "<details><summary data-opener>Ouvrir</summary><p><button>Dedans</button></p></details>",
    "<button data-opener id=o role=tab aria-controls=p>Ouvrir</button><div id=p hidden><button>Dedans</button></div>",
    "<a data-opener id=o href='#p' role=tab>Ouvrir</a><div id=p style='display:none'><button>Dedans</button></div>",
    "<button data-opener id=o aria-expanded=false aria-controls=p>Ouvrir</button>"
    "<div id=p style='visibility:hidden'><p><button>Dedans</button></p></div>",
    "<button data-opener id=o data-bs-toggle=collapse data-bs-target='#p'>Ouvrir</button>"
    "<div id=p hidden><button>Dedans</button></div>",
    "<button data-opener id=o aria-haspopup=menu aria-expanded=false>Ouvrir</button>"
    "<ul role=menu style='display:none'><li role=menuitem>Dedans</li></ul>",
    "<div><button data-opener id=o data-bs-toggle=dropdown>Ouvrir</button>"
    "<div class=dropdown-menu style='display:none'><button>Dedans</button></div></div>",
    "<button data-opener id=o popovertarget=p>Ouvrir</button><div id=p popover><button>Dedans</button></div>",
    "<button data-opener id=o commandfor=p command=show-modal>Ouvrir</button>"
    "<dialog id=p><button>Dedans</button></dialog>",
    "<button data-opener id=o aria-controls=p>Ouvrir</button><dialog id=p><button>Dedans</button></dialog>",
]


@pytest.mark.parametrize(
    "html",
    CLOSED,
    ids=[
        "details",
        "tab",
        "tab link",
        "expanding",
        "collapse",
        "menu",
        "dropdown",
        "popover",
        "command",
        "controlled dialog",
    ],
)
def test_what_is_closed_is_kept_with_what_opens_it(open_page, html):
    page = open_page(html)
    scanned = scan(page)
    state = scanned.node("Dedans")["state"]
    assert state["closed"] is True
    assert finds(page, state["opener"], "data-opener") is True
    assert "closed" not in scanned.node("Ouvrir").get("state", {})


def test_a_part_closed_inside_another_names_an_opener_that_people_see(open_page):
    page = open_page(
        "<details><summary data-opener>Dehors</summary><details><summary>Milieu</summary>"
        "<button>Dedans</button></details></details>"
    )
    assert finds(page, scan(page).node("Dedans")["state"]["opener"], "data-opener") is True


def test_an_open_part_says_nothing_of_being_closed(open_page):
    page = open_page("<details open><summary>Ouvert</summary><button>Dedans</button></details>")
    assert "closed" not in scan(page).node("Dedans").get("state", {})


_OPEN_SHADOW = """(() => {
    const shadow = document.querySelector('x-card').attachShadow({ mode: '%s' });
    shadow.innerHTML = '<h3>Carte</h3><label>Nom <input name=nom data-nom></label><x-row></x-row><slot></slot>';
    const inner = shadow.querySelector('x-row').attachShadow({ mode: '%s' });
    inner.innerHTML = '<button name=go data-go>Retirer</button>';
})()"""


def test_open_shadow_roots_are_entered_and_their_path_is_in_the_locator(open_page):
    page = open_page("<h1>Page</h1><x-card><a href=/x data-x>Lien</a></x-card><button>Après</button>")
    evaluate(page, _OPEN_SHADOW % ("open", "open"))
    scanned = scan(page)
    assert set(scanned.labels) == {"Page", "Carte", "Nom", "Retirer", "Lien", "Après"}
    assert scanned.node("Retirer")["selector"].count(" >>> ") == 2
    for label, mark in (("Nom", "data-nom"), ("Retirer", "data-go"), ("Lien", "data-x")):
        assert both_find(page, scanned.node(label), mark) is True
        found = resolve(page, scanned.node(label))
        assert found is not None
        assert mark in found["html"]


def test_a_closed_shadow_root_is_left_alone(open_page):
    page = open_page("<x-card><a href=/x>Lien</a></x-card>")
    evaluate(page, _OPEN_SHADOW % ("closed", "closed"))
    assert set(scan(page).labels) <= {"Lien"}


def test_labels_and_openers_do_not_reach_across_a_shadow_root(open_page):
    page = open_page("<label for=nom>Dehors</label><x-card></x-card>")
    evaluate(
        page,
        "document.querySelector('x-card').attachShadow({ mode: 'open' }).innerHTML ="
        " '<input id=nom><label for=nom>Dedans</label>'",
    )
    assert scan(page).of_tag("input")["label"] == "Dedans"


FRAMED = "<h2>Paiement</h2><label>Titulaire <input name=titulaire data-t></label>"


@pytest.mark.parametrize("how", ["src=/inner", f"srcdoc='{FRAMED}'"], ids=["address", "written in place"])
def test_frames_of_this_site_are_entered_and_said(open_page, how):
    page = open_page(f"<h1>Commande</h1><iframe id=paie title=Paiement {how}></iframe>", files={"/inner": FRAMED})
    scanned = scan(page)
    node = scanned.node("Titulaire")
    assert " >>> " in node["selector"]
    assert node["frame"]
    assert node["context"]["heading"] == "Paiement"
    assert both_find(page, node, "data-t") is True
    assert "frame" not in scanned.node("Commande")
    found = resolve(page, node)
    assert found is not None
    assert "data-t" in found["html"]


def test_a_frame_that_nobody_sees_is_left_out(open_page):
    page = open_page(
        "<button>Là</button><iframe src=/inner style='display:none'></iframe>"
        "<iframe src=/inner style='width:0;height:0;border:0'></iframe>",
        files={"/inner": FRAMED},
    )
    assert scan(page).labels == ["Là"]


def test_what_a_guide_finds_again_says_how(open_page):
    page = open_page("<form id=f><input id=ville name=ville aria-label=Ville></form>")
    node = scan(page).of_tag("input")
    assert (resolve(page, node) or {})["by"] == "primary"
    evaluate(page, "document.querySelector('input').removeAttribute('id')")
    assert (resolve(page, node) or {})["by"] == "fallback"
    evaluate(page, "document.body.innerHTML = '<main><p><label>Ville <input name=town id=town></label></p></main>'")
    assert (resolve(page, node) or {})["by"] == "healed"


def test_another_element_in_the_same_place_is_not_taken_for_it(open_page):
    page = open_page("<p><button>Enregistrer</button></p>")
    node = scan(page).of_tag("button")
    evaluate(page, "document.querySelector('p').innerHTML = '<button>Supprimer le compte</button>'")
    assert resolve(page, node, patience_ms=800) is None
