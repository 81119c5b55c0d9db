"""What waits for a review, in the order that helps."""

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from moderation.selectors import MANY, inbox, inbox_count
from moderation.services import review_decide
from moderation.states import Status, Verb
from skills.models import PageSkill
from tests.admin.conftest import browser_of, text_of
from tests.fixtures import LOCAL
from tours.answering.making import question_answer
from tours.models import Tour


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


def many_tours(skill, count):
    rows = [
        Tour(
            organization_id=skill.organization_id,
            title=f"Guide {number}",
            status=Status.PENDING_REVIEW,
            page_skill=skill,
            locale="fr",
            intent_ids=[],
            digest="0" * 64,
            asked_count=number % 977,
            submitted_at=timezone.now(),
        )
        for number in range(count)
    ]
    Tour.objects.bulk_create(rows, batch_size=2000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE tours_tour")


def test_ten_thousand_waiting_tours_take_as_many_queries_as_one_and_no_count_of_them_all(oree):
    skill = oree.learn()
    ask(oree, "Choisir le client")
    browser = browser_of(oree.owner)
    browser.get("/admin/inbox/")
    with CaptureQueriesContext(connection) as few:
        browser.get("/admin/inbox/")
    many_tours(skill, 10_000)
    with CaptureQueriesContext(connection) as many:
        page = browser.get("/admin/inbox/")

    assert len(many) == len(few)
    counts = [query["sql"] for query in many if "COUNT(" in query["sql"] and 'FROM "tours_tour"' in query["sql"]]
    assert counts
    for sql in counts:
        assert re.search(r"LIMIT \d+\) subquery$", sql), sql
    assert len(page.context["items"]) == 100
    assert page.context["items"][0].card.demand == 976
    assert "Plus de 100 éléments" in text_of(page)
    assert re.search(r"À relire 100\+", text_of(page))


def test_the_first_of_thousands_are_read_from_an_index_without_sorting_them(oree):
    many_tours(oree.learn(), 3_000)
    with CaptureQueriesContext(connection) as read:
        inbox()
    [sql] = [query["sql"] for query in read if 'FROM "tours_tour"' in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "tour_inbox" in plan
    before_the_subquery = plan.split("SubPlan")[0]
    assert "Sort" not in before_the_subquery, plan


def test_a_long_inbox_is_not_counted_to_its_end(oree):
    many_tours(oree.learn(), MANY + 50)
    assert inbox_count() == MANY
