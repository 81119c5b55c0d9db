"""What an administrator sets and sees of a model: its prices, and why the local engine answered in its place."""

from __future__ import annotations

from decimal import Decimal

from django.urls import reverse

from tests.admin.conftest import browser_of, text_of
from tests.fixtures import Tenant
from tours.models import Question


def settings_of(tenant: Tenant, **changes: str) -> dict[str, str]:
    return {
        "name": "Oree",
        "locale": "fr",
        "llm_provider": "openai",
        "llm_base_url": "http://127.0.0.1:9/v1",
        "llm_model": "m",
        "monthly_token_budget": "1000",
        "retention_days": "30",
        "review_remind_days": "3",
        "review_expire_days": "30",
        **changes,
    }


def test_prices_are_kept_and_taken_away_again(oree: Tenant) -> None:
    url = reverse("admin:organizations_organization_change", args=[oree.organization.pk])
    browser = browser_of(oree.owner)

    browser.post(url, settings_of(oree, llm_prompt_price="0.4", llm_completion_price="1.6"))
    oree.organization.refresh_from_db()
    assert oree.organization.llm_prompt_price == Decimal("0.4")
    assert "Prix d’un million de jetons en entrée" in text_of(browser.get(url))

    browser.post(url, settings_of(oree))
    oree.organization.refresh_from_db()
    assert oree.organization.llm_prompt_price is None


def test_a_price_below_nothing_is_refused(oree: Tenant) -> None:
    url = reverse("admin:organizations_organization_change", args=[oree.organization.pk])
    response = browser_of(oree.owner).post(url, settings_of(oree, llm_prompt_price="-1"))
    assert response.status_code == 422
    oree.organization.refresh_from_db()
    assert oree.organization.llm_prompt_price is None


def test_a_question_says_why_the_local_engine_answered_and_what_it_cost(oree: Tenant) -> None:
    oree.learn()
    paused, fine = oree.asked("Ajouter une remise"), oree.asked("Choisir le client")
    Question.objects.filter(pk=paused.pk).update(fell_back="provider_paused", cost=Decimal("0.000296"))
    browser = browser_of(oree.owner)

    page = text_of(browser.get(reverse("admin:tours_question_change", args=[paused.pk])))
    assert "Le serveur a échoué plusieurs fois de suite" in page
    assert "0,000296" in page

    listed = text_of(browser.get(reverse("admin:tours_question_changelist") + "?fell_back=provider_paused"))
    assert paused.text in listed
    assert fine.text not in listed
