"""A scan reads the page and leaves it alone: nothing changes, nothing waits for it, no policy is broken."""

from __future__ import annotations

import pytest

from tests.scan.scanning import both_find, evaluate, finds, resolve, scan

STRICT_POLICY = "default-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

PAGE = (
    "<h1>Facture</h1><form id=f><label>Client <input id=client name=client></label><button>Envoyer</button></form>"
    "<details><summary>Plus</summary><button>Exporter</button></details>"
    "<div id=host></div><iframe srcdoc='<button>Dedans</button>'></iframe>"
)
_SHADOW = "document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<button>Ombre</button>';"


def test_no_observer_of_the_page_sees_a_change(open_page):
    page = open_page(PAGE)
    evaluate(
        page,
        f"""{_SHADOW}
        window.changes = [];
        const all = {{ subtree: true, childList: true, attributes: true, characterData: true }};
        for (const root of [document, document.getElementById('host').shadowRoot, frames[0].document]) {{
            new MutationObserver((seen) => {{
                for (const one of seen) changes.push(`${{one.type}} on ${{one.target.nodeName}}`);
            }}).observe(root, all);
        }}
        undefined""",
    )
    nodes = scan(page).nodes
    for node in nodes:
        resolve(page, node)
    assert len(nodes) >= 5
    assert evaluate(page, "new Promise((done) => setTimeout(() => done(changes)))") == []


def test_focus_selection_and_scrolling_stay_as_they_were(open_page):
    page = open_page(f"<p id=words>Quelques mots</p><div style='height:3000px'></div>{PAGE}")
    state = """(() => {
        const { anchorNode, anchorOffset, focusOffset } = getSelection();
        const places = [scrollX, scrollY, document.activeElement.id, anchorNode?.nodeName, anchorOffset, focusOffset];
        return JSON.stringify([...places, history.length, location.href, document.cookie, localStorage.length]);
    })()"""
    evaluate(
        page,
        "document.getElementById('client').focus(); scrollTo(0, 700);"
        "getSelection().setBaseAndExtent(words.firstChild, 2, words.firstChild, 7)",
    )
    page.evaluate("""() => {
        window.events = [];
        for (const kind of ['focusin', 'focusout', 'scroll', 'selectionchange', 'click', 'input', 'change', 'toggle'])
            document.addEventListener(kind, () => events.push(kind), true);
    }""")
    page.wait_for_timeout(50)
    evaluate(page, "void (events.length = 0)")
    before = evaluate(page, state)
    scan(page)
    assert evaluate(page, state) == before
    assert evaluate(page, "new Promise((done) => setTimeout(() => done(events)))") == []


# Names on the window, and what each built-in prototype and object holds.
_WORLD = """window.worldNow = () => {
    const seen = new Map();
    for (const name of Object.getOwnPropertyNames(window)) {
        if (/^[0-9]+$/.test(name)) continue;  // a frame
        const { value } = Object.getOwnPropertyDescriptor(window, name);
        seen.set(name, value);
        if (typeof value !== 'function' && typeof value !== 'object') continue;
        for (const object of [value, value?.prototype]) {
            if (object === null || object === undefined || object === window || object === document) continue;
            for (const key of Reflect.ownKeys(object)) {
                const { value: held, get, set } = Object.getOwnPropertyDescriptor(object, key);
                seen.set(`${name}${object === value ? '' : '.prototype'}.${String(key)}`, held ?? get ?? set);
            }
        }
    }
    return seen;
};
window.worldBefore = worldNow();"""


def test_nothing_global_is_touched_but_the_scanners_own_name(open_page):
    page = open_page(PAGE, first=_WORLD)
    scan(page)
    changed = evaluate(
        page,
        """(() => {
            const now = worldNow();
            const own = (key) => /^(?:CircuyScan|world)/.test(key);
            const keys = new Set([...worldBefore.keys(), ...now.keys()]);
            return [...keys].filter((key) => !own(key) && !Object.is(worldBefore.get(key), now.get(key)));
        })()""",
    )
    assert evaluate(page, "worldBefore.size") > 5_000
    # What the browser itself counts up while the page lives, and the last error that a script threw.
    assert [key for key in changed if not key.startswith(("RegExp.", "performance", "Performance"))] == []


def test_a_strict_policy_with_trusted_types_is_kept(open_page):
    page = open_page(PAGE, STRICT_POLICY)
    evaluate(
        page,
        "window.refused = []; addEventListener('securitypolicyviolation', (e) => refused.push(e.violatedDirective));"
        "undefined",
    )
    scanned = scan(page)
    assert {"Facture", "Client", "Envoyer", "Plus", "Exporter"} <= set(scanned.labels)
    for node in scanned.nodes:
        if "closed" not in node.get("state", {}):
            assert resolve(page, node) is not None
    assert evaluate(page, "new Promise((done) => setTimeout(() => done(refused)))") == []


_TURNS_DURING_SCAN = """(async () => {
    let turns = 0;
    let done = false;
    const turn = () => { turns += 1; if (!done) setTimeout(turn); };
    setTimeout(turn);
    const { stats } = await CircuyScan.scan({ limits: { nodes: 1000000, bytes: 1000000000 } });
    done = true;
    return { turns, stats };
})()"""


def test_other_tasks_of_the_page_run_while_a_long_page_is_scanned(open_page):
    row = "<tr><td>Vase</td><td><a href=/vases>Voir</a> <span>ou</span> <button>Retirer</button></td></tr>"
    # Six elements a row: more than 50,000.
    page = open_page(f"<table>{row * 8_500}</table>")
    answer = evaluate(page, _TURNS_DURING_SCAN)
    assert answer["stats"]["nodes"] == 2 * 8_500
    assert answer["stats"]["truncated"] is False
    # The walk alone takes many slices; once would be luck.
    assert answer["turns"] >= 5


def test_two_scans_at_once_say_the_same(open_page):
    page = open_page(PAGE + "<p><a href=/x>Voir</a><button>Retirer</button></p>" * 500)
    first, second = evaluate(
        page,
        "Promise.all([CircuyScan.scan({}), CircuyScan.scan({})])"
        ".then((both) => both.map(({ payload }) => JSON.stringify(payload)))",
    )
    assert first == second


def _nest(depth: int, style: str) -> str:
    """Script that puts a button with an id into `depth` nested elements; a parser would stop at 512."""
    return f"""(() => {{
        const drawer = document.createElement('div');
        drawer.id = 'drawer';
        drawer.style.cssText = '{style}';
        let inner = drawer;
        for (let i = 0; i < {depth}; i += 1) inner = inner.appendChild(document.createElement('div'));
        inner.innerHTML = '<button id=deep name=deep data-deep>Au fond</button><button data-nameless>Sans nom</button>';
        document.body.append(drawer);
    }})()"""


def test_a_page_nested_as_deep_as_the_browser_can_draw_is_scanned_to_the_bottom(open_page):
    """Chromium itself crashes while it lays out some 3,000 nested boxes, with no script of anybody's."""
    page = open_page("<button>En haut</button>")
    evaluate(page, _nest(2_000, ""))
    scanned = scan(page)
    assert scanned.labels[:2] == ["En haut", "Au fond"]
    assert finds(page, scanned.node("Au fond")["selector"], "data-deep") is True
    # What has no id, and no path short enough to send, is either found or said to be missing.
    assert len(scanned.nodes) + scanned.stats["failed"] >= 3


def test_a_closed_part_nested_deeper_than_that_is_scanned_too(open_page):
    page = open_page("<button id=open aria-controls=drawer aria-expanded=false>Ouvrir</button>")
    evaluate(page, _nest(12_000, "display:none"))
    scanned = scan(page)
    assert scanned.labels[:2] == ["Ouvrir", "Au fond"]
    assert scanned.node("Au fond")["state"]["closed"] is True


_NEST_SHADOWS = """(() => {
    let root = document.body;
    for (let i = 1; i <= %d; i += 1) {
        const host = root.appendChild(document.createElement('b-b'));
        root = host.attachShadow({ mode: 'open' });
        const button = root.appendChild(document.createElement('button'));
        button.textContent = `Niveau ${i}`;
        button.setAttribute('data-level', i);
        button.name = 'go';
    }
})()"""


def test_fifty_shadow_roots_one_inside_the_other_are_all_entered(open_page):
    page = open_page("<button>En haut</button>")
    evaluate(page, _NEST_SHADOWS % 50)
    scanned = scan(page)
    # A path too long to be sent is counted as failed, never left out in silence.
    assert len(scanned.nodes) + scanned.stats["failed"] == 51
    assert {f"Niveau {level}" for level in range(1, 9)} <= set(scanned.labels)
    for node in scanned.nodes[1:]:
        level = str(node["label"]).removeprefix("Niveau ")
        assert evaluate(page, _LEVEL_FOUND % repr(node["selector"])) == level


_LEVEL_FOUND = """%s.split(' >>> ').reduce(
    (found, part) => (found.shadowRoot ?? found).querySelector(part), document).getAttribute('data-level')"""


@pytest.mark.parametrize("doctype", ["", "<!doctype html>"], ids=["quirks", "standards"])
def test_a_page_in_any_mode_gives_working_locators(open_page, doctype):
    page = open_page(
        f"{doctype}<html><head><title>Page</title></head><body><DIV ID=Main><INPUT NAME=Ville aria-label=Ville data-v>"
        "</DIV><div id=main><input name=ville aria-label=ville data-w></div></body></html>"
    )
    scanned = scan(page)
    assert both_find(page, scanned.node("Ville"), "data-v") is True
    assert both_find(page, scanned.node("ville"), "data-w") is True
