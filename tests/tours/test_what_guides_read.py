"""What a guide is told of each step beside its words: what leads on to the next one, and on which page it is."""

import pytest

from skills.models import PageSkill
from tests.fixtures import invoice_scan
from tours.answering.presenting import question_answer_payload
from tours.steps import shepherd_steps


def step(action_type):
    return {
        "intent_id": "x",
        "title": "Titre",
        "text": "Texte",
        "selector": "#x",
        "fallback_selector": "",
        "fingerprint": "",
        "placement": "bottom",
        "action_type": action_type,
        "picked": "",
    }


@pytest.mark.parametrize(
    ("action_type", "event"),
    [("click", "click"), ("submit", "click"), ("navigate", "click"), ("check", "click"), ("select", "change")],
)
def test_what_people_do_there_leads_on(action_type, event):
    [shown] = shepherd_steps([step(action_type)], "fr")
    assert shown["advanceOn"] == {"event": event}


def test_no_key_that_is_typed_leads_on():
    [shown] = shepherd_steps([step("input")], "fr")
    assert "advanceOn" not in shown


def test_an_answer_says_nothing_of_the_page_that_it_was_asked_on(ask):
    assert all("route" not in shown for shown in question_answer_payload(ask())["steps"])


def test_nor_when_that_page_was_learnt_again_since(oree, ask):
    question = ask()
    oree.learn()
    question.tour.refresh_from_db()
    assert all("route" not in shown for shown in question_answer_payload(question)["steps"])


def test_an_answer_whose_page_was_learnt_at_another_address_since_says_where_it_is(oree, ask):
    question = ask()
    oree.learn(invoice_scan(urlPattern="/ventes/nouvelle"))
    moved = PageSkill.objects.get(route_pattern="/ventes/nouvelle")
    question.tour.page_skill = moved
    question.tour.save()
    assert {shown["route"] for shown in question_answer_payload(question)["steps"]} == {"/ventes/nouvelle"}
