"""The table of costs: what is reused costs nothing, and the rest is tokens times prices."""

import json

import pytest

from bench.engine.cost import Measured, Price, cost_of, read_prices, right_answer, tokens_for
from engine.evaluation import LabelledQuestion
from engine.remote.prompting import answer_prompt
from tests.engine.scans import learn

MEASURED = Measured(asked=400, answered=20, schema=100)


def test_a_thousand_questions_are_a_thousand_prompts_and_answers():
    assert tokens_for(MEASURED, 0) == 420_000
    assert cost_of(MEASURED, Price(asked=1.0, answered=5.0), 0) == pytest.approx(0.5)


@pytest.mark.parametrize("reused", [0.5, 0.9, 1.0])
def test_what_is_reused_costs_nothing(reused):
    price = Price(asked=0.4, answered=1.6)
    assert tokens_for(MEASURED, reused) == pytest.approx((1 - reused) * tokens_for(MEASURED, 0))
    assert cost_of(MEASURED, price, reused) == pytest.approx((1 - reused) * cost_of(MEASURED, price, 0))


def test_prices_are_dated_and_answers_cost_more_than_questions():
    as_of, currency, prices = read_prices()
    assert as_of
    assert currency == "USD"
    assert all(0 < price.asked < price.answered for price in prices.values())


def test_the_right_answer_is_one_that_the_schema_lets_through():
    page = learn("nouvelle_facture")
    wanted = next(intent for intent in page.intents if intent.intent_id == "remise")
    question = LabelledQuestion("p", "Comment faire une remise ?", "fr", "single", ((wanted.selector,),))
    prompt = answer_prompt(question.question, page, locale="fr")
    answer = json.loads(right_answer(question, prompt))
    assert [prompt.by_short_id[short] for short in answer["steps"]] == [wanted]
    assert list(answer) == prompt.schema["required"]
    nothing = LabelledQuestion("p", "Quel temps fait-il ?", "fr", "absent", ())
    assert json.loads(right_answer(nothing, prompt)) == {"steps": [], "title": ""}
