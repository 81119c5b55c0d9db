"""What a scan tells beyond names and selectors: fingerprints, frames, columns, and that a page held more."""

import pytest

from moderation.models import Decision
from organizations.errors import ServiceError
from skills.models import PageScan
from skills.selectors import engine_page
from skills.services import scan_accept, skill_edit
from tests.fixtures import invoice_scan, node

IN_A_SHADOW = '#shell >>> iframe[name="app"] >>> input[name="q"]'
SPEC_KEYS = {"intent_id", "user_goal", "selector", "fallback_selector", "action_type"}


def marked_scan(**changes):
    """The invoice page, each of its elements with a fingerprint; its first heading is no action."""
    scan = invoice_scan(**changes)
    nodes = [{**one, "fingerprint": f"v1~{one['tag']}:{one['id']}"} for one in scan["nodes"]]
    return {**scan, "nodes": nodes}


def accept(tenant, **changes):
    return scan_accept(
        organization=tenant.organization, actor=tenant.author, data=invoice_scan(**changes), name="", locale="fr"
    )


def edit(tenant, skill, intents):
    return skill_edit(
        skill=skill,
        actor=tenant.author,
        seen_digest=skill.digest,
        name=skill.name,
        route_pattern=skill.route_pattern,
        summary=skill.summary,
        intents=intents,
    )


def test_a_page_skill_keeps_the_fingerprints_of_what_its_actions_point_at(oree):
    skill = oree.learn(marked_scan())
    assert skill.fingerprints_json == {
        "#client-select-dropdown": "v1~select:n2",
        "[data-testid='invoice-discount-input']": "v1~input:n3",
        "#vat": "v1~select:n4",
        "button[name='create']": "v1~button:n5",
    }
    assert all(set(intent) == SPEC_KEYS for intent in skill.actions_json["intents"])


def test_the_engine_reads_each_actions_fingerprint_back(oree):
    page = engine_page(oree.learn(marked_scan()))
    assert {intent.selector: intent.fingerprint for intent in page.intents}["#vat"] == "v1~select:n4"


def test_a_page_recorded_without_fingerprints_is_learnt_as_before(oree):
    skill = oree.learn()
    assert skill.fingerprints_json == {}
    assert {intent.fingerprint for intent in engine_page(skill).intents} == {""}


def test_a_removed_action_takes_its_fingerprint_along(oree):
    skill = oree.learn(marked_scan(), approve=False)
    edit(oree, skill, [intent for intent in skill.actions_json["intents"] if intent["selector"] != "#vat"])
    skill.refresh_from_db()
    assert "#vat" not in skill.fingerprints_json
    assert len(skill.fingerprints_json) == 3


def test_an_action_moved_to_another_selector_leaves_its_fingerprint_behind(oree):
    skill = oree.learn(marked_scan())
    intents = [
        {**intent, "selector": "#elsewhere"} if intent["selector"] == "#vat" else intent
        for intent in skill.actions_json["intents"]
    ]
    successor = edit(oree, skill, intents)
    assert set(skill.fingerprints_json) - set(successor.fingerprints_json) == {"#vat"}
    moved = next(intent for intent in engine_page(successor).intents if intent.selector == "#elsewhere")
    assert moved.fingerprint == ""


def test_saving_a_page_with_fingerprints_without_a_change_decides_nothing(oree):
    skill = oree.learn(marked_scan(), approve=False)
    before = Decision.objects.count()
    edit(oree, skill, skill.actions_json["intents"])
    assert Decision.objects.count() == before


def test_what_the_scanner_notes_of_an_element_is_kept_and_its_texts_are_masked(oree):
    noted = {
        "fingerprint": "v1~textbox:8f3a_c2.-9",
        "frame": "iframe[name='app']",
        "context": {"column": "Remise de lea@exemple.fr", "landmark": "Navigation de lea@exemple.fr"},
        "state": {"ariaHidden": True, "expanded": False, "selected": True, "closed": True},
    }
    kept = accept(oree, nodes=[node(1, "input", "Remise", "#a", **noted)]).payload["nodes"][0]
    assert (kept["fingerprint"], kept["frame"]) == (noted["fingerprint"], noted["frame"])
    assert kept["context"] == {"column": "Remise de [EMAIL]", "landmark": "Navigation de [EMAIL]"}
    assert kept["state"] == noted["state"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"fingerprint": "V1"}, "fingerprint"),
        ({"fingerprint": "é"}, "fingerprint"),
        ({"fingerprint": "a b"}, "fingerprint"),
        ({"fingerprint": "a\n"}, "fingerprint"),
        ({"fingerprint": "<b>"}, "fingerprint"),
        ({"fingerprint": ""}, "fingerprint"),
        ({"fingerprint": "a" * 161}, "fingerprint"),
        ({"fingerprint": 12}, "fingerprint"),
        ({"fingerprint": ["a"]}, "fingerprint"),
        ({"frame": "x" * 301}, "frame"),
        ({"frame": True}, "frame"),
        ({"context": {"column": "x" * 301}}, "context.column"),
        ({"context": {"landmark": 1}}, "context.landmark"),
        ({"state": {"ariaHidden": "true"}}, "state.ariaHidden"),
        ({"state": {"expanded": 1}}, "state.expanded"),
        ({"state": {"selected": None}}, "state.selected"),
    ],
)
def test_a_wrong_note_is_refused_by_name(oree, changes, field):
    with pytest.raises(ServiceError) as refused:
        accept(oree, nodes=[node(1, "input", "Remise", "#a", **changes)])
    assert set(refused.value.fields) == {f"nodes[0].{field}"}


def test_the_longest_fingerprint_is_accepted(oree):
    kept = accept(oree, nodes=[node(1, "input", "Remise", "#a", fingerprint="a" * 160)])
    assert kept.payload["nodes"][0]["fingerprint"] == "a" * 160


def test_a_scan_says_that_the_page_held_more(oree):
    assert accept(oree).truncated is False
    assert accept(oree, truncated=False).truncated is False
    cut = accept(oree, truncated=True)
    assert cut.truncated is True
    assert cut.payload["truncated"] is True


@pytest.mark.parametrize("wrong", ["yes", 1, None])
def test_only_true_or_false_says_that_the_page_held_more(oree, wrong):
    with pytest.raises(ServiceError) as refused:
        accept(oree, truncated=wrong)
    assert set(refused.value.fields) == {"truncated"}
    assert PageScan.objects.count() == 0


def test_a_selector_into_a_shadow_root_or_a_frame_is_kept_as_it_is(oree):
    opener = "#shell >>> summary"
    within = node(
        9, "input", "Recherche", IN_A_SHADOW, fallback="#shell >>> #q", state={"closed": True, "opener": opener}
    )
    scan = invoice_scan()
    skill = oree.learn({**scan, "nodes": [*scan["nodes"], within]}, approve=False)
    intent = next(one for one in skill.actions_json["intents"] if one["selector"] == IN_A_SHADOW)
    assert intent["fallback_selector"] == "#shell >>> #q"
    page = engine_page(skill)
    assert next(one for one in page.intents if one.selector == IN_A_SHADOW).element.opener == opener

    edit(oree, skill, [{**one, "user_goal": f"{one['user_goal']}, ici"} for one in skill.actions_json["intents"]])
    skill.refresh_from_db()
    assert IN_A_SHADOW in [one["selector"] for one in skill.actions_json["intents"]]
