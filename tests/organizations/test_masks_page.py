"""The page of the administration where an organization writes its masks."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from organizations.masks import OwnMask, masks_digest, masks_of, masks_replace
from organizations.models import MOST_MASKS, Organization
from tests.admin.conftest import Browser, browser_of, text_of
from tests.fixtures import Tenant

CLIENT = OwnMask(name="Numéro de client", pattern="CLI-####", example="CLI-2041")


def address(tenant: Tenant) -> str:
    return reverse("admin:organizations_organization_masks", args=[tenant.organization.pk])


def form(tenant: Tenant, do: str, *rows: dict[str, str], **more: str) -> dict[str, str]:
    tenant.organization.refresh_from_db()
    data = {
        "do": do,
        "seen": masks_digest(tenant.organization),
        "masks-TOTAL_FORMS": str(len(rows)),
        "masks-INITIAL_FORMS": str(len(tenant.organization.masks)),
    }
    for index, row in enumerate(rows):
        data |= {f"masks-{index}-{field}": value for field, value in row.items()}
    return data | more


def kept(tenant: Tenant) -> list[OwnMask]:
    return masks_of(Organization.objects.get(pk=tenant.organization.pk))


CLIENT_ROW = {"name": "Numéro de client", "pattern": "CLI-####", "example": "CLI-2041"}
EMPTY_ROW = {"name": "", "pattern": "", "example": ""}


def test_masks_are_saved_and_shown_in_the_settings(oree: Tenant) -> None:
    browser = browser_of(oree.owner)

    response = browser.post(address(oree), form(oree, "save", CLIENT_ROW, EMPTY_ROW), follow=True)

    assert kept(oree) == [CLIENT]
    assert "Les masques ont été enregistrés." in text_of(response)
    assert "L’exemple devient [SENSITIVE]" in text_of(response)
    assert "oree" in text_of(response).lower()
    settings = browser.get(reverse("admin:organizations_organization_change", args=[oree.organization.pk]))
    assert "Numéro de client CLI-####" in text_of(settings)


def test_a_removed_row_and_an_emptied_one_go(oree: Tenant) -> None:
    masks = [CLIENT, OwnMask(name="Dossier", pattern="DOS-####"), OwnMask(name="Projet", pattern="PRJ-####")]
    masks_replace(
        organization=oree.organization, actor=oree.owner, masks=masks, seen_digest=masks_digest(oree.organization)
    )
    rows = (
        {**CLIENT_ROW, "DELETE": "on"},
        {"name": "Dossier", "pattern": "DOS-####", "example": ""},
        EMPTY_ROW,
    )

    browser_of(oree.owner).post(address(oree), form(oree, "save", *rows))

    assert [row.name for row in kept(oree)] == ["Dossier"]


def test_what_is_wrong_is_said_in_its_row_and_what_was_typed_stays(oree: Tenant) -> None:
    wrong = {"name": "Factures", "pattern": r"FAC-\d+", "example": ""}

    response = browser_of(oree.owner).post(address(oree), form(oree, "save", CLIENT_ROW, wrong))

    assert response.status_code == 422
    assert kept(oree) == []
    assert "expression régulière" in response.context["rows"].forms[1].errors["pattern"][0]
    assert not response.context["rows"].forms[0].errors
    assert r"FAC-\d+" in response.content.decode()


def test_trying_saves_nothing_and_counts_unsaved_rows(oree: Tenant) -> None:
    sample = "Cliente CLI-2041, a@b.fr, 12 produits <b>"

    response = browser_of(oree.owner).post(address(oree), form(oree, "try", CLIENT_ROW, sample=sample))

    assert response.status_code == 200
    assert kept(oree) == []
    assert "Cliente [SENSITIVE], [EMAIL], 12 produits &lt;b&gt;" in response.content.decode()
    assert "2 données sont masquées" in text_of(response)


def test_trying_says_at_once_what_cannot_be_saved(oree: Tenant) -> None:
    broad = {"name": "Tout", "pattern": "####", "example": ""}

    response = browser_of(oree.owner).post(address(oree), form(oree, "try", broad, sample="année 2026"))

    assert "pattern" in response.context["rows"].forms[0].errors
    assert "année 2026" in text_of(response)


def test_one_more_row_keeps_what_was_typed(oree: Tenant) -> None:
    response = browser_of(oree.owner).post(address(oree), form(oree, "add", CLIENT_ROW))

    rows = response.context["rows"]
    assert [row["pattern"].value() for row in rows.forms] == ["CLI-####", None]
    assert not any(row.errors for row in rows.forms)


def test_rows_end_where_the_list_does(oree: Tenant) -> None:
    rows = [{"name": "x", "pattern": f"CLI{number}-##", "example": ""} for number in range(MOST_MASKS)]

    response = browser_of(oree.owner).post(address(oree), form(oree, "add", *rows))

    assert len(response.context["rows"].forms) == MOST_MASKS
    assert not response.context["may_add"]


def test_somebody_elses_change_is_not_overwritten(oree: Tenant) -> None:
    data = form(oree, "save", {**CLIENT_ROW, "pattern": "DOS-####", "example": ""})
    masks_replace(
        organization=oree.organization, actor=oree.owner, masks=[CLIENT], seen_digest=masks_digest(oree.organization)
    )

    response = browser_of(oree.owner).post(address(oree), data)

    assert response.status_code == 422
    assert "a changé cette liste" in text_of(response)
    assert kept(oree) == [CLIENT]


@pytest.mark.parametrize("who", ["reviewer", "author", "viewer"])
def test_only_administrators_see_the_page(oree: Tenant, who: str) -> None:
    browser = browser_of(getattr(oree, who))
    assert browser.get(address(oree)).status_code == 404
    assert browser.post(address(oree), form(oree, "save", CLIENT_ROW)).status_code == 404
    assert kept(oree) == []


def test_another_tenants_page_is_not_there(oree: Tenant, stranger: Tenant) -> None:
    assert browser_of(oree.owner).get(address(stranger)).status_code == 404
    assert Client().get(address(stranger)).status_code == 302


ODD: list[dict[str, Any]] = [
    {},
    {"do": "save"},
    {"do": "save", "masks-TOTAL_FORMS": "9" * 300, "masks-INITIAL_FORMS": "-1"},
    {"do": "add", "masks-TOTAL_FORMS": "²", "masks-INITIAL_FORMS": "0"},
    {"do": "save", "masks-TOTAL_FORMS": "1", "masks-INITIAL_FORMS": "0", "masks-0-pattern": "x" * 9_000},
    {"do": "try", "masks-TOTAL_FORMS": "0", "masks-INITIAL_FORMS": "0", "sample": "x" * 9_000},
    {"do": "save", "masks-TOTAL_FORMS": "1", "masks-INITIAL_FORMS": "0", "masks-0-pattern": "a\x00b"},
]


@pytest.mark.parametrize("data", ODD)
def test_what_the_page_never_sends_changes_nothing(oree: Tenant, data: dict[str, Any]) -> None:
    response = browser_of(oree.owner).post(address(oree), data)

    assert response.status_code in (200, 400, 422)
    assert kept(oree) == []


def test_the_page_needs_no_script_and_no_inline_style(oree: Tenant) -> None:
    body = Browser.get(browser_of(oree.owner), address(oree)).content.decode()
    assert "style=" not in body
    assert "<script>" not in body
