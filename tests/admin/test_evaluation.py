"""The pages on which reference questions are kept and measures read."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.models import Organization, TokenUse
from organizations.scoping import every_tenant, tenant_scope
from skills.models import PageSkill
from tests.admin.conftest import ask, browser_of, text_of
from tests.admin.test_page_skill_review import form_of, url_of
from tests.fixtures import QUESTION, Tenant, invoice_scan
from tours.evaluation.references import reference_add
from tours.evaluation.runs import evaluation_continue, evaluation_start
from tours.models import EvaluationResult, EvaluationRun, Question, ReferenceQuestion, Tour

OVERVIEW = "admin:evaluation"
DISCOUNT = "[data-testid='invoice-discount-input']"
CLIENT = "#client-select-dropdown"
NOWHERE = "Où réserver un vol pour Lisbonne ?"
# What takes an id, what it is the id of, and whether it writes.
WITH_IDS: dict[str, type[Any]] = {
    "evaluation_page": PageSkill,
    "evaluation_delete": ReferenceQuestion,
    "evaluation_keep": Tour,
    "evaluation_absent": Question,
}


@pytest.fixture
def skill(oree: Tenant) -> PageSkill:
    return oree.learn()


def keep(tenant: Tenant, skill: PageSkill, text: str = QUESTION, selector: str = DISCOUNT) -> ReferenceQuestion:
    ids = [row["intent_id"] for row in skill.actions_json["intents"] if row["selector"] == selector]
    return reference_add(skill=skill, actor=tenant.reviewer, text=text, intent_ids=ids)


def measure(tenant: Tenant, provider: str = "local") -> EvaluationRun:
    run = evaluation_start(organization=tenant.organization, actor=tenant.reviewer, provider=provider, send=False)
    while evaluation_continue(run_id=run.pk):
        pass
    run.refresh_from_db()
    return run


def approve(tenant: Tenant, tour: Tour) -> None:
    review_decide(
        model=Tour,
        subject_id=tour.pk,
        organization=tenant.organization,
        actor=tenant.reviewer,
        verb=Verb.APPROVE,
        seen_digest=tour.digest,
    )


def worse_version(tenant: Tenant) -> PageSkill:
    scan = invoice_scan()
    nodes = [one for one in scan["nodes"] if one["selector"] != DISCOUNT]
    return tenant.learn({**scan, "nodes": nodes}, approve=False)


# The overview


def test_without_questions_the_page_says_what_to_do(oree: Tenant) -> None:
    browser = browser_of(oree.reviewer)
    assert reverse("admin:learn") in browser.get(reverse(OVERVIEW)).content.decode()

    oree.learn()
    page = browser.get(reverse(OVERVIEW))
    assert "Aucune question de référence" in text_of(page)
    assert reverse("admin:tours_tour_changelist") in page.content.decode()


def test_each_page_shows_its_score_and_what_was_answered_instead(oree: Tenant, skill: PageSkill) -> None:
    keep(oree, skill)
    missed = keep(oree, skill, "Choisir le client")
    keep(oree, skill, NOWHERE, "")
    measure(oree)

    response = browser_of(oree.viewer).get(reverse(OVERVIEW))

    (section,) = response.context["sections"]
    (card,) = section.cards
    assert (card.lines[0].score.right, card.lines[0].score.asked) == (2, 3)
    assert [miss.reference for miss in card.misses] == [missed]
    assert card.misses[0].url.endswith(f"#q-{missed.pk}")
    client = next(row["user_goal"] for row in skill.actions_json["intents"] if row["selector"] == CLIENT)
    assert card.misses[0].instead == client
    assert "67 %" in text_of(response)


def test_the_trend_says_what_the_measure_before_said(oree: Tenant, skill: PageSkill) -> None:
    keep(oree, skill)
    EvaluationResult.objects.filter(run=measure(oree)).update(outcome="wrong")
    measure(oree)

    assert "+1" in text_of(browser_of(oree.viewer).get(reverse(OVERVIEW)))


def test_a_measure_of_before_the_page_changed_says_so(oree: Tenant, skill: PageSkill) -> None:
    keep(oree, skill)
    measure(oree)
    assert "avant le changement" not in text_of(browser_of(oree.viewer).get(reverse(OVERVIEW)))

    oree.learn()

    assert "avant le changement" in text_of(browser_of(oree.viewer).get(reverse(OVERVIEW)))


@pytest.mark.usefixtures("tasks_run_at_once")
def test_measuring_is_one_click(oree: Tenant, skill: PageSkill, django_capture_on_commit_callbacks: Any) -> None:
    keep(oree, skill)
    form = {"organization": oree.organization.pk, "provider": "local"}

    with django_capture_on_commit_callbacks(execute=True):
        response = browser_of(oree.reviewer).post(reverse("admin:evaluation_measure"), form)

    assert response.headers["Location"] == reverse(OVERVIEW)
    run = EvaluationRun.objects.get()
    assert (run.state, run.right, run.started_by) == ("done", 1, oree.reviewer)


def test_a_measure_under_way_shows_how_far_it_is_and_offers_no_second(oree: Tenant, skill: PageSkill) -> None:
    keep(oree, skill)
    evaluation_start(organization=oree.organization, actor=oree.reviewer, provider="local", send=False)
    browser = browser_of(oree.reviewer)

    page = browser.get(reverse(OVERVIEW))
    assert "data-under-way" in page.content.decode()
    assert "0 sur 1" in text_of(page)
    assert 'value="local"' not in page.content.decode()

    form = {"organization": oree.organization.pk, "provider": "local"}
    again = browser.post(reverse("admin:evaluation_measure"), form, follow=True)
    assert "déjà en cours" in text_of(again)


def test_a_measure_that_failed_is_said(oree: Tenant, skill: PageSkill) -> None:
    keep(oree, skill)
    EvaluationRun.objects.filter(pk=measure(oree).pk).update(state="failed")
    assert "a échoué" in text_of(browser_of(oree.viewer).get(reverse(OVERVIEW)))


def test_a_model_is_measured_beside_the_local_engine_within_its_tokens(oree: Tenant, skill: PageSkill) -> None:
    keep(oree, skill)
    Organization.objects.update(llm_provider="openai", llm_model="grand-modele", monthly_token_budget=1_000)
    month = timezone.localdate().replace(day=1)
    TokenUse.objects.create(organization=oree.organization, month=month, prompt_tokens=400)
    browser = browser_of(oree.reviewer)
    page = text_of(browser.get(reverse(OVERVIEW)))
    assert "grand-modele" in page
    assert "600" in page

    oree.organization.refresh_from_db()
    assert measure(oree, "openai").state == "stopped"
    page = text_of(browser.get(reverse(OVERVIEW)))
    assert "les jetons du mois sont épuisés" in page


@pytest.mark.parametrize("who", ["viewer", "author"])
def test_who_only_looks_is_offered_nothing_to_press(oree: Tenant, skill: PageSkill, who: str) -> None:
    kept = keep(oree, skill)
    browser = browser_of(getattr(oree, who))
    for url in (reverse(OVERVIEW), reverse("admin:evaluation_page", args=[skill.pk])):
        body = browser.get(url).content.decode()
        for name, ids in (("evaluation_measure", []), ("evaluation_delete", [kept.pk]), ("evaluation_add", [])):
            assert reverse(f"admin:{name}", args=ids) not in body
    form = {"organization": oree.organization.pk, "provider": "local"}
    assert browser.post(reverse("admin:evaluation_measure"), form).status_code == 403
    assert browser.post(reverse("admin:evaluation_delete", args=[kept.pk])).status_code == 403
    assert browser.get(reverse("admin:evaluation_add")).status_code == 403
    assert ReferenceQuestion.objects.get() == kept


def test_more_pages_and_questions_cost_no_more_queries(oree: Tenant, skill: PageSkill) -> None:
    def queries(url: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert browser.get(url).status_code == 200
        return len(captured)

    browser = browser_of(oree.reviewer)
    urls = [reverse(OVERVIEW), reverse("admin:evaluation_page", args=[skill.pk])]
    lists = [reverse("admin:tours_question_changelist")]
    keep(oree, skill)
    keep(oree, skill, "Choisir le client")
    ask(oree, NOWHERE)
    measure(oree)
    measure(oree)
    few = [queries(url) for url in urls + lists]
    for route in ("/un", "/deux", "/trois"):
        other = oree.learn(invoice_scan(urlPattern=route))
        for text in (QUESTION, "Choisir le client", NOWHERE, "Imprimer la facture"):
            keep(oree, other, text)
    for number in range(5):
        keep(oree, skill, f"Question {number}")
        ask(oree, f"{NOWHERE} {number}")
    measure(oree)

    assert [queries(url) for url in urls + lists] == few


# One page's questions


def test_a_pages_questions_show_what_fails_first(oree: Tenant, skill: PageSkill) -> None:
    fine, wrong = keep(oree, skill), keep(oree, skill, "Choisir le client")
    measure(oree)

    response = browser_of(oree.viewer).get(reverse("admin:evaluation_page", args=[skill.pk]))

    assert [row.reference for row in response.context["to_look_at"]] == [wrong]
    assert [row.reference for row in response.context["others"]] == [fine]


def test_an_answer_that_left_the_page_is_said(oree: Tenant, skill: PageSkill) -> None:
    kept = keep(oree, skill)
    worse = worse_version(oree)
    browser = browser_of(oree.reviewer)
    token = browser.get(url_of(worse)).context["findings"][0].token
    browser.post(url_of(worse), {"do": "approve", "seen_digest": worse.digest, "despite": token})

    response = browser.get(reverse("admin:evaluation_page", args=[skill.pk]))

    assert response.context["skill"] == worse, "an older version's address shows the page as it is"
    assert [row.reference for row in response.context["to_look_at"]] == [kept]
    assert "l’élément n’est plus sur la page" in text_of(response)


def test_a_question_is_deleted(oree: Tenant, skill: PageSkill) -> None:
    kept = keep(oree, skill)
    response = browser_of(oree.reviewer).post(reverse("admin:evaluation_delete", args=[kept.pk]), follow=True)
    assert not ReferenceQuestion.objects.exists()
    assert "Supprimée" in text_of(response)


# Keeping questions


def test_a_reviewed_tours_questions_are_kept_in_one_click(oree: Tenant, waiting_tour: Tour) -> None:
    browser = browser_of(oree.reviewer)
    review, url = (
        reverse("admin:tours_tour_review", args=[waiting_tour.pk]),
        reverse("admin:evaluation_keep", args=[waiting_tour.pk]),
    )
    assert url not in browser.get(review).content.decode(), "nobody has reviewed it yet"
    approve(oree, waiting_tour)
    assert "Garder comme question de référence" in text_of(browser.get(review))
    assert url not in browser_of(oree.author).get(review).content.decode()

    response = browser.post(url, follow=True)

    kept = ReferenceQuestion.objects.get()
    assert (kept.text, kept.intent_ids, kept.tour) == (QUESTION, waiting_tour.intent_ids, waiting_tour)
    assert "1 question gardée" in text_of(response)
    assert url not in response.content.decode()
    assert "déjà gardées" in text_of(browser.post(url, follow=True))


def test_a_question_without_an_answer_is_kept_from_the_list(oree: Tenant, skill: PageSkill) -> None:
    ask(oree, NOWHERE)
    ask(oree)
    listed = reverse("admin:tours_question_changelist") + "?locale__exact=fr"
    lost, answered = Question.objects.get(text=NOWHERE), Question.objects.get(text=QUESTION)
    url = reverse("admin:evaluation_absent", args=[lost.pk])
    browser = browser_of(oree.reviewer)
    body = browser.get(listed).content.decode()
    assert f'formaction="{url}?locale__exact=fr"' in body
    assert reverse("admin:evaluation_absent", args=[answered.pk]) not in body
    assert url not in browser_of(oree.author).get(listed).content.decode()

    response = browser.post(f"{url}?locale__exact=fr")

    assert response.headers["Location"] == listed
    assert ReferenceQuestion.objects.get().kind == "absent"
    assert url not in browser.get(listed).content.decode()


def test_a_question_is_written_by_hand(oree: Tenant, skill: PageSkill) -> None:
    browser = browser_of(oree.reviewer)
    ids = [row["intent_id"] for row in skill.actions_json["intents"]]
    form = {"page": skill.pk, "text": "Facturer un client", "step": [ids[0], "", ids[-1]], "do": "keep"}
    assert ids[-1] in browser.get(reverse("admin:evaluation_add")).content.decode(), "the only page is chosen already"

    response = browser.post(reverse("admin:evaluation_add"), form)

    assert response.headers["Location"] == reverse("admin:evaluation_page", args=[skill.pk])
    assert ReferenceQuestion.objects.get().intent_ids == [ids[0], ids[-1]]


def test_one_of_several_pages_is_chosen_first(oree: Tenant, skill: PageSkill) -> None:
    other = oree.learn(invoice_scan(urlPattern="/autre"))
    browser = browser_of(oree.reviewer)
    asked = browser.get(reverse("admin:evaluation_add"))
    assert asked.context["skill"] is None
    assert f"?page={other.pk}" in asked.content.decode()
    chosen = browser.get(f"{reverse('admin:evaluation_add')}?page={other.pk}")
    assert chosen.context["skill"] == other


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"text": "Facturer"}, "intent_ids"),
        ({"text": "Facturer", "absent": "on", "step": ["x"]}, "intent_ids"),
        ({"text": "Facturer", "step": ["x"]}, "intent_ids"),
        ({"text": "?", "absent": "on"}, "text"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_what_was_typed_stays(
    oree: Tenant, skill: PageSkill, typed: dict[str, Any], field: str
) -> None:
    response = browser_of(oree.reviewer).post(reverse("admin:evaluation_add"), {"page": skill.pk, **typed})
    assert response.status_code == 422
    assert set(response.context["errors"]) == {field}
    assert response.context["text"] == typed["text"]


def test_one_more_step_is_asked_for_and_nothing_saved(oree: Tenant, skill: PageSkill) -> None:
    form = {"page": skill.pk, "text": "Facturer", "step": ["", ""], "do": "more"}
    response = browser_of(oree.reviewer).post(reverse("admin:evaluation_add"), form)
    assert len(response.context["steps"]) == 3
    assert not ReferenceQuestion.objects.exists()


@pytest.mark.parametrize("page", ["zz", "\x00", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "9" * 40])
def test_a_page_that_does_not_exist_is_not_found(oree: Tenant, skill: PageSkill, page: str) -> None:
    response = browser_of(oree.reviewer).get(reverse("admin:evaluation_add"), {"page": page})
    assert response.status_code in (400, 404)


# Before a page is published


def test_the_review_shows_before_the_decision_how_many_are_found(oree: Tenant, skill: PageSkill) -> None:
    keep(oree, skill)
    same = oree.learn(approve=False)
    page = text_of(browser_of(oree.reviewer).get(url_of(same)))
    assert "1/1 question de référence trouvée (1/1 aujourd’hui)" in page
    assert "Publier quand même" not in page


def test_a_loss_refuses_the_approval_until_the_reviewer_says_to_publish_anyway(oree: Tenant, skill: PageSkill) -> None:
    keep(oree, skill)
    worse = worse_version(oree)
    browser = browser_of(oree.reviewer)
    shown = browser.get(url_of(worse))
    assert "0/1 question de référence trouvée (1/1 aujourd’hui)" in text_of(shown)

    refused = browser.post(url_of(worse), form_of(worse, do="approve"))
    assert refused.status_code == 409
    assert refused.context["error"].code == "evaluation_regressed"
    assert QUESTION in text_of(refused)
    worse.refresh_from_db()
    assert worse.status == Status.PENDING_REVIEW

    token = shown.context["findings"][0].token
    browser.post(url_of(worse), form_of(worse, do="approve", despite=token))
    worse.refresh_from_db()
    assert worse.status == Status.PUBLISHED
    assert QUESTION in Decision.objects.filter(subject_id=worse.pk, verb=Verb.APPROVE).get().reason


def test_saving_and_approving_goes_through_the_same_gate(oree: Tenant, skill: PageSkill) -> None:
    keep(oree, skill)
    lost = next(row["intent_id"] for row in skill.actions_json["intents"] if row["selector"] == DISCOUNT)
    form = form_of(skill, do="save_approve", **{f"remove.{lost}": "on"})

    response = browser_of(oree.reviewer).post(f"{url_of(skill)}?edit", form, follow=True)

    skill.refresh_from_db()
    saved = PageSkill.objects.exclude(pk=skill.pk).get()
    assert (skill.status, saved.status) == (Status.PUBLISHED, Status.PENDING_REVIEW)
    assert "Enregistré, mais pas approuvé" in text_of(response)


def test_a_decided_page_shows_no_gate(oree: Tenant, skill: PageSkill) -> None:
    keep(oree, skill)
    assert browser_of(oree.reviewer).get(url_of(skill)).context["findings"] == []


# Walls


def test_every_address_with_an_id_is_walked(oree: Tenant) -> None:
    from tours.admin.evaluation import evaluation_urls

    named = {str(address.name) for address in evaluation_urls(lambda view: view) if address.pattern.converters}
    assert named == set(WITH_IDS)


@pytest.mark.parametrize("name", list(WITH_IDS))
def test_another_tenants_rows_are_not_there(oree: Tenant, stranger: Tenant, name: str) -> None:
    with tenant_scope(stranger.organization.id):
        theirs = stranger.learn()
        keep(stranger, theirs, "Question des Duval")
        tour = ask(stranger)
        assert tour is not None
        approve(stranger, tour)
        ask(stranger, NOWHERE)
        row = WITH_IDS[name]._default_manager.order_by("-pk").first()
    browser = browser_of(oree.owner)
    url = reverse(f"admin:{name}", args=[row.pk])

    assert browser.post(url).status_code == 404
    assert browser.get(url).status_code in (404, 405)
    with every_tenant():
        assert ReferenceQuestion.objects.count() == 1


def test_another_tenants_questions_are_named_and_measured_nowhere(oree: Tenant, stranger: Tenant) -> None:
    with tenant_scope(stranger.organization.id):
        theirs = stranger.learn()
        keep(stranger, theirs, "Question des Duval")
        measure(stranger)
    browser = browser_of(oree.owner)

    assert "Duval" not in text_of(browser.get(reverse(OVERVIEW)))
    assert browser.get(f"{reverse('admin:evaluation_add')}?page={theirs.pk}").status_code == 404
    form = {"organization": stranger.organization.pk, "provider": "local"}
    assert browser.post(reverse("admin:evaluation_measure"), form).status_code == 404


def test_pages_carry_no_inline_script_or_style(oree: Tenant, skill: PageSkill) -> None:
    keep(oree, skill, "Choisir le client")
    measure(oree)
    EvaluationRun.objects.update(started_at=timezone.now() - timedelta(days=1))
    browser = browser_of(oree.reviewer)
    for url in (
        reverse(OVERVIEW),
        reverse("admin:evaluation_page", args=[skill.pk]),
        reverse("admin:evaluation_add"),
        url_of(worse_version(oree)),
    ):
        response = browser.get(url)
        assert response.status_code == 200
        for inline in (" style=", "<style", "<script>", " onclick="):
            assert inline not in response.content.decode(), url
