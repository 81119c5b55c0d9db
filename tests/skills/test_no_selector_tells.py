"""A scan from a browser that masked nothing: neither the page's address nor any selector tells of anybody."""

import json
import logging

import pytest

from engine.masking import compile_extra
from organizations.errors import ServiceError
from skills.payload import scan_payload_clean
from skills.routes import pattern_masked
from tests.fixtures import invoice_scan, node

MAIL = "jean@acme.fr"
TELLING = [
    f"[data-user='{MAIL}']",
    "#jean\\@acme\\.fr",
    "#\\30 612345678",
    "a[href='/clients/jean%40acme.fr']",
    "#shell >>> [title='06-12-34 56 78']",
    "#cli-2041",
]
OWN = compile_extra(["CLI-####"])


def cleaned(*nodes, **changes):
    return scan_payload_clean(invoice_scan(nodes=[*nodes, node(9, "button", "Créer", "#create")], **changes), OWN)


def test_every_word_of_a_node_is_masked():
    telling = node(1, "input", MAIL, "#a", name=f"to-{MAIL}", role=MAIL, type=MAIL, placeholder="CLI-2041")
    kept = cleaned(telling)["nodes"][0]
    assert {key: kept[key] for key in ("label", "name", "role", "type", "placeholder")} == {
        "label": "[EMAIL]",
        "name": "[EMAIL]",
        "role": "[EMAIL]",
        "type": "[EMAIL]",
        "placeholder": "[SENSITIVE]",
    }


@pytest.mark.parametrize("key", ["selector", "frame", "id", "tag"])
@pytest.mark.parametrize("selector", TELLING)
def test_a_node_that_personal_data_finds_is_left_out(key, selector):
    telling = {**node(1, "input", "Remise", "#a"), key: selector}
    assert [one["id"] for one in cleaned(telling)["nodes"]] == ["n9"]


@pytest.mark.parametrize("selector", TELLING)
def test_a_node_loses_the_fallback_and_the_opener_that_tell(selector):
    telling = node(1, "input", "Remise", "#a", fallback=selector, state={"closed": True, "opener": selector})
    kept = cleaned(telling)["nodes"][0]
    assert "fallbackSelector" not in kept
    assert kept["state"] == {"closed": True}
    assert kept["selector"] == "#a"


def test_a_node_loses_a_fingerprint_that_tells():
    kept = cleaned(node(1, "input", "Remise", "#a", fingerprint="v1~input:0612345678"))["nodes"][0]
    assert "fingerprint" not in kept


def test_selectors_that_tell_nothing_stay_as_they_are():
    harmless = node(
        1,
        "input",
        "Remise",
        "#\\31 2-rows > tr:nth-child(2)",
        fallback='[data-id="550e8400-e29b-41d4-a716-446655440000"]',
        frame="iframe[name='app']",
        state={"closed": True, "opener": "#shell >>> summary"},
        fingerprint="v1~input:8f3a",
    )
    assert cleaned(harmless)["nodes"][0] == harmless


def test_what_is_left_out_is_counted_but_not_told(caplog):
    with caplog.at_level(logging.WARNING, logger="skills.payload"):
        cleaned(
            node(1, "input", "Remise", f"#{MAIL}"),
            node(2, "input", "TVA", "#b", fallback=f"#{MAIL}", state={"opener": f"#{MAIL}"}),
        )
    assert "1 nodes and 2 parts" in caplog.text
    assert MAIL not in caplog.text


def test_a_page_of_which_nothing_can_be_kept_is_refused():
    with pytest.raises(ServiceError) as refused:
        scan_payload_clean(invoice_scan(nodes=[node(1, "button", "Créer", f"#{MAIL}")]))
    assert set(refused.value.fields) == {"nodes"}


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [
        (f"/clients/{MAIL}/edit", "/clients/*/edit"),
        ("/clients/jean%40acme.fr", "/clients/*"),
        ("/dossiers/CLI-2041/**", "/dossiers/*/**"),
        ("/tel/06/12/34/56/78", "/tel/*/*/*/*/*"),
        ("/factures/2026/11/*", "/factures/2026/11/*"),
        ("/", "/"),
    ],
)
def test_a_personal_segment_of_the_address_becomes_a_star(pattern, kept):
    assert pattern_masked(pattern, OWN) == kept
    assert cleaned(urlPattern=pattern)["urlPattern"] == kept


def test_nothing_of_a_telling_scan_is_kept_anywhere():
    stored = cleaned(
        *(node(number, "input", selector, selector, name=selector) for number, selector in enumerate(TELLING)),
        node(8, "input", MAIL, "#a", fallback=f"#{MAIL}", frame="iframe", state={"opener": f"#{MAIL}"}),
        urlPattern=f"/clients/{MAIL}",
        pageTitle=MAIL,
    )
    told = json.dumps(stored, ensure_ascii=False).lower()
    assert not [datum for datum in ("jean", "acme", "612345678", "56 78", "2041") if datum in told]
