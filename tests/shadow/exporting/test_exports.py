"""What was learnt, for other tools and for paper."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from shadow.exporting import chrome_recording, guide_html, of_tour, of_workflow, shepherd_tour
from shadow.importing import read_recordings
from shadow.observer import Event, segment
from shadow.workflow_ir import WorkflowIR

WORKFLOW = Path(__file__).parents[1] / "importing" / "workflow.yaml"
PIXEL = b"\x89PNG\r\n\x1a\n" + b"0" * 20


@pytest.fixture
def document():
    workflow = WorkflowIR.from_yaml(WORKFLOW.read_text(encoding="utf-8")).to_json()
    return of_workflow(workflow, pictures={1: PIXEL}, made_on="30 novembre 2026")


def test_a_chrome_recording_says_the_same_as_the_workflow(document):
    written = chrome_recording(document, "https://maison-oree.test/")
    [recording] = read_recordings(written).recordings
    steps = segment([Event.from_wire(event) for event in recording.events])
    assert [step.kind for step in steps] == ["navigate", "click", "fill", "fill", "click"]
    assert [step.target.selector for step in steps if step.target] == ["#o1042", "#reason", "#pw", "#refund"]
    assert [one.command for one in recording.unsupported] == ["setViewport"]
    parsed = json.loads(written)["steps"]
    assert parsed[1]["url"] == "https://maison-oree.test/commandes"
    assert parsed[2]["selectors"] == [["#o1042"], ['aria/1042[role="link"]']]
    assert parsed[2]["assertedEvents"] == [{"type": "navigation"}]


def test_a_tour_for_shepherd_holds_no_markup_of_its_own():
    step = {"title": "<b>Payer</b>", "text": "a & b", "selector": "#pay", "action_type": "click", "picked": "Payer"}
    inside = step | {"selector": "pay-box >>> #pay"}
    written = json.loads(shepherd_tour(of_tour("Payer", "fr", [step, inside], route="/factures")))
    first, second = written["steps"]
    assert (first["title"], first["text"]) == ("&lt;b&gt;Payer&lt;/b&gt;", "a &amp; b")
    assert first["attachTo"] == {"element": "#pay", "on": "bottom"}
    assert first["advanceOn"] == {"selector": "#pay", "event": "click"}
    assert [button["text"] for button in second["buttons"]] == ["Retour", "Terminer"]
    assert "attachTo" not in second


def test_the_guide_on_paper_is_whole_and_runs_nothing(document):
    page = guide_html(document)
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert page.count('class="step"') == 3
    assert "Page « Commande »" in page
    assert "elle n’est notée nulle part" in page
    assert page.count("data:image/png;base64,") == 1


def test_a_title_is_text_on_paper_too():
    step = {"title": "<img src=x onerror=alert(1)>", "text": "", "selector": "#a"}
    page = guide_html(of_tour("<script>x</script>", "en", [step]))
    assert "<script" not in page
    assert "<img" not in page
    assert "1 step" in page


def test_no_secret_of_a_workflow_is_ever_written():
    workflow = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    workflow["steps"][2]["before"][0]["value"] = "hunter2"
    leaky = of_workflow(workflow)
    for written in (chrome_recording(leaky, "https://a.test"), shepherd_tour(leaky), guide_html(leaky)):
        assert "hunter2" not in written
