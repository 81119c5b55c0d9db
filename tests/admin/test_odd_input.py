"""What no form of ours sends: refused with a page, never a fault."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.urls import NoReverseMatch, reverse

from organizations.models import Organization
from skills.models import PageSkill, RecorderCode
from tests.admin.conftest import browser_of
from tests.fixtures import ORIGIN, Tenant
from tours.models import Tour

LISTS = [
    f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
    for model in admin.site._registry
    if model is not Organization
]


def filters_of(name: str) -> list[str]:
    label = name.removeprefix("admin:").removesuffix("_changelist")
    model = next(m for m in admin.site._registry if f"{m._meta.app_label}_{m._meta.model_name}" == label)
    listed: list[Any] = list(admin.site._registry[model].list_filter)
    named = [entry if isinstance(entry, str) else entry.parameter_name for entry in listed]
    return [*named, *(f"{entry}__exact" for entry in named), "q", "o", "p", "id__in"]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("value", ["\x00", "zz", "9" * 30, "é'\"", "-1"])
def test_no_filter_of_a_list_breaks(oree: Tenant, waiting_tour: Tour, name: str, value: str) -> None:
    browser = browser_of(oree.owner)

    for parameter in filters_of(name):
        assert browser.get(reverse(name), {parameter: value}).status_code in (200, 302, 400), parameter


NUL_IN_A_TOUR: list[dict[str, Any]] = [
    {"do": "approve", "seen_digest": "\x00"},
    {"do": "reject", "reason": "\x00"},
    {"do": "save", "title": "a\x00b", "steps-count": "1", "steps-0-title": "\x00"},
    {"do": "\x00"},
    {"\x00": "x"},
]
NUL_IN_A_PAGE: list[dict[str, Any]] = [
    {"do": "save", "name": "a\x00", "summary": "b", "route_pattern": "/x"},
    {"do": "save", "name": "a", "summary": "b", "route_pattern": "/x\x00y"},
    {"do": "archive", "seen_digest": "\x00"},
]


@pytest.mark.parametrize("form", NUL_IN_A_TOUR)
def test_a_nul_in_a_tours_review_changes_nothing(oree: Tenant, waiting_tour: Tour, form: dict[str, Any]) -> None:
    url = reverse("admin:tours_tour_review", args=[waiting_tour.pk])

    assert browser_of(oree.reviewer).post(url, form).status_code == 400
    assert Tour.objects.get().version == waiting_tour.version


@pytest.mark.parametrize("form", NUL_IN_A_PAGE)
def test_a_nul_in_a_pages_review_changes_nothing(oree: Tenant, form: dict[str, Any]) -> None:
    skill = oree.learn()
    url = reverse("admin:skills_pageskill_review", args=[skill.pk])

    assert browser_of(oree.reviewer).post(url, form).status_code == 400
    assert PageSkill.objects.get().name == skill.name


@pytest.mark.parametrize("button", ["up:99", "up:" + "9" * 5000, "down:-1", "down:", "", "add" * 9])
def test_a_button_that_does_not_exist_does_nothing(oree: Tenant, waiting_tour: Tour, button: str) -> None:
    url = reverse("admin:tours_tour_review", args=[waiting_tour.pk])

    assert browser_of(oree.reviewer).post(url, {"do": button}).status_code in (200, 400)


@pytest.mark.parametrize("url", ["http://[bad", f"{ORIGIN}//x", f"{ORIGIN}/{'a' * 600}", f"{ORIGIN}:99999/", "[", "//"])
def test_an_address_that_cannot_be_a_page_is_refused_on_its_field(oree: Tenant, url: str) -> None:
    response = browser_of(oree.author).post("/admin/learn/", {"url": url})

    assert response.status_code == 422
    assert not RecorderCode.objects.exists()


@pytest.mark.parametrize("address", ["http://[bad", "http://llm:99999/v1", "http://llm:zz/v1", "file:///v1", "http://"])
def test_a_server_that_cannot_be_one_is_refused_on_its_field(oree: Tenant, address: str) -> None:
    url = reverse("admin:organizations_organization_change", args=[oree.organization.pk])
    form = {
        "name": "Orée",
        "locale": "fr",
        "llm_provider": "openai",
        "llm_base_url": address,
        "llm_model": "m",
        "monthly_token_budget": "1",
        "retention_days": "1",
        "review_remind_days": "3",
        "review_expire_days": "30",
    }

    response = browser_of(oree.owner).post(url, form)

    assert response.status_code == 422
    assert "llm_base_url" in response.context["form"].errors


def test_an_address_longer_than_mail_knows_is_refused_on_its_field(oree: Tenant) -> None:
    form = {"email": "x" * 250 + "@b.co", "role": "viewer"}

    response = browser_of(oree.owner).post(reverse("admin:organizations_membership_add"), form)

    assert response.status_code == 422
    assert "email" in response.context["form"].errors


@pytest.mark.parametrize("name", ["autocomplete", "view_on_site"])
def test_djangos_shortcuts_to_any_row_are_closed(oree: Tenant, name: str) -> None:
    with pytest.raises(NoReverseMatch):
        reverse(f"admin:{name}")
    for path in ("/admin/autocomplete/?app_label=zz", "/admin/r/1/1/"):
        assert browser_of(oree.owner).get(path).status_code == 404
