"""Reference questions: what people know to be right, and how often the engine says it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from engine.types import AnswerDraft, EngineConfig, StepDraft, Usage
from moderation.services import review_decide
from moderation.states import Verb
from organizations.errors import ServiceError
from organizations.models import Organization, TokenUse
from organizations.tasks import purge_expired
from skills.selectors import engine_page
from skills.services import skill_edit
from tests.fixtures import LOCAL, invoice_scan, node
from tours.answering.making import question_answer
from tours.evaluation import judging, runs
from tours.evaluation.judging import judge
from tours.evaluation.references import (
    MOST_OF_A_PAGE,
    reference_add,
    reference_delete,
    reference_keep_absent,
    references_keep_from_tour,
    references_offer,
)
from tours.evaluation.runs import evaluation_continue, evaluation_start, stale_runs
from tours.evaluation.selectors import latest_measures, newest_runs, reference_pages
from tours.models import EvaluationResult, EvaluationRun, Question, ReferenceQuestion, Tour
from tours.services import version_add
from tours.tasks import requeue_stale_runs

Outcome = EvaluationResult.Outcome
State = EvaluationRun.State


@pytest.fixture
def skill(oree):
    return oree.learn()


def goal_of(skill, selector):
    return next(row["intent_id"] for row in skill.actions_json["intents"] if row["selector"] == selector)


@pytest.fixture
def discount(skill):
    return goal_of(skill, "[data-testid='invoice-discount-input']")


@pytest.fixture
def published_tour(oree, skill):
    for text in ("Comment ajouter une remise ?", "ajouter une remise"):
        question_answer(question_id=oree.asked(text).pk, config=LOCAL)
    tour = Tour.objects.get()
    review_decide(
        model=Tour,
        subject_id=tour.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.APPROVE,
        seen_digest=tour.digest,
    )
    tour.refresh_from_db()
    return tour


def add(oree, skill, text, *intent_ids):
    return reference_add(skill=skill, actor=oree.reviewer, text=text, intent_ids=intent_ids)


def measured(oree, provider="local"):
    run = evaluation_start(organization=oree.organization, actor=oree.reviewer, provider=provider, send=False)
    while evaluation_continue(run_id=run.pk):
        pass
    run.refresh_from_db()
    return run


def with_a_model(oree, budget=2_000_000):
    Organization.objects.filter(pk=oree.organization.pk).update(
        llm_provider="openai", llm_model="m", llm_base_url="http://127.0.0.1:9/v1", monthly_token_budget=budget
    )
    oree.organization.refresh_from_db()


def model_that_answers(monkeypatch, *intent_ids, fell_back=""):
    def answer(question, page, *, locale, config):
        steps = tuple(StepDraft(intent_id, "t", "x") for intent_id in intent_ids)
        return AnswerDraft("t", steps, config.provider, config.model, "v", Usage(400, 20), fell_back)

    monkeypatch.setattr(judging, "answer_question", answer)


# Keeping questions


def test_a_published_tours_questions_are_kept_with_its_elements_in_one_go(oree, published_tour, discount):
    kept = references_keep_from_tour(tour=published_tour, actor=oree.reviewer)

    assert (kept.kept, kept.known) == (2, 0)
    rows = ReferenceQuestion.objects.all()
    assert {row.text for row in rows} == {"Comment ajouter une remise ?", "ajouter une remise"}
    assert all(row.intent_ids == [discount] for row in rows)
    assert all((row.origin, row.author, row.tour) == ("tour", oree.reviewer, published_tour) for row in rows)


def test_keeping_a_tours_questions_twice_keeps_them_once(oree, published_tour):
    references_keep_from_tour(tour=published_tour, actor=oree.reviewer)
    again = references_keep_from_tour(tour=published_tour, actor=oree.reviewer)

    assert (again.kept, again.known) == (0, 2)
    assert ReferenceQuestion.objects.count() == 2
    assert references_offer(published_tour).kept == 0


def test_a_reviewed_tour_corrects_what_was_kept_with_another_answer(oree, skill, published_tour, discount):
    add(oree, skill, "ajouter une remise")
    references_keep_from_tour(tour=published_tour, actor=oree.reviewer)

    assert ReferenceQuestion.objects.get(text="ajouter une remise").intent_ids == [discount]


def test_a_tour_that_nobody_has_reviewed_tells_no_right_answer(oree, skill):
    question_answer(question_id=oree.asked().pk, config=LOCAL)
    tour = Tour.objects.get()

    assert references_offer(tour) is None
    with pytest.raises(ServiceError) as refused:
        references_keep_from_tour(tour=tour, actor=oree.reviewer)
    assert refused.value.code == "not_reviewed"


def test_a_tour_to_an_element_picked_on_the_page_tells_no_answer_that_can_be_looked_for(oree, published_tour):
    steps = [{**published_tour.published_version.steps[0], "picked": "Remise"}]
    with transaction.atomic():
        picked = version_add(tour=published_tour, title="Remise", steps=steps, author=None)
    Tour.objects.filter(pk=published_tour.pk).update(published_version=picked)
    published_tour.refresh_from_db()

    assert references_offer(published_tour) is None
    with pytest.raises(ServiceError) as refused:
        references_keep_from_tour(tour=published_tour, actor=oree.reviewer)
    assert refused.value.code == "picked_elements"


def test_a_question_that_nothing_answers_is_kept_as_absent(oree, skill):
    question = oree.asked("Où réserver un vol pour Lisbonne ?")
    question_answer(question_id=question.pk, config=LOCAL)
    question.refresh_from_db()
    assert question.outcome == Question.Outcome.NOTHING

    kept = reference_keep_absent(question=question, actor=oree.reviewer)

    assert (kept.kind, kept.origin, kept.route_pattern) == ("absent", "question", skill.route_pattern)
    with pytest.raises(ServiceError) as refused:
        reference_keep_absent(question=question, actor=oree.reviewer)
    assert refused.value.code == "already_kept"


def test_a_question_with_an_answer_or_without_a_page_is_not_absent(oree, skill):
    answered = oree.asked()
    question_answer(question_id=answered.pk, config=LOCAL)
    answered.refresh_from_db()
    elsewhere = oree.asked(route="/ailleurs")

    for question, code in ((answered, "answered"), (elsewhere, "unknown_page")):
        with pytest.raises(ServiceError) as refused:
            reference_keep_absent(question=question, actor=oree.reviewer)
        assert refused.value.code == code


def test_what_is_written_by_hand_is_masked_and_in_its_own_language(oree, skill, discount):
    kept = add(oree, skill, "  How do I give a   discount to paul@duval.example ?", discount)

    assert "duval" not in kept.text
    assert "  " not in kept.text
    assert (kept.locale, kept.kind, kept.origin) == ("en", "single", "hand")


@pytest.mark.parametrize(
    ("text", "ids", "field"),
    [
        ("?!", [], "text"),
        ("mot " * 90, [], "text"),
        ("Ajouter une remise", ["nulle_part"], "intent_ids"),
        ("Ajouter une remise", ["discount", "discount"], "intent_ids"),
    ],
)
def test_what_is_wrong_with_a_question_is_named(oree, skill, discount, text, ids, field):
    with pytest.raises(ServiceError) as refused:
        add(oree, skill, text, *(discount if one == "discount" else one for one in ids))
    assert refused.value.code == "invalid_reference"
    assert set(refused.value.fields) == {field}


def test_the_same_words_are_kept_once_a_page_and_language(oree, skill, discount):
    add(oree, skill, "Ajouter une remise", discount)
    with pytest.raises(ServiceError) as refused:
        add(oree, skill, "ajouter une REMISE !")
    assert refused.value.code == "already_kept"


def test_a_page_has_a_most_of_questions(oree, skill):
    ReferenceQuestion.objects.bulk_create(
        ReferenceQuestion(
            organization=oree.organization,
            route_pattern=skill.route_pattern,
            locale="fr",
            text=f"q{number}",
            normalized=f"q{number}",
            origin="hand",
        )
        for number in range(MOST_OF_A_PAGE)
    )
    with pytest.raises(ServiceError) as refused:
        add(oree, skill, "Une de trop")
    assert refused.value.code == "too_many"


@pytest.mark.parametrize("who", ["viewer", "author"])
def test_a_role_below_reviewer_writes_nothing(oree, skill, published_tour, who):
    member = getattr(oree, who)
    kept = add(oree, skill, "Imprimer la facture")
    calls = [
        lambda: reference_add(skill=skill, actor=member, text="Autre", intent_ids=[]),
        lambda: references_keep_from_tour(tour=published_tour, actor=member),
        lambda: reference_keep_absent(question=Question.objects.first(), actor=member),
        lambda: reference_delete(reference=kept, actor=member),
        lambda: evaluation_start(organization=oree.organization, actor=member, provider="local"),
    ]
    for call in calls:
        with pytest.raises(ServiceError) as refused:
            call()
        assert refused.value.code == "forbidden"
    assert ReferenceQuestion.objects.count() == 1


def test_a_stranger_finds_nothing_to_write_to(oree, skill, stranger):
    with pytest.raises(ServiceError) as refused:
        reference_add(skill=skill, actor=stranger.owner, text="Autre", intent_ids=[])
    assert refused.value.code == "not_found"


# Judging answers


def test_an_answer_is_judged_by_its_elements(oree, skill, discount):
    page = engine_page(skill)
    right = judge(add(oree, skill, "Comment ajouter une remise ?", discount), page, LOCAL)
    wrong = judge(add(oree, skill, "Choisir le client", discount), page, LOCAL)
    absent = judge(add(oree, skill, "Où réserver un vol pour Lisbonne ?"), page, LOCAL)
    invented = judge(add(oree, skill, "Ajouter une remise"), page, LOCAL)

    assert (right.outcome, right.rank, right.answer_ids) == (Outcome.RIGHT, 1, (discount,))
    assert wrong.outcome == Outcome.WRONG
    assert wrong.answer_ids == (goal_of(skill, "#client-select-dropdown"),)
    assert absent.outcome == Outcome.RIGHT
    assert invented.outcome == Outcome.INVENTED


def test_an_answer_whose_element_left_the_page_is_not_asked_for(oree, skill, discount):
    kept = add(oree, skill, "Comment ajouter une remise ?", discount)
    without = oree.learn(invoice_scan(nodes=[node(1, "button", "Créer la facture", "#create")]), approve=False)

    assert judge(kept, engine_page(without), LOCAL).outcome == Outcome.GONE
    assert judge(kept, None, LOCAL).outcome == Outcome.GONE


def test_what_opens_the_way_is_no_part_of_the_right_answer(oree, discount_in_a_menu):
    skill, opener, inside = discount_in_a_menu
    kept = add(oree, skill, "Dupliquer la facture", opener, inside)

    assert judge(kept, engine_page(skill), LOCAL).outcome == Outcome.RIGHT


@pytest.fixture
def discount_in_a_menu(oree):
    nodes = [
        node(1, "h1", "Facture", "h1", interactive=False),
        node(2, "button", "Plus d’actions", "#more"),
        node(3, "button", "Dupliquer la facture", "#copy", state={"closed": True, "opener": "#more"}),
    ]
    skill = oree.learn(invoice_scan(urlPattern="/factures/menu", nodes=nodes))
    return skill, goal_of(skill, "#more"), goal_of(skill, "#copy")


def test_the_place_of_a_models_answer_is_among_its_steps(oree, skill, discount, monkeypatch):
    model_that_answers(monkeypatch, goal_of(skill, "#client-select-dropdown"), discount)
    model = EngineConfig(provider="openai", model="m", base_url="http://127.0.0.1:9/v1")

    verdict = judge(add(oree, skill, "Comment ajouter une remise ?", discount), engine_page(skill), model)

    assert (verdict.outcome, verdict.rank) == (Outcome.WRONG, 2)


# Measuring


def test_a_measure_counts_each_kind_of_question(oree, skill, discount):
    client, create = goal_of(skill, "#client-select-dropdown"), goal_of(skill, "button[name='create']")
    add(oree, skill, "Comment ajouter une remise ?", discount)
    add(oree, skill, "Choisir le client", discount)
    add(oree, skill, "Créer une facture pour un client avec une remise", client, discount, create)
    add(oree, skill, "Où réserver un vol pour Lisbonne ?")
    add(oree, skill, "Où acheter des billets de train ?", create)

    run = measured(oree)

    score = latest_measures()[oree.organization.pk, "local"].scores[oree.organization.pk, skill.route_pattern]
    assert (run.state, run.total, run.right) == (State.DONE, 5, 3)
    assert (score.asked, score.right, score.percent) == (5, 3, 60)
    assert (score.single, score.top1, score.plans, score.plans_exact) == (3, 1, 1, 1)
    assert (score.absent, score.absent_refused, score.false_refusals) == (1, 1, 1)
    assert {result.reference.text for result in score.misses} == {
        "Choisir le client",
        "Où acheter des billets de train ?",
    }


def test_the_trend_compares_what_both_measures_asked(oree, skill, discount):
    add(oree, skill, "Comment ajouter une remise ?", discount)
    first = measured(oree)
    assert latest_measures()[oree.organization.pk, "local"].overall.more_right is None
    EvaluationResult.objects.filter(run=first).update(outcome=Outcome.WRONG)
    add(oree, skill, "Choisir le client", goal_of(skill, "#client-select-dropdown"))

    measured(oree)

    assert latest_measures()[oree.organization.pk, "local"].overall.more_right == 1


def test_a_deleted_question_counts_in_no_measure(oree, skill, discount):
    wrong = add(oree, skill, "Choisir le client", discount)
    add(oree, skill, "Comment ajouter une remise ?", discount)
    measured(oree)

    reference_delete(reference=wrong, actor=oree.reviewer)

    overall = latest_measures()[oree.organization.pk, "local"].overall
    assert (overall.asked, overall.right) == (1, 1)


def test_one_engine_is_measured_once_at_a_time(oree, skill, discount):
    add(oree, skill, "Comment ajouter une remise ?", discount)
    evaluation_start(organization=oree.organization, actor=oree.reviewer, provider="local", send=False)

    with pytest.raises(ServiceError) as refused:
        evaluation_start(organization=oree.organization, actor=oree.reviewer, provider="local", send=False)
    assert refused.value.code == "already_measuring"


def test_there_is_nothing_to_measure_without_questions_or_with_a_model_that_is_not_set(oree, skill, discount):
    with pytest.raises(ServiceError) as refused:
        evaluation_start(organization=oree.organization, actor=oree.reviewer, provider="local")
    assert refused.value.code == "no_references"
    add(oree, skill, "Comment ajouter une remise ?", discount)
    with pytest.raises(ServiceError) as refused:
        evaluation_start(organization=oree.organization, actor=oree.reviewer, provider="openai")
    assert refused.value.code == "unknown_provider"


def test_a_long_measure_is_done_in_slices(oree, skill, discount):
    for text in ("Comment ajouter une remise ?", "Ajouter un rabais", "Faire une remise"):
        add(oree, skill, text, discount)
    run = evaluation_start(organization=oree.organization, actor=None, provider="local", send=False)

    assert evaluation_continue(run_id=run.pk, slice_s=-1.0)
    run.refresh_from_db()
    assert (run.state, run.claimed_at) == (State.RUNNING, None)
    assert newest_runs()[oree.organization.pk, "local"].asked == 0

    assert not evaluation_continue(run_id=run.pk)
    run.refresh_from_db()
    assert (run.state, run.right) == (State.DONE, 3)


@pytest.mark.usefixtures("tasks_run_at_once")
def test_a_measure_whose_worker_died_goes_on_where_it_stopped(oree, skill, discount, monkeypatch):
    first = add(oree, skill, "Comment ajouter une remise ?", discount)
    add(oree, skill, "Ajouter un rabais", discount)
    run = evaluation_start(organization=oree.organization, actor=None, provider="local", send=False)
    long_ago = timezone.now() - timedelta(hours=1)
    EvaluationResult.objects.filter(reference=first).update(outcome=Outcome.WRONG)
    EvaluationRun.objects.filter(pk=run.pk).update(started_at=long_ago, claimed_at=long_ago, attempts=1)
    assert stale_runs() == [run.pk]

    requeue_stale_runs()

    run.refresh_from_db()
    assert (run.state, run.right) == (State.DONE, 1)
    assert EvaluationResult.objects.get(reference=first).outcome == Outcome.WRONG


def test_a_worker_that_was_taken_for_dead_writes_nothing_more(oree, skill, discount, monkeypatch):
    add(oree, skill, "Comment ajouter une remise ?", discount)
    run = evaluation_start(organization=oree.organization, actor=None, provider="local", send=False)

    def while_another_takes_over(*args):
        EvaluationRun.objects.filter(pk=run.pk).update(claimed_at=timezone.now() + timedelta(seconds=1))
        return judge(*args)

    monkeypatch.setattr(runs, "judge_surely", while_another_takes_over)

    assert not evaluation_continue(run_id=run.pk)
    run.refresh_from_db()
    assert run.state == State.RUNNING
    assert EvaluationResult.objects.get().outcome == Outcome.WAITING


def test_a_measure_that_kills_its_workers_fails_at_last(oree, skill, discount):
    add(oree, skill, "Comment ajouter une remise ?", discount)
    run = evaluation_start(organization=oree.organization, actor=None, provider="local", send=False)
    EvaluationRun.objects.filter(pk=run.pk).update(attempts=3)

    assert not evaluation_continue(run_id=run.pk)

    run.refresh_from_db()
    assert run.state == State.FAILED
    assert measured(oree).state == State.DONE, "the next one can start"


def test_a_question_that_the_engine_breaks_on_stops_no_measure(oree, skill, discount, monkeypatch):
    add(oree, skill, "Comment ajouter une remise ?", discount)
    broken = add(oree, skill, "Casser", discount)

    def breaks(reference, page, config):
        if reference.pk == broken.pk:
            raise RuntimeError("broken")
        return judge(reference, page, config)

    monkeypatch.setattr(judging, "judge", breaks)

    assert (measured(oree).state, EvaluationResult.objects.get(reference=broken).outcome) == (
        State.DONE,
        Outcome.UNANSWERED,
    )


def test_a_models_measure_is_counted_in_the_months_tokens(oree, skill, discount, monkeypatch):
    with_a_model(oree)
    model_that_answers(monkeypatch, discount)
    add(oree, skill, "Comment ajouter une remise ?", discount)

    run = measured(oree, "openai")

    use = TokenUse.objects.get()
    assert (run.state, run.right, run.model, run.tokens) == (State.DONE, 1, "m", 420)
    assert (use.prompt_tokens, use.completion_tokens) == (400, 20)


def test_a_measure_stops_when_the_months_tokens_are_spent(oree, skill, discount, monkeypatch):
    with_a_model(oree, budget=5_400)
    model_that_answers(monkeypatch, discount)
    for text in ("Comment ajouter une remise ?", "Ajouter un rabais", "Faire une remise"):
        add(oree, skill, text, discount)

    run = measured(oree, "openai")

    assert (run.state, run.right) == (State.STOPPED, 1)
    overall = latest_measures()[oree.organization.pk, "openai"].overall
    assert (overall.asked, overall.unasked) == (1, 2)


def test_what_the_local_engine_said_in_a_models_place_is_not_the_models(oree, skill, discount, monkeypatch):
    with_a_model(oree)
    model_that_answers(monkeypatch, discount, fell_back="provider_timeout")
    add(oree, skill, "Comment ajouter une remise ?", discount)

    measured(oree, "openai")

    overall = latest_measures()[oree.organization.pk, "openai"].overall
    assert (overall.asked, overall.unasked) == (0, 1)
    assert EvaluationResult.objects.get().fell_back == "provider_timeout"


def test_measures_are_read_with_the_same_queries_however_many_questions(
    oree, skill, discount, django_assert_num_queries
):
    other = oree.learn(invoice_scan(urlPattern="/factures/autre"))
    for text in ("Comment ajouter une remise ?", "Ajouter un rabais"):
        for page in (skill, other):
            add(oree, page, text, discount)
    measured(oree)
    measured(oree)
    with django_assert_num_queries(5):
        assert len(reference_pages()) == 2
        assert len(latest_measures()) == len(newest_runs()) == 1


def test_old_measures_go_and_reference_questions_stay(oree, skill, discount):
    add(oree, skill, "Comment ajouter une remise ?", discount)
    run = measured(oree)
    EvaluationRun.objects.filter(pk=run.pk).update(started_at=timezone.now() - timedelta(days=400))

    purge_expired()

    assert not EvaluationRun.objects.exists()
    assert ReferenceQuestion.objects.count() == 1


# From the command line


def test_the_command_measures_an_organizations_pages(oree, skill, discount, capsys):
    add(oree, skill, "Comment ajouter une remise ?", discount)
    add(oree, skill, "Choisir le client", discount)

    call_command("evaluate", organization="oree")

    out = capsys.readouterr().out
    assert "/factures/nouvelle" in out
    assert "1/2 right" in out
    assert "✗ Choisir le client" in out
    assert EvaluationRun.objects.get().started_by is None


def test_the_command_fails_under_a_share(oree, skill, discount):
    add(oree, skill, "Choisir le client", discount)
    with pytest.raises(CommandError, match="0% right, below 50%") as failed:
        call_command("evaluate", organization="oree", fail_under=0.5)
    assert failed.value.returncode == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"organization": "nobody"}, "no organization"),
        ({"organization": "oree", "provider": "model"}, "no model"),
        ({"organization": "oree"}, "question"),
    ],
)
def test_the_command_says_what_is_missing(oree, options, said):
    with pytest.raises(CommandError, match=said):
        call_command("evaluate", **options)


def test_a_page_that_is_learnt_again_with_more_on_it_keeps_the_ids_of_right_answers(oree, skill, discount):
    kept = add(oree, skill, "Comment ajouter une remise ?", discount)
    first, *rest = invoice_scan()["nodes"]
    moved = [{**one, "selector": f"main {one['selector']}"} for one in reversed(rest)]
    more = node(9, "button", "Imprimer la facture", "#print")

    again = oree.learn(invoice_scan(nodes=[first, more, *moved]))

    page = reference_pages()[0]
    assert (page.skill, page.is_gone(kept)) == (again, False)
    assert judge(kept, engine_page(again), LOCAL).outcome == Outcome.RIGHT


def test_an_edited_page_keeps_its_questions(oree, skill, discount):
    kept = add(oree, skill, "Comment ajouter une remise ?", discount)
    intents = [row for row in skill.actions_json["intents"] if row["intent_id"] != discount]
    edited = skill_edit(
        skill=skill,
        actor=oree.author,
        seen_digest=skill.digest,
        name=skill.name,
        route_pattern=skill.route_pattern,
        summary=skill.summary,
        intents=intents,
    )
    page = reference_pages()[0]
    assert page.skill == skill
    assert not page.is_gone(kept)
    assert edited.route_pattern == kept.route_pattern
