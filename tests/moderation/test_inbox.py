"""What waits for a review, in the order that helps."""

from moderation.selectors import inbox, inbox_count
from moderation.services import review_decide
from moderation.states import Verb
from skills.models import PageSkill
from tests.fixtures import LOCAL
from tours.answering.making import question_answer


def ask(tenant, text):
    question_answer(question_id=tenant.asked(text).pk, config=LOCAL)


def test_the_most_demanded_comes_first_then_the_oldest(oree):
    oree.learn()
    ask(oree, "Choisir le client")
    for _ in range(3):
        ask(oree, "Comment ajouter une remise ?")
    ask(oree, "Changer le taux de TVA")
    items = inbox()
    assert [item.card.demand for item in items] == [3, 1, 1]
    assert items[0].card.question == "Comment ajouter une remise ?"
    assert items[1].subject.submitted_at < items[2].subject.submitted_at


def test_the_most_demanded_is_there_however_many_are_older(oree):
    oree.learn()
    ask(oree, "Choisir le client")
    for _ in range(3):
        ask(oree, "Comment ajouter une remise ?")
    assert inbox(limit=1)[0].card.demand == 3


def test_the_inbox_costs_the_same_number_of_queries_however_long(oree, django_assert_num_queries):
    oree.learn()
    ask(oree, "Choisir le client")
    with django_assert_num_queries(2):
        inbox()
    ask(oree, "Comment ajouter une remise ?")
    ask(oree, "Changer le taux de TVA")
    with django_assert_num_queries(2):
        assert len(inbox()) == 3


def test_what_is_decided_leaves_the_inbox(oree):
    skill = oree.learn(approve=False)
    assert inbox_count() == 1
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.APPROVE,
        seen_digest=skill.digest,
    )
    assert inbox_count() == 0
    assert inbox() == []
