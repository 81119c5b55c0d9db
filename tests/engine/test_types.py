from __future__ import annotations

from engine.types import ElementContext, ScanNode, Usage


def test_an_element_context_survives_json_and_leaves_defaults_out():
    element = ElementContext("select", label="Statut", options=("Livrée", "Annulée"), required=True, position=4)
    data = element.to_json()
    assert data == {
        "tag": "select",
        "label": "Statut",
        "options": ["Livrée", "Annulée"],
        "required": True,
        "position": 4,
    }
    assert ElementContext.from_json(data) == element


def test_an_element_context_ignores_what_it_does_not_know():
    element = ElementContext.from_json({"tag": "input", "label": 12, "options": "no", "required": "yes", "later": 1})
    assert element == ElementContext("input")


def test_a_wire_node_is_read_with_its_context_and_state():
    node = ScanNode.from_wire(
        {
            "id": "n3",
            "tag": "INPUT",
            "selector": "#a",
            "fallbackSelector": "input[name='a']",
            "isInteractive": True,
            "fingerprint": "v1~3",
            "context": {"form": "Facture", "row": "Ligne 1", "column": "Remise"},
            "state": {"closed": True, "opener": "summary", "required": True},
        }
    )
    assert (node.tag, node.fallback_selector, node.form, node.row) == ("input", "input[name='a']", "Facture", "Ligne 1")
    assert (node.column, node.fingerprint) == ("Remise", "v1~3")
    assert (node.closed, node.opener, node.required, node.checked) == (True, "summary", True, False)


def test_a_wire_node_with_wrong_types_falls_back_to_defaults():
    node = ScanNode.from_wire(
        {"id": 1, "tag": "a", "selector": None, "context": [], "state": "x", "isInteractive": "true"}
    )
    assert (node.id, node.selector, node.form, node.is_interactive) == ("", "", "", False)


def test_usage_adds_up():
    assert Usage(10, 2) + Usage(5, 1) == Usage(15, 3)
