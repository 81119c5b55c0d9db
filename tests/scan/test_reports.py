"""What others' scanners and locators were reported for, on the smallest page that shows it: kinds, names, locators."""

from __future__ import annotations

import json

import pytest

from tests.scan.scanning import both_find, evaluate, finds, resolve, scan

FOOLING_NAMES = [
    "id",
    "name",
    "attributes",
    "parentElement",
    "parentNode",
    "children",
    "childNodes",
    "firstChild",
    "firstElementChild",
    "nextElementSibling",
    "localName",
    "tagName",
    "nodeType",
    "shadowRoot",
    "ownerDocument",
    "getAttribute",
    "getAttributeNames",
    "getBoundingClientRect",
    "checkVisibility",
    "querySelectorAll",
    "isConnected",
    "labels",
]

ODD_VALUES = [
    *(
        "a b",
        "a.b",
        "a:b",
        'a"b',
        "a'b",
        "a>b",
        "a >>> b",
        "a\\b",
        "a\nb",
        "-a",
        "--",
        "été",
        "a😀",
        "a#b",
        "a,b",
        "a[b]",
    ),
    *("a\ufffdb", "a/*b", "</style>", "constructor", "__proto__"),
]


def test_the_value_of_a_control_inside_a_label_is_no_part_of_the_name(open_page):
    page = open_page("<label>Rappel au <input name=tel value='0199009900'></label>")
    page.locator("input").fill("Zurbaran")
    scanned = scan(page)
    assert scanned.labels == ["Rappel au"]
    assert scanned.around("Zurbaran") == []
    assert scanned.around("0199009900") == []


def test_controls_named_like_properties_of_their_form_fool_nobody(open_page):
    page = open_page(
        "".join(
            f"<form id=to-{name} aria-label='Form {n}'><p><input name={name} aria-label='Field {n}' data-field-{n}></p>"
            f"<button data-send-{n} name=send>Send {n}</button></form>"
            for n, name in enumerate(FOOLING_NAMES, start=100)
        )
    )
    scanned = scan(page)
    for n, name in enumerate(FOOLING_NAMES, start=100):
        assert scanned.node(f"Form {n}")["tag"] == "form", name
        for word in ("Field", "Send"):
            node = scanned.node(f"{word} {n}")
            assert node["context"]["form"] == f"Form {n}", name
            assert both_find(page, node, f"data-{word.lower()}-{n}") is True, name


def test_widgets_that_others_drop_are_kept_as_something_to_act_on(open_page):
    page = open_page(
        "<div class=wrapper><div role=combobox tabindex=0 aria-expanded=false aria-label=Pays>&nbsp;</div></div>"
        "<ul role=tree><li role=treeitem>Dossiers</li></ul>"
        "<div role=tablist><div role=tab>Adresse</div></div>"
        "<span role=link tabindex=0>Aide</span>"
        "<details><summary>Plus de choix</summary></details>"
        "<div contenteditable aria-label=Notes style='height:40px'></div>"
    )
    scanned = scan(page)
    assert scanned.labels == ["Pays", "Dossiers", "Adresse", "Aide", "Plus de choix", "Notes"]
    assert all(node["isInteractive"] for node in scanned.nodes)


def test_what_is_inert_is_left_out(open_page):
    page = open_page("<div inert><div><button>Derrière</button></div><h2>Titre</h2></div><button>Devant</button>")
    assert scan(page).labels == ["Devant"]


def test_a_transparent_checkbox_stands_where_its_visible_label_does(open_page):
    page = open_page(
        "<label data-here id=cgv>Accepter les conditions<input type=checkbox name=cgv"
        " style='opacity:0;position:absolute'></label>"
    )
    (node,) = scan(page).nodes
    assert (node["tag"], node["type"], node["label"]) == ("input", "checkbox", "Accepter les conditions")
    assert both_find(page, node, "data-here") is True


def test_what_takes_no_pointer_is_nothing_to_act_on(open_page):
    page = open_page(
        "<button style='pointer-events:none'>Décor</button>"
        "<div style='pointer-events:none'><button>Dessous</button>"
        "<button style='pointer-events:auto'>Vrai</button></div>"
    )
    assert [node["label"] for node in scan(page).nodes if node["isInteractive"]] == ["Vrai"]


def test_the_same_selector_in_two_shadow_roots_is_told_apart(open_page):
    page = open_page("<x-card id=first></x-card><x-card id=second></x-card>")
    evaluate(
        page,
        "for (const host of document.querySelectorAll('x-card')) { host.attachShadow({mode: 'open'}).innerHTML ="
        " `<button id=go name=go data-${host.id}>Ouvrir ${host.id}</button>`; }",
    )
    scanned = scan(page)
    assert scanned.labels == ["Ouvrir first", "Ouvrir second"]
    for name in ("first", "second"):
        node = scanned.node(f"Ouvrir {name}")
        assert " >>> " in node["selector"]
        assert both_find(page, node, f"data-{name}") is True
        found = resolve(page, node)
        assert found is not None
        assert f"data-{name}" in found["html"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("a" * 29 + "😀" + "b" * 9, "a" * 29 + "…"),
        ("👩‍👩‍👧‍👦" * 40, "👩‍👩‍👧‍👦" * 29 + "…"),
        ("e\u0301" * 31, "e\u0301" * 29 + "…"),
        ("👩‍👩‍👧‍👦" * 30, "👩‍👩‍👧‍👦" * 30),
    ],
    ids=["emoji at the cut", "families", "combining accents", "exactly thirty"],
)
def test_a_long_name_is_cut_between_two_graphemes(open_page, text, label):
    assert scan(open_page(f"<button>{text}</button>")).labels == [label]


def test_half_a_surrogate_pair_never_leaves_the_page(open_page):
    page = open_page("<button>x</button>")
    evaluate(page, "document.querySelector('button').textContent = 'Envoyer \\ud83d' + 'a'.repeat(40)")
    (label,) = scan(page).labels
    assert label == "Envoyer " + "a" * 21 + "…"


@pytest.mark.parametrize("attribute", ["id", "name", "data-testid", "aria-label"])
def test_an_odd_value_is_written_so_that_it_is_found_again(open_page, attribute):
    page = open_page("".join(f"<p><button data-odd-{n}>Bouton {n}</button></p>" for n in range(len(ODD_VALUES))))
    evaluate(
        page,
        f"{json.dumps(ODD_VALUES)}.forEach((value, n) =>"
        f" document.querySelector(`[data-odd-${{n}}]`).setAttribute('{attribute}', value))",
    )
    nodes = scan(page).nodes
    assert len(nodes) == len(ODD_VALUES)
    for n, (node, value) in enumerate(zip(nodes, ODD_VALUES, strict=True)):
        assert both_find(page, node, f"data-odd-{n}") is True, value
        found = resolve(page, node)
        assert found is not None, value
        assert (found["by"], f"data-odd-{n}" in found["html"]) == ("primary", True), value


@pytest.mark.parametrize("identifier", ["dup", ""], ids=["used twice", "empty"])
def test_an_id_that_names_no_single_element_is_no_locator(open_page, identifier):
    page = open_page(
        f"<p id='{identifier}'>x</p><button id='{identifier}' name=go data-here>Valider</button><button>Autre</button>"
    )
    node = scan(page).node("Valider")
    assert "#" not in node["selector"] + node["fallbackSelector"]
    assert both_find(page, node, "data-here") is True


@pytest.mark.parametrize(
    "generated",
    [
        "24432930",
        ":r1:",
        "_r_15p_",
        "mui-106",
        "radix-42",
        "ember1234",
        "combobox-button-3123",
        "css-1d3bbye",
        "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    ],
)
def test_a_generated_id_class_or_name_is_no_locator(open_page, generated):
    page = open_page(
        f"<main id=main><div class='{generated}'><button id='{generated}' class='{generated}' data-here>Un</button>"
        f"<p><input name='{generated}' aria-label=Deux class='{generated}'></p></div></main>"
    )
    scanned = scan(page)
    assert scanned.labels == ["Un", "Deux"]
    for node in scanned.nodes:
        assert generated not in node["selector"] + node.get("fallbackSelector", "")
    assert finds(page, scanned.node("Un")["selector"], "data-here") is True


_COUNT_SEARCHES = """
    window.searches = 0;
    const counted = [
        [Document.prototype, ['querySelector', 'querySelectorAll', 'getElementById', 'getElementsByTagName']],
        [Element.prototype, ['querySelector', 'querySelectorAll', 'closest', 'matches', 'getAttribute']],
        [DocumentFragment.prototype, ['querySelector', 'querySelectorAll', 'getElementById']],
    ];
    for (const [prototype, names] of counted) for (const name of names) {
        const real = prototype[name];
        prototype[name] = function (...given) { window.searches += 1; return real.apply(this, given); };
    }
"""


def test_a_page_twice_as_long_is_asked_twice_as_many_questions(open_page):
    asked = []
    for rows in (100, 200):
        row = "<tr><td>Vase</td><td><input name=q><button class=b>Retirer</button><a href=/vases>Voir</a></td></tr>"
        page = open_page(f"<table>{row * rows}</table>", first=_COUNT_SEARCHES)
        evaluate(page, "void (window.searches = 0)")
        # Three nodes a row: a scan that kept fewer would have asked fewer questions.
        assert len(scan(page).nodes) == 3 * rows
        asked.append(evaluate(page, "window.searches"))
    assert asked[0] > 0
    assert asked[1] <= 2.1 * asked[0]


def test_no_element_is_searched_for_in_the_page_one_by_one(open_page):
    page = open_page("<p><button>Un</button><a href=/x>Deux</a></p>" * 100, first=_COUNT_SEARCHES)
    evaluate(
        page,
        "(() => { window.searches = 0; Element.prototype.getAttribute = function (name) {"
        " const found = this.getAttributeNode(name); return found && found.value; }; })()",
    )
    assert len(scan(page).nodes) == 200
    assert evaluate(page, "window.searches") < 50


def test_looking_for_what_is_gone_ends_with_nothing(open_page):
    page = open_page("<button id=gone name=gone>Parti</button><button>Resté</button>")
    node = scan(page).node("Parti")
    evaluate(page, "document.getElementById('gone').remove()")
    assert resolve(page, node, patience_ms=50) is None
