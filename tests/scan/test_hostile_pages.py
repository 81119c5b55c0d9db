"""Pages that break scripts: the scan still says what it sees, and the page never notices it."""

from __future__ import annotations

import pytest

from tests.scan.scanning import evaluate, scan

ORDINARY = (
    "<h1>Facture</h1><form id=f aria-label=Facture><label>Client <input name=client></label>"
    "<select name=tva aria-label=TVA><option>20 %<option>5,5 %</select>"
    "<button id=go name=go onclick=\"document.title = 'Envoyée'\">Envoyer</button></form>"
    "<nav><a href=/aide>Aide</a></nav><details><summary>Plus</summary><button name=more>Exporter</button></details>"
)
KEPT = ["Facture", "Facture", "Client", "TVA", "Envoyer", "Aide", "Plus", "Exporter"]

THROWING_GETTERS = """
    for (const element of document.querySelectorAll('body *')) {
        for (const name of ['id', 'className', 'tagName', 'localName', 'textContent', 'innerText', 'attributes',
            'parentElement', 'parentNode', 'children', 'childNodes', 'firstChild', 'firstElementChild', 'nextSibling',
            'nextElementSibling', 'shadowRoot', 'dataset', 'classList', 'style', 'labels', 'form', 'type', 'hidden',
            'title', 'getAttribute', 'getBoundingClientRect', 'checkVisibility', 'matches', 'closest', 'toJSON',
            'nodeType', 'nodeValue', 'isConnected', 'ownerDocument', 'getRootNode', 'contentDocument']) {
            Object.defineProperty(element, name, { get() { throw new Error('trap: ' + name); } });
        }
    }
"""
# Everything that a naive walk would follow leads back to the document, or to the object that says it is undefined.
MISLEADING_PROPERTIES = """
    for (const element of document.querySelectorAll('body *')) {
        for (const name of ['shadowRoot', 'contentDocument', 'firstElementChild', 'parentElement', 'labels', 'id']) {
            Object.defineProperty(element, name, { value: name === 'contentDocument' ? document : document.all });
        }
    }
"""
# As old libraries did: working replacements, and additions that every `for … in` meets.
OLD_LIBRARIES = """
    Array.prototype.each = function (f) { return this.forEach(f); };
    Object.prototype.extend = function () { return this; };
    String.prototype.blank = function () { return /^\\s*$/.test(this); };
    Array.prototype.map = function (f, self) {
        const out = []; for (let i = 0; i < this.length; i += 1) out[i] = f.call(self, this[i], i, this); return out;
    };
    Array.prototype.push = function (...more) { for (const one of more) this[this.length] = one; return this.length; };
    Element.prototype.remove = function () { this.parentNode?.removeChild(this); };
"""


@pytest.mark.parametrize(
    "trap", [THROWING_GETTERS, MISLEADING_PROPERTIES, OLD_LIBRARIES], ids=["throwing", "misleading", "old libraries"]
)
def test_properties_of_the_pages_own_making_change_nothing(open_page, trap):
    clean = scan(open_page(ORDINARY))
    page = open_page(ORDINARY)
    evaluate(page, trap)
    assert clean.labels == KEPT
    assert scan(page) == clean


@pytest.mark.parametrize("owner", ["Array", "Object", "String", "Map", "Number"])
def test_to_json_on_a_prototype_changes_nothing(open_page, owner):
    page = open_page(ORDINARY)
    clean = scan(page)
    for answer in ("throw new Error('trap')", "return", "return 1n", "return 'x'.repeat(300000)", "return '[]'"):
        evaluate(page, f"{owner}.prototype.toJSON = function () {{ {answer}; }}; undefined")
        assert scan(page) == clean, answer


@pytest.mark.parametrize("name", ["body", "documentElement", "title", "all", "head", "forms", "querySelectorAll"])
def test_an_element_named_like_a_property_of_the_document_hides_nothing(open_page, name):
    page = open_page(f"{ORDINARY}<img name={name} id={name}><form name={name}></form><embed name={name}>")
    scanned = scan(page)
    assert scanned.labels[: len(KEPT)] == KEPT
    assert scanned.payload["pageTitle"] == "Page"


def test_an_element_named_like_the_scanner_does_not_replace_it(open_page):
    assert scan(open_page(f"<a id=CircuyScan></a><a id=CircuyScan name=scan></a>{ORDINARY}")).labels == KEPT


REPLACED = [
    "Element.prototype.getAttribute",
    "Element.prototype.getAttributeNames",
    "Element.prototype.getBoundingClientRect",
    "Element.prototype.checkVisibility",
    "Element.prototype.querySelectorAll",
    "Document.prototype.getElementById",
    "Array.prototype.map",
    "Array.prototype.push",
    "Array.prototype.filter",
    "Map.prototype.get",
    "String.prototype.replace",
    "RegExp.prototype.test",
    "window.getComputedStyle",
    "JSON.stringify",
]
_BROKEN = "{ const broken = () => { throw new Error('trap'); }; %s = broken; }"


@pytest.mark.parametrize("function", REPLACED)
def test_a_page_that_breaks_a_builtin_after_the_script_came_still_works(open_page, function):
    page = open_page(ORDINARY)
    evaluate(page, _BROKEN % function)
    settled = evaluate(page, _SETTLED)
    assert settled["title"] == "Envoyée"
    if settled["nodes"] is not None:
        # What could not be read is said, not silently left out.
        assert settled["nodes"] + settled["failed"] >= len(KEPT)


@pytest.mark.parametrize("function", REPLACED)
def test_a_page_that_broke_a_builtin_before_the_script_came_still_works(open_page, function):
    page = open_page(f"{ORDINARY}<script>{_BROKEN % function}</script>")
    settled = evaluate(page, _SETTLED)
    assert settled["title"] == "Envoyée"
    if settled["nodes"] is not None:
        assert settled["nodes"] + settled["failed"] >= len(KEPT)


# Scans, whether or not that works, and then uses the page.
_SETTLED = """(async () => {
    let nodes = null;
    let failed = null;
    try {
        const { stats } = await CircuyScan.scan({});
        nodes = stats.nodes;
        failed = stats.failed;
    } catch (error) {
        if (!(error instanceof Error)) throw error;
    }
    document.forms[0].addEventListener('submit', (event) => { event.preventDefault(); });
    document.forms[0].elements.go.click();
    return { nodes, failed, title: document.title };
})()"""


def test_a_page_that_frames_itself_is_scanned_once(open_page):
    page = open_page("<button>Un</button><iframe src=/page></iframe><iframe src=/other></iframe>", files=_EACH_OTHER)
    scanned = scan(page)
    assert scanned.labels.count("Un") <= 3
    assert scanned.labels[0] == "Un"
    assert scanned.stats["truncated"] is False


_EACH_OTHER = {"/other": "<button>Deux</button><iframe src=/page></iframe>"}


def test_frames_that_claim_to_hold_their_own_page_end_somewhere(open_page):
    page = open_page("<button>Un</button><iframe srcdoc='<button>Dedans</button>'></iframe><button>Deux</button>")
    evaluate(
        page,
        "Object.defineProperty(HTMLIFrameElement.prototype, 'contentDocument', { get: () => document }); undefined",
    )
    labels = scan(page).labels
    assert labels.count("Un") == 1
    assert labels.count("Deux") == 1


def test_elements_that_claim_to_have_the_body_for_a_shadow_end_somewhere(open_page):
    page = open_page("<button>Un</button><p><button>Deux</button></p>")
    evaluate(page, "Object.defineProperty(Element.prototype, 'shadowRoot', { get: () => document.body }); undefined")
    scanned = scan(page)
    assert scanned.labels.count("Un") <= 1
    assert len(scanned.nodes) + scanned.stats["failed"] >= 2


_REMOVED_MEANWHILE = """(async () => {
    const part = document.getElementById('part');
    let turns = 0;
    let done = false;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
        turns += 1;
        if (turns === %d) part.remove();
        if (!done) channel.port2.postMessage(null);
    };
    channel.port2.postMessage(null);
    const scanned = await CircuyScan.scan({ limits: { nodes: 100000, bytes: 100000000 } });
    done = true;
    return { gone: !part.isConnected, labels: scanned.payload.nodes.map((node) => node.label) };
})()"""


@pytest.mark.parametrize("turn", [1, 3])
@pytest.mark.parametrize("tag", ["iframe", "section"])
def test_a_part_removed_during_the_scan_stops_nothing(open_page, tag, turn):
    inner = "<p><button>Dedans</button></p>" * 4_000
    part = "<iframe id=part src=/inner></iframe>" if tag == "iframe" else f"<section id=part>{inner}</section>"
    page = open_page(f"<button>Avant</button>{part}<button>Après</button>", files={"/inner": inner})
    answer = evaluate(page, _REMOVED_MEANWHILE % turn)
    assert answer["gone"]
    assert answer["labels"][0] == "Avant"
    assert answer["labels"][-1] == "Après"


def test_a_frame_of_another_site_is_left_alone(open_page, site):
    elsewhere = site.url.replace("127.0.0.1", "localhost")
    page = open_page(
        f"<button>Un</button><iframe src='{elsewhere}/inner'></iframe><iframe sandbox src=/inner></iframe>",
        files={"/inner": "<button>Dedans</button>"},
    )
    assert scan(page).labels == ["Un"]
