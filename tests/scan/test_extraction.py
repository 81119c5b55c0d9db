"""What a scan keeps of a page, and what it leaves out: a tiny page for each kind of element."""

from __future__ import annotations

import pytest

from tests.scan.scanning import both_find, evaluate, scan

WIDGET_ROLES = [
    "link",
    "button",
    "checkbox",
    "radio",
    "switch",
    "tab",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "combobox",
    "textbox",
    "searchbox",
    "slider",
    "spinbutton",
    "treeitem",
]


def test_every_widget_role_is_something_to_act_on(open_page):
    page = open_page("".join(f"<div role={role} aria-label='{role}' data-{role}>-</div>" for role in WIDGET_ROLES))
    scanned = scan(page)
    assert scanned.labels == WIDGET_ROLES
    for node in scanned.nodes:
        assert node["isInteractive"] is True
        assert node["role"] == node["label"]
        assert both_find(page, node, f"data-{node['role']}") is True


@pytest.mark.parametrize(
    ("html", "tag", "role"),
    [
        ("<a href=/x>Nom</a>", "a", "link"),
        ("<button>Nom</button>", "button", "button"),
        ("<input aria-label=Nom>", "input", "textbox"),
        ("<input type=search aria-label=Nom>", "input", "searchbox"),
        ("<input type=number aria-label=Nom>", "input", "spinbutton"),
        ("<input type=range aria-label=Nom>", "input", "slider"),
        ("<input type=checkbox aria-label=Nom>", "input", "checkbox"),
        ("<input type=radio aria-label=Nom>", "input", "radio"),
        ("<input type=submit value=Nom>", "input", "button"),
        ("<input type=image alt=Nom width=20 height=20>", "input", "button"),
        ("<input aria-label=Nom list=l><datalist id=l><option>x</datalist>", "input", "combobox"),
        ("<textarea aria-label=Nom></textarea>", "textarea", "textbox"),
        ("<select aria-label=Nom><option>x</select>", "select", "combobox"),
        ("<select aria-label=Nom multiple><option>x</select>", "select", "listbox"),
        ("<details><summary>Nom</summary>x</details>", "summary", "button"),
        ("<div contenteditable aria-label=Nom>x</div>", "div", "textbox"),
        ("<a role=tab tabindex=0>Nom</a>", "a", "tab"),
    ],
)
def test_an_element_to_act_on_is_kept_with_its_role_and_name(open_page, html, tag, role):
    (node,) = scan(open_page(html)).nodes
    assert (node["tag"], node["role"], node["label"], node["isInteractive"]) == (tag, role, "Nom", True)


@pytest.mark.parametrize(
    ("html", "tag"),
    [("<h1>Nom</h1>", "h1"), ("<h2>Nom</h2>", "h2"), ("<h3>Nom</h3>", "h3"), ("<form aria-label=Nom>x</form>", "form")],
)
def test_an_element_that_only_says_something_is_kept_as_that(open_page, html, tag):
    (node,) = scan(open_page(html)).nodes
    assert (node["tag"], node["label"], node["isInteractive"]) == (tag, "Nom", False)


@pytest.mark.parametrize(
    "html",
    [
        "<div onclick='x()'>Nom</div>",
        "<span tabindex=0>Nom</span>",
        "<div tabindex=0 aria-label=Nom>&nbsp;</div>",
        "<div onclick='x()' title=Nom>&nbsp;</div>",
    ],
)
def test_a_plain_element_that_a_script_made_a_button_of_is_kept_by_its_name(open_page, html):
    (node,) = scan(open_page(html)).nodes
    assert (node["label"], node["isInteractive"]) == ("Nom", True)


@pytest.mark.parametrize(
    "html",
    [
        "<div onclick='x()'>&nbsp;</div>",
        "<div tabindex=0>&nbsp;</div>",
        "<div tabindex=-1>Fenêtre</div>",
        "<p>Texte</p>",
        "<h4>Titre</h4>",
        "<input type=hidden name=csrf value=x>",
        "<template><button>Modèle</button></template>",
        "<a>Sans adresse</a>",
    ],
)
def test_what_is_nothing_to_act_on_is_left_out(open_page, html):
    assert scan(open_page(html)).nodes == []


@pytest.mark.parametrize(
    "html",
    [
        "<button style='display:none'>x</button>",
        "<div style='display:none'><button>x</button></div>",
        "<button hidden>x</button>",
        "<button style='visibility:hidden'>x</button>",
        "<div style='visibility:collapse'><button>x</button></div>",
        "<div inert><button>x</button></div>",
        "<button style='pointer-events:none'>x</button>",
        "<input style='position:absolute;width:0;height:0;border:0;padding:0'>",
        "<p><button style='width:0;height:0;border:0;padding:0'></button></p>",
        "<input type=checkbox style='opacity:0;position:absolute'>",
        "<div style='content-visibility:hidden'><button>x</button></div>",
        "<div data-circuy-ignore><button>x</button></div>",
    ],
)
def test_what_nobody_can_reach_is_left_out(open_page, html):
    assert scan(open_page(f"{html}<button>Là</button>")).labels == ["Là"]


def test_a_hidden_part_that_shows_one_thing_again_gives_that_thing(open_page):
    page = open_page(
        "<div style='visibility:hidden'><button>Caché</button><button style='visibility:visible'>Visible</button></div>"
    )
    assert scan(page).labels == ["Visible"]


@pytest.mark.parametrize(
    "hiding",
    [
        "opacity:0;position:absolute",
        "display:none",
        "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)",
        "appearance:none;width:0;height:0;margin:0",
    ],
)
@pytest.mark.parametrize("kind", ["checkbox", "radio", "file"])
def test_a_hidden_control_stands_where_its_label_does(open_page, kind, hiding):
    page = open_page(f"<input type={kind} id=c name=c style='{hiding}'><label for=c id=l data-label>Nom</label>")
    (node,) = scan(page).nodes
    assert (node["tag"], node["type"], node["label"]) == ("input", kind, "Nom")
    assert both_find(page, node, "data-label") is True


def test_what_is_only_off_screen_stays(open_page):
    page = open_page(
        "<div style='height:5000px'></div><button>Très bas</button>"
        "<div style='overflow:auto;width:200px;white-space:nowrap'><div style='width:3000px;text-align:right'>"
        "<button>À droite</button></div></div>"
    )
    assert scan(page).labels == ["Très bas", "À droite"]


def test_a_control_under_aria_hidden_is_kept_and_marked(open_page):
    page = open_page("<div aria-hidden=true><button>Acheter</button></div><button>Payer</button>")
    scanned = scan(page)
    assert scanned.labels == ["Acheter", "Payer"]
    assert scanned.node("Acheter")["state"]["ariaHidden"] is True
    assert "ariaHidden" not in scanned.node("Payer").get("state", {})


@pytest.mark.parametrize(
    ("html", "state"),
    [
        ("<button disabled>x</button>", {"disabled": True}),
        ("<fieldset disabled><button>x</button></fieldset>", {"disabled": True}),
        ("<button disabled style='pointer-events:none'>x</button>", {"disabled": True}),
        ("<div role=button aria-disabled=true tabindex=0>x</div>", {"disabled": True}),
        ("<input required aria-label=x>", {"required": True}),
        ("<input aria-required=true aria-label=x>", {"required": True}),
        ("<div role=tab aria-selected=true tabindex=0>x</div>", {"selected": True}),
        ("<div role=tab aria-selected=false tabindex=0>x</div>", {"selected": False}),
        ("<button aria-expanded=true>x</button>", {"expanded": True}),
        ("<button aria-expanded=false>x</button>", {"expanded": False}),
    ],
)
def test_the_state_of_an_element_is_said(open_page, html, state):
    (node,) = scan(open_page(html)).nodes
    assert node["state"] == state


def test_more_nodes_than_may_be_sent_are_cut_and_that_is_said(open_page):
    page = open_page("<p><button>Un</button><a href=/x>Deux</a></p>" * 20)
    whole, cut = scan(page), scan(page, limits={"nodes": 7})
    assert (len(whole.nodes), whole.stats["truncated"]) == (40, False)
    assert (len(cut.nodes), cut.stats["truncated"]) == (7, True)
    assert cut.nodes == whole.nodes[:7]


def test_more_bytes_than_may_be_sent_are_cut_and_that_is_said(open_page):
    page = open_page("<p><button>Été à Évian</button></p>" * 40)
    limit = 3_000
    cut = scan(page, limits={"bytes": limit})
    assert cut.stats["truncated"] is True
    assert 0 < len(cut.nodes) < 40
    sent = evaluate(
        page,
        f"CircuyScan.scan({{ limits: {{ bytes: {limit} }} }})"
        ".then(({ payload }) => new Blob([JSON.stringify(payload.nodes)]).size)",
    )
    # The limit is about the nodes; brackets and commas between them come on top.
    assert sent <= limit + 2 * len(cut.nodes)


def test_without_limits_a_scan_holds_what_the_server_takes(open_page):
    scanned = scan(open_page("<button>x</button>" * 2_300))
    assert len(scanned.nodes) <= 2_000
    assert scanned.stats["truncated"] is True


def test_numbers_and_lines_follow_the_document(open_page):
    scanned = scan(open_page("<h1>A</h1><div><button>B</button></div><a href=/c>C</a><input name=d>"))
    assert [(node["id"], node.get("label")) for node in scanned.nodes] == [
        ("n1", "A"),
        ("n2", "B"),
        ("n3", "C"),
        ("n4", None),
    ]
    assert scanned.lines == {"n1": "n1 heading A", "n2": "n2 button B", "n3": "n3 link C", "n4": "n4 field"}


def test_a_payload_is_what_the_specification_says(open_page):
    page = open_page("<form id=f aria-label=Facture><input id=ville name=ville placeholder='Nantes, Lyon…'></form>")
    scanned = scan(page, path="/factures/42/modifier")
    assert {key: value for key, value in scanned.payload.items() if key != "nodes"} == {
        "urlPattern": "/factures/*/modifier",
        "pageTitle": "Page",
    }
    field = scanned.of_tag("input")
    assert {key: field[key] for key in ("id", "tag", "type", "label", "placeholder", "role", "name")} == {
        "id": "n2",
        "tag": "input",
        "type": "text",
        "label": "Nantes, Lyon…",
        "placeholder": "Nantes, Lyon…",
        "role": "textbox",
        "name": "ville",
    }
    allowed = {"id", "tag", "type", "label", "placeholder", "role", "selector", "isInteractive", "fallbackSelector"}
    allowed |= {"name", "options", "context", "state", "frame", "fingerprint"}
    assert {key for node in scanned.nodes for key in node} <= allowed


def test_a_list_gives_its_first_choices(open_page):
    options = "".join(f"<option>Choix {number}</option>" for number in range(20))
    (node,) = scan(open_page(f"<select aria-label=x><optgroup label=Tous>{options}</optgroup></select>")).nodes
    assert node["options"][0] == "Choix 0"
    assert 8 <= len(node["options"]) <= 20


@pytest.mark.parametrize("checked", ["true", "false"])
def test_what_somebody_switched_on_is_not_said(open_page, checked):
    page = open_page(f"<div role=switch aria-checked={checked} tabindex=0>x</div>")
    assert [node.get("state") for node in scan(page).nodes] == [None]
