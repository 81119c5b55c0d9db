"""From a scan to a page-skill under review, and what an approval does."""

import pytest

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from skills.models import PageScan, PageSkill
from skills.selectors import engine_page, skills_for_path
from skills.services import scan_accept, scan_learn, skill_edit
from tests.fixtures import LOCAL, invoice_scan, node

SPEC_KEYS = {"intent_id", "user_goal", "selector", "fallback_selector", "action_type"}


def test_a_learnt_page_is_the_specifications_document_to_the_letter(oree):
    skill = oree.learn(approve=False)
    assert set(skill.actions_json) == {"summary", "intents"}
    assert all(set(intent) == SPEC_KEYS for intent in skill.actions_json["intents"])
    by_selector = {intent["selector"]: intent for intent in skill.actions_json["intents"]}
    discount = by_selector["[data-testid='invoice-discount-input']"]
    assert discount["fallback_selector"] == "input[name='discount']"
    assert discount["action_type"] == "input"


def test_a_learnt_page_waits_in_the_inbox_and_takes_effect_when_approved(oree):
    skill = oree.learn(approve=False)
    assert skill.status == Status.PENDING_REVIEW
    assert skills_for_path("/factures/nouvelle") == []
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.APPROVE,
        seen_digest=skill.digest,
    )
    assert skills_for_path("/factures/nouvelle") == [skill]


def test_every_selector_comes_from_the_scan(oree):
    skill = oree.learn()
    scanned = {scanned["selector"] for scanned in invoice_scan()["nodes"]}
    assert {intent["selector"] for intent in skill.actions_json["intents"]} <= scanned


def test_the_engine_reads_back_what_the_scan_knew_of_each_element(oree):
    page = engine_page(oree.learn())
    vat = next(intent for intent in page.intents if intent.selector == "#vat")
    assert vat.element.options == ("5,5 %", "20 %")
    assert vat.element.label == "Taux de TVA"


def test_a_scan_is_learnt_once_however_often_the_task_runs(oree):
    scan = scan_accept(
        organization=oree.organization, actor=oree.author, data=invoice_scan(), name="Facture", locale="fr"
    )
    assert scan_learn(scan_id=scan.pk, config=LOCAL) is not None
    assert scan_learn(scan_id=scan.pk, config=LOCAL) is None
    assert PageSkill.objects.count() == 1


def test_a_page_learnt_again_replaces_the_published_one_only_when_approved(oree):
    first = oree.learn()
    second = oree.learn(approve=False)
    assert second.version == first.version + 1
    assert skills_for_path("/factures/nouvelle") == [first]
    review_decide(
        model=PageSkill,
        subject_id=second.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.APPROVE,
        seen_digest=second.digest,
    )
    assert skills_for_path("/factures/nouvelle") == [second]
    first.refresh_from_db()
    assert first.status == Status.ARCHIVED


def test_personal_data_is_masked_again_before_it_is_stored(oree):
    scan = scan_accept(
        organization=oree.organization,
        actor=oree.author,
        data=invoice_scan(
            pageTitle="Facture de camille@exemple.fr",
            nodes=[node(1, "button", "Appeler 06 12 34 56 78", "#call", context={"row": "lea@exemple.fr"})],
        ),
        name="Facture",
        locale="fr",
    )
    assert scan.page_title == "Facture de [EMAIL]"
    assert scan.payload["nodes"][0]["label"] == "Appeler [SENSITIVE_NUMERIC]"
    assert scan.payload["nodes"][0]["context"] == {"row": "[EMAIL]"}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"nodes": [{"id": "n1"}]}, "nodes[0].tag"),
        ({"nodes": [node(1, "input", "x" * 301, "#a")]}, "nodes[0].label"),
        ({"nodes": [node(1, "input", "a", "#a", options="no")]}, "nodes[0].options"),
        ({"nodes": [node(1, "input", "a", "#a", state={"closed": "yes"})]}, "nodes[0].state.closed"),
        ({"nodes": [node(1, "h1", "a", "h1", interactive=False)]}, "nodes"),
        ({"pageTitle": 5}, "pageTitle"),
        ({"nodes": ["no"]}, "nodes[0]"),
        ({"urlPattern": "no path"}, "urlPattern"),
    ],
)
def test_a_wrong_scan_is_refused_whole_and_says_where(oree, changes, field):
    with pytest.raises(ServiceError) as refused:
        scan_accept(
            organization=oree.organization, actor=oree.author, data=invoice_scan(**changes), name="", locale="fr"
        )
    assert field in refused.value.fields
    assert PageScan.objects.count() == 0


def test_a_viewer_may_not_teach_pages(oree):
    with pytest.raises(ServiceError) as refused:
        scan_accept(organization=oree.organization, actor=oree.viewer, data=invoice_scan(), name="", locale="fr")
    assert refused.value.code == "forbidden"


def edited(skill, **changes):
    return {
        "skill": skill,
        "seen_digest": skill.digest,
        "name": skill.name,
        "route_pattern": skill.route_pattern,
        "summary": skill.summary,
        "intents": skill.actions_json["intents"],
        **changes,
    }


def test_an_edit_before_the_review_makes_a_new_version_of_the_same_row(oree):
    skill = oree.learn(approve=False)
    old_digest = skill.digest
    skill_edit(**edited(skill, actor=oree.author, name="Facturer"))
    assert (skill.name, skill.version) == ("Facturer", 2)
    assert skill.digest != old_digest


def test_an_edit_of_a_published_page_leaves_it_live_until_the_new_one_is_approved(oree):
    skill = oree.learn()
    successor = skill_edit(**edited(skill, actor=oree.author, name="Facturer"))
    assert successor.pk != skill.pk
    assert successor.status == Status.PENDING_REVIEW
    assert skills_for_path("/factures/nouvelle") == [skill]


def test_an_edit_on_a_version_that_moved_on_is_refused(oree):
    skill = oree.learn(approve=False)
    with pytest.raises(ServiceError) as refused:
        skill_edit(**edited(skill, actor=oree.author, name="Facturer", seen_digest="0" * 64))
    assert refused.value.code == "changed_since"


def test_saving_without_a_change_decides_nothing(oree):
    skill = oree.learn(approve=False)
    before = Decision.objects.count()
    skill_edit(**edited(skill, actor=oree.author))
    assert Decision.objects.count() == before


def test_two_actions_cannot_have_one_id(oree):
    skill = oree.learn(approve=False)
    intents = [skill.actions_json["intents"][0]] * 2
    with pytest.raises(ServiceError) as refused:
        skill_edit(**edited(skill, actor=oree.author, intents=intents))
    assert "intents[1].intent_id" in refused.value.fields
