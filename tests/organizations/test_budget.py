"""The monthly token budget, and what tokens cost."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from engine.types import EngineConfig, Usage
from organizations.budget import tokens_cost, tokens_hold, tokens_settle
from organizations.models import TokenHold, TokenUse
from skills.config import BUDGET_SPENT, engine_afforded

MODEL = EngineConfig("openai", "http://127.0.0.1:9/v1", "k", "m")


@pytest.fixture
def hundred(oree):
    oree.organization.monthly_token_budget = 100
    oree.organization.save()
    return oree.organization


def used(organization) -> int:
    use = TokenUse.objects.get(organization=organization)
    return use.prompt_tokens + use.completion_tokens


def test_what_is_set_aside_cannot_be_set_aside_again(hundred):
    first = tokens_hold(organization=hundred, most=60)
    assert first is not None
    assert tokens_hold(organization=hundred, most=60) is None
    tokens_settle(hold=first, prompt_tokens=30, completion_tokens=5)
    assert used(hundred) == 35
    assert tokens_hold(organization=hundred, most=60) is not None


def test_a_call_is_counted_once_however_often_it_is_settled(hundred):
    hold = tokens_hold(organization=hundred, most=60)
    assert hold is not None
    for _ in range(2):
        tokens_settle(hold=hold, prompt_tokens=30, completion_tokens=5)
    assert used(hundred) == 35


def test_what_a_dead_worker_set_aside_is_free_again_in_time(hundred):
    assert tokens_hold(organization=hundred, most=100) is not None
    TokenHold.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert tokens_hold(organization=hundred, most=100) is not None
    assert TokenHold.objects.count() == 1


def test_a_budget_that_has_not_enough_left_means_the_local_engine(hundred):
    afforded = engine_afforded(hundred, MODEL, "answer")
    assert (afforded.config.provider, afforded.refused) == ("local", BUDGET_SPENT)
    hundred.monthly_token_budget = 1_000_000
    afforded = engine_afforded(hundred, MODEL, "answer")
    assert (afforded.config, afforded.refused) == (MODEL, "")
    afforded.settle(Usage(400, 50))
    assert used(hundred) == 450
    assert not TokenHold.objects.exists()


def test_the_local_engine_sets_nothing_aside(hundred):
    afforded = engine_afforded(hundred, EngineConfig(), "answer")
    afforded.settle(Usage())
    assert not TokenUse.objects.exists()


def test_another_organizations_budget_is_its_own(hundred, stranger):
    from organizations.scoping import tenant_scope

    assert tokens_hold(organization=hundred, most=100) is not None
    with tenant_scope(stranger.organization.id):
        assert tokens_hold(organization=stranger.organization, most=100) is not None


def test_tokens_cost_what_a_million_of_them_costs(oree):
    organization = oree.organization
    assert tokens_cost(organization, prompt_tokens=500, completion_tokens=60) is None
    organization.llm_prompt_price, organization.llm_completion_price = Decimal("0.40"), Decimal("1.60")
    assert tokens_cost(organization, prompt_tokens=500, completion_tokens=60) == Decimal("0.000296")
    organization.llm_completion_price = None
    assert tokens_cost(organization, prompt_tokens=500, completion_tokens=60) == Decimal("0.000200")
