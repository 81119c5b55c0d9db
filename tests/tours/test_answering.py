"""From a question to a tour: published, given before, or made and put under review."""

import pytest

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from tests.fixtures import LOCAL, QUESTION
from tours.answering.making import question_answer
from tours.answering.presenting import question_answer_payload
from tours.models import Question, Tour, TourGrant
from tours.selectors import published_for_path, rejected_goals, version_visible_to

NOTHING = "Désolé, je n'ai pas trouvé l'élément correspondant sur cette page."


def decide(tenant, tour, verb, reason="pas clair"):
    tour.refresh_from_db()
    review_decide(
        model=Tour,
        subject_id=tour.pk,
        organization=tenant.organization,
        actor=tenant.reviewer,
        verb=verb,
        seen_digest=tour.digest,
        reason=reason,
    )
    tour.refresh_from_db()


def test_a_question_gets_the_right_field_and_its_tour_waits_for_review(ask):
    question = ask()
    answer = question_answer_payload(question)
    assert answer["status"] == "ephemeral"
    assert answer["source"] == "local"
    assert [step["attachTo"] for step in answer["steps"]] == [
        {"element": "[data-testid='invoice-discount-input']", "on": "bottom"}
    ]
    assert answer["steps"][0]["fallback_selector"] == "input[name='discount']"
    assert answer["steps"][0]["buttons"] == [{"text": "Terminé", "action": "complete"}]
    assert question.tour.status == Status.PENDING_REVIEW


def test_the_tour_its_grant_and_the_journal_are_saved_together(ask):
    question = ask()
    assert TourGrant.objects.get().end_user == question.end_user
    assert Decision.objects.filter(subject_id=question.tour_id, verb=Verb.SUBMIT).count() == 1
    assert question.tour.current_version == question.tour_version


def test_only_the_asker_sees_a_tour_that_nobody_approved(oree, ask):
    question = ask()
    assert version_visible_to(question.tour_id, question.end_user) == question.tour_version
    with pytest.raises(ServiceError) as refused:
        version_visible_to(question.tour_id, oree.visitor())
    assert refused.value.code == "not_found"
    assert published_for_path("/factures/nouvelle") == []


def test_an_approved_tour_answers_everybody_on_that_page(oree, ask):
    question = ask()
    decide(oree, question.tour, Verb.APPROVE)
    again = ask(oree.visitor())
    assert again.outcome == Question.Outcome.PUBLISHED
    assert again.tour == question.tour
    assert question_answer_payload(again)["status"] == "published"
    assert published_for_path("/factures/nouvelle") == [question.tour]


def test_other_words_for_the_same_goal_get_the_published_tour(oree, ask):
    question = ask()
    decide(oree, question.tour, Verb.APPROVE)
    again = ask(text="je voudrais appliquer un rabais")
    assert (again.outcome, again.tour) == (Question.Outcome.PUBLISHED, question.tour)


def test_another_option_of_the_same_list_is_another_goal(oree, ask):
    five, twenty = ask(text="Passer le taux de TVA à 5,5 %"), ask(text="Passer le taux de TVA à 20 %")
    assert five.tour.intent_ids == twenty.tour.intent_ids
    assert five.tour != twenty.tour


def test_the_asker_gets_the_same_tour_again_before_the_review(ask):
    first = ask()
    second = ask(first.end_user, text="  COMMENT ajouter une remise  ")
    assert second.outcome == Question.Outcome.HISTORY
    assert second.tour_version == first.tour_version
    assert Tour.objects.get().asked_count == 2


def test_those_who_ask_the_same_in_the_same_moment_get_what_the_first_of_them_was_given_before(oree, ask):
    first = ask()
    Question.objects.update(normalized="d'autres mots")
    again, beside = oree.asked(QUESTION, first.end_user), oree.asked(QUESTION)
    assert set(question_answer(question_id=again.pk, config=LOCAL)) == {again.pk, beside.pk}
    beside.refresh_from_db()
    assert (beside.outcome, beside.tour_version) == (Question.Outcome.HISTORY, first.tour_version)
    assert version_visible_to(first.tour.pk, beside.end_user) == first.tour_version


def test_the_web_process_understands_no_language(oree, ask, monkeypatch):
    decide(oree, ask().tour, Verb.APPROVE)
    monkeypatch.setattr("tours.answering.reusing.plan_intents", None)
    assert oree.asked(QUESTION).outcome == Question.Outcome.PUBLISHED
    assert oree.asked("je voudrais appliquer un rabais").outcome == Question.Outcome.WAITING


def test_a_second_asker_raises_the_demand_instead_of_filling_the_inbox(oree, ask):
    first, second = ask(oree.visitor()), ask(oree.visitor())
    assert second.outcome == Question.Outcome.GENERATED
    assert second.tour == first.tour
    assert first.tour.__class__.objects.get().asked_count == 2
    assert TourGrant.objects.count() == 2


def test_a_reviewers_unapproved_edit_stays_hidden_from_a_second_asker(oree, ask):
    from tours.services import tour_edit

    first = ask()
    steps = [{**first.tour_version.steps[0], "text": "Texte en cours de relecture."}]
    tour_edit(tour=first.tour, actor=oree.reviewer, seen_digest=first.tour.digest, title="En relecture", steps=steps)
    second = ask(oree.visitor())
    assert second.tour == first.tour
    assert "en cours de relecture" not in str(question_answer_payload(second))


def test_a_rejected_tour_is_not_made_again_for_the_same_words(oree, ask):
    question = ask()
    decide(oree, question.tour, Verb.REJECT)
    again = ask(oree.visitor())
    assert again.tour != question.tour
    with pytest.raises(ServiceError):
        version_visible_to(question.tour_id, question.end_user)


def test_why_it_was_rejected_reaches_the_engine(oree, ask):
    question = ask()
    decide(oree, question.tour, Verb.REJECT)
    reason = Decision.objects.get(subject_id=question.tour_id, verb=Verb.REJECT).reason
    [rejected] = rejected_goals(question.page_skill, question.normalized)
    assert (list(rejected.intent_ids), rejected.reason) == (question.tour.intent_ids, reason)
    assert reason


def test_a_rejected_plan_stays_rejected_whoever_asks_and_when_the_page_is_learnt_again(oree, ask):
    question = ask()
    rejected = question.tour.intent_ids
    decide(oree, question.tour, Verb.REJECT)
    oree.learn()
    for _again in range(2):
        again = ask(oree.visitor())
        assert again.tour is None or again.tour.intent_ids != rejected
    assert Tour.objects.filter(intent_ids=rejected).count() == 1


def test_an_answer_whose_tour_was_refused_meanwhile_is_none(oree, ask):
    question = ask()
    decide(oree, question.tour, Verb.REJECT)
    question.refresh_from_db()
    answer = question_answer_payload(question)
    assert (answer["steps"], answer["tour_id"], answer["message"]) == ([], None, NOTHING)


def test_a_page_that_is_not_learnt_says_so_kindly(ask):
    question = ask(route="/autre/page")
    answer = question_answer_payload(question)
    assert question.outcome == Question.Outcome.UNKNOWN_PAGE
    assert (answer["steps"], answer["message"], answer["tour_id"]) == ([], NOTHING, None)


def test_a_question_that_nothing_fits_gets_the_sentence_and_suggestions(ask):
    answer = question_answer_payload(ask(text="Quel temps fera-t-il demain à Lyon ?"))
    assert (answer["steps"], answer["message"]) == ([], NOTHING)
    assert 1 <= len(answer["suggestions"]) <= 3
    assert Tour.objects.count() == 0


def test_an_english_question_is_answered_in_english_and_kept_apart(ask):
    french, english = ask(), ask(text="How do I add a discount?", locale="en")
    assert english.tour != french.tour
    answer = question_answer_payload(english)
    assert answer["steps"][0]["buttons"] == [{"text": "Done", "action": "complete"}]


def test_a_question_is_answered_in_its_own_language_whatever_the_pages(ask):
    assert ask(text="How do I add a discount?", locale="fr").tour.locale == "en"
    assert ask(text="Comment ajouter une remise ?", locale="en").tour.locale == "fr"


def test_personal_data_in_an_address_is_masked_before_it_is_stored(ask):
    assert ask(text="Comment faire ?", route="/clients/alice@example.com").route == "/clients/[EMAIL]"


def test_personal_data_in_a_question_is_masked_before_it_is_stored(ask):
    question = ask(text="Comment ajouter une remise pour lea@exemple.fr ?")
    assert "lea@" not in question.text
    assert "[EMAIL]" in question.text


def test_a_question_answered_twice_leaves_one_tour(oree, ask):
    question = ask()
    assert question_answer(question_id=question.pk, config=LOCAL) == []
    assert Tour.objects.count() == 1


def test_a_stranger_organization_never_gets_the_tour(oree, ask, stranger):
    from organizations.scoping import tenant_scope
    from tests.tours.conftest import Asker

    decide(oree, ask().tour, Verb.APPROVE)
    with tenant_scope(stranger.organization.id):
        question = Asker(stranger)()
        assert question.outcome == Question.Outcome.UNKNOWN_PAGE
        stranger.learn()
        question = Asker(stranger)()
        assert question.outcome == Question.Outcome.GENERATED
        assert question.tour.organization == stranger.organization


def test_equal_words_are_equal_whatever_case_accents_and_punctuation():
    from tours.answering.words import normalize

    assert normalize(QUESTION) == normalize("comment AJOUTER une remise")
    assert normalize("Où régler l’échéance ?") == "ou regler l echeance"
