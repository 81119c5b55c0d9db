"""What is learnt of a page that Chromium shows: sound, and each action finds its own element again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from bench.learning.checks import SCRIPT, call_of, faults_of, pairs_of, scan_of
from bench.learning.naming_model import NamingModel
from engine.service import propose_skill
from engine.types import EngineConfig, Scan, SkillProposal
from tests.fakes.llm_server import FakeLlmServer
from tests.scan.scanning import evaluate

PAGES = [Path(__file__).parents[1] / "skills" / "releases" / f"{release}.html" for release in ("first", "second")]
NAMELESS = """
  <h1>Commandes</h1>
  <form aria-label="Recherche"><label>Du</label><p>Date : <input name="d0"> Heure : <input name="d1"></p>
    <button><i class="fas fa-search"></i></button></form>
  <table><thead><tr><th><input type="checkbox" name="all"></th><th>Numéro</th></tr></thead>
    <tbody><tr><td><input type="checkbox" name="one"></td><td><a href="/c/1">C-1</a></td></tr>
      <tr><td><input type="checkbox" name="one"></td><td><a href="/c/2">C-2</a></td></tr></tbody></table>
"""


@pytest.fixture(params=[*PAGES, NAMELESS], ids=["first release", "second release", "without names"])
def page(request: pytest.FixtureRequest, open_page: Any) -> Page:
    page: Page = open_page(request.param if isinstance(request.param, str) else request.param.read_text("utf-8"))
    evaluate(page, f"{SCRIPT.read_text(encoding='utf-8')};undefined")
    return page


@pytest.fixture
def model() -> Iterator[FakeLlmServer]:
    with FakeLlmServer() as server:
        yield server


def scanned(page: Page) -> Scan:
    return scan_of(evaluate(page, "CircuyResolving.scan()"))


def unresolved(page: Page, proposal: SkillProposal, scan: Scan) -> Any:
    return evaluate(page, call_of(pairs_of(proposal.intents, scan)))


def asking(server: FakeLlmServer) -> EngineConfig:
    return EngineConfig("openai", server.base_url, "secret-key", "naming-model", timeout_s=5)


def test_what_is_learnt_offline_is_sound_and_finds_its_elements(page):
    scan = scanned(page)
    proposal = propose_skill(scan, locale="fr", config=EngineConfig())
    assert len(proposal.intents) >= 6
    assert faults_of(proposal, scan) == []
    assert unresolved(page, proposal, scan) == []


def test_what_a_model_invents_is_dropped_and_counted_and_what_it_decorates_is_plain(page, model):
    scan = scanned(page)
    names = NamingModel()
    names.invents = True
    model.script = names
    proposal = propose_skill(scan, locale="fr", config=asking(model))
    assert (proposal.provider, proposal.dropped, names.invented) == ("openai", 1, 1)
    assert faults_of(proposal, scan) == []
    assert unresolved(page, proposal, scan) == []


def test_a_model_that_ends_too_early_leaves_the_page_to_the_rules(page, model):
    scan = scanned(page)
    model.script = NamingModel()
    model.behave("truncated")
    proposal = propose_skill(scan, locale="fr", config=asking(model))
    assert (proposal.provider, proposal.fell_back) == ("local", "provider_truncated")
    assert proposal.intents == propose_skill(scan, locale="fr", config=EngineConfig()).intents


def test_an_action_of_no_element_and_one_of_another_are_told(page):
    scan = scanned(page)
    proposal = propose_skill(scan, locale="fr", config=EngineConfig())
    first, second, *others = proposal.intents
    wrong = replace(first, selector="#nowhere", user_goal="<b>Click here to get what you want</b>", intent_id="É")
    broken = replace(proposal, intents=(wrong, second, second, *others))
    assert len(faults_of(broken, scan)) == 5
    swapped = [(pairs_of([second], scan)[0][0], first.selector), ("", "#nowhere"), ("n1", "*")]
    assert evaluate(page, call_of(swapped)) == [list(pair) for pair in swapped]
