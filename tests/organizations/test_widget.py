"""How an organization's widget looks: what is accepted, what a page is told, and the page where it is set."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from organizations.contrast import READABLE, WHITE, contrast, readable_on_white
from organizations.errors import ServiceError
from organizations.models import Organization
from organizations.widget import WidgetSettings, widget_settings, widget_update
from tests.admin.conftest import browser_of, text_of
from tests.fixtures import Tenant

CHOSEN = WidgetSettings(
    accent="#0F766E",
    side="left",
    offset_x=24,
    offset_y=96,
    label=" Aide ",
    hidden_on=["/pay/**", " /orders/*/print", "/pay/**"],
    events_percent=20,
)
TOLD = {
    "accent": "#0f766e",
    "side": "left",
    "offset_x": 24,
    "offset_y": 96,
    "label": "Aide",
    "hidden_on": ["/pay/**", "/orders/*/print"],
    "events_percent": 20,
}


def changed(**changes: Any) -> WidgetSettings:
    return WidgetSettings(**{**TOLD, **changes})


def refused(tenant: Tenant, **changes: Any) -> dict[str, str]:
    with pytest.raises(ServiceError) as refusal:
        widget_update(organization=tenant.organization, actor=tenant.owner, settings=changed(**changes))
    assert refusal.value.code == "invalid_widget"
    return refusal.value.fields


def address(tenant: Tenant) -> str:
    return reverse("admin:organizations_organization_widget", args=[tenant.organization.pk])


@pytest.mark.parametrize(
    ("one", "other", "ratio"), [("#000000", WHITE, 21), ("#777777", WHITE, 4.48), (WHITE, WHITE, 1)]
)
def test_contrast_is_counted_as_wcag_does(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.01)


def test_a_page_is_told_what_was_chosen(oree: Tenant) -> None:
    widget_update(organization=oree.organization, actor=oree.owner, settings=CHOSEN)
    answer = oree.api().get("/v1/widget")
    assert answer.json() == TOLD
    assert "max-age" in answer["Cache-Control"]
    assert oree.api().get("/v1/widget", headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_each_organization_has_its_own(oree: Tenant, stranger: Tenant) -> None:
    widget_update(organization=oree.organization, actor=oree.owner, settings=CHOSEN)
    assert stranger.api().get("/v1/widget").json()["accent"] == "#4f46e5"


def test_telling_it_costs_no_query_beside_the_keys(oree: Tenant, django_assert_num_queries: Any) -> None:
    oree.api().get("/v1/widget")
    with django_assert_num_queries(1):
        oree.api().get("/v1/widget")


def test_a_colour_that_hides_its_text_is_refused_with_one_that_does_not(oree: Tenant) -> None:
    said = refused(oree, accent="#ffd400")["accent"]
    darker = readable_on_white("#ffd400")
    assert darker in said
    assert contrast(darker, WHITE) >= READABLE
    widget_update(organization=oree.organization, actor=oree.owner, settings=changed(accent=darker))
    assert widget_settings(Organization.objects.get(pk=oree.organization.pk)).accent == darker


@pytest.mark.parametrize(
    "wrong",
    [
        {"accent": "blue"},
        {"accent": "#12345"},
        {"accent": "#123456;background:url(x)"},
        {"side": "top"},
        {"offset_x": -1},
        {"offset_y": 201},
        {"label": "a" * 25},
        {"events_percent": 101},
        {"hidden_on": ["pay"]},
        {"hidden_on": ["https://app.example/pay"]},
        {"hidden_on": ["/pay?step=2"]},
        {"hidden_on": ["/pay#card"]},
        {"hidden_on": ["/pay*"]},
        {"hidden_on": ["/**/card"]},
        {"hidden_on": ["/" + "a" * 200]},
        {"hidden_on": [f"/{n}" for n in range(21)]},
    ],
)
def test_what_cannot_be_is_refused_at_its_field(oree: Tenant, wrong: dict[str, Any]) -> None:
    assert set(refused(oree, **wrong)) == set(wrong)


def test_only_an_administrator_of_the_organization_sets_it(oree: Tenant, stranger: Tenant) -> None:
    for actor, code in ((oree.reviewer, "forbidden"), (stranger.owner, "not_found")):
        with pytest.raises(ServiceError) as refusal:
            widget_update(organization=oree.organization, actor=actor, settings=CHOSEN)
        assert refusal.value.code == code


def test_the_database_takes_no_colour_that_is_none(oree: Tenant) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Organization.objects.filter(pk=oree.organization.pk).update(widget_accent="red")


def test_the_page_of_the_administration_saves_and_shows_it(oree: Tenant) -> None:
    browser = browser_of(oree.owner)
    form = {**TOLD, "hidden_on": "/pay/**\n\n /orders/*/print "}
    response = browser.post(address(oree), form, follow=True)
    assert "Le widget est enregistré." in text_of(response)
    assert 'fill="#0f766e"' in response.content.decode()
    assert oree.api().get("/v1/widget").json() == TOLD


def test_the_page_says_which_colour_would_do_and_keeps_what_was_typed(oree: Tenant) -> None:
    response = browser_of(oree.owner).post(address(oree), {**TOLD, "accent": "#ffd400", "hidden_on": "/pay/**"})
    assert response.status_code == 422
    assert readable_on_white("#ffd400") in text_of(response)
    assert "se lirait mal" in text_of(response)
    assert 'value="#ffd400"' in response.content.decode()
    assert oree.api().get("/v1/widget").json()["accent"] == "#4f46e5"


def test_a_reviewer_and_a_stranger_do_not_find_the_page(oree: Tenant, stranger: Tenant) -> None:
    assert browser_of(oree.reviewer).get(address(oree)).status_code in (403, 404)
    assert browser_of(stranger.owner).get(address(oree)).status_code == 404
