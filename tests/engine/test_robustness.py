"""Whatever a page or an asker says, the local provider answers."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.service import answer_question, plan_intents, propose_skill, rank_intents, suggest_goals
from engine.types import EngineConfig, Page, Scan, ScanNode
from tests.engine.scans import learn

LOCAL = EngineConfig()
INVOICE = learn("nouvelle_facture")
PIECES = [
    "Nouveau",
    "l'",
    "Client",
    "%",
    "«",
    "…",
    "*",
    "(",
    ")",
    "CMD-1",
    "Enregistrer",
    "New",
    " ",
    "É",
    "\u202e",
    "🙂",
]
LABELS = st.one_of(st.text(max_size=30), st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join))
NODES = st.builds(
    ScanNode,
    id=st.just("n"),
    tag=st.sampled_from(["a", "button", "input", "select", "textarea", "summary", "div", "h1"]),
    selector=st.sampled_from(["#a", "#b", "#c", "#d"]),
    type=st.sampled_from(["", "submit", "checkbox", "radio", "date", "file", "search", "password"]),
    role=st.sampled_from(["", "tab", "button", "switch", "combobox", "link", "menuitem"]),
    label=LABELS,
    placeholder=LABELS,
    name=LABELS,
    form=LABELS,
    group=LABELS,
    row=LABELS,
    options=st.lists(LABELS, max_size=3).map(tuple),
    closed=st.booleans(),
    opener=st.sampled_from(["", "#a", "#b"]),
    required=st.booleans(),
)
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(st.lists(NODES, max_size=6), st.sampled_from(["fr", "en"]), LABELS, st.sampled_from(["fr", "en"]))
def test_any_scan_is_learnt_and_can_be_asked_about(nodes, locale, question, asker):
    scan = Scan("/page", "Titre – Site", tuple(nodes), locale)
    skill = propose_skill(scan, locale=locale, config=LOCAL)
    ids = [intent.intent_id for intent in skill.intents]
    assert len(ids) == len(set(ids))
    assert all(intent.user_goal and intent.selector for intent in skill.intents)
    page = Page(skill.name, skill.summary, "/page", locale, skill.intents)
    for asked in (question, *(node.label for node in nodes)):
        answer = answer_question(asked, page, locale=asker, config=LOCAL)
        assert {step.intent_id for step in answer.steps} <= set(ids)
        assert all(step.title and len(step.title) <= 40 and step.text for step in answer.steps)


@quick
@given(st.text(max_size=300))
def test_any_question_is_answered_or_refused(question):
    ranked = rank_intents(question, INVOICE)
    plan = plan_intents(question, INVOICE)
    assert len(ranked) == len(INVOICE.intents)
    assert 0 <= plan.confidence <= 1
    assert len(suggest_goals(question, INVOICE)) == 3
    answer = answer_question(question, INVOICE, locale="fr", config=LOCAL)
    assert tuple(step.intent_id for step in answer.steps) == plan.intent_ids
