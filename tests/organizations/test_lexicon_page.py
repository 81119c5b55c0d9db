"""The page of the administration where an organization writes its own words."""

from __future__ import annotations

import pytest
from django.urls import reverse

from organizations.lexicon import house_words, lexicon_digest, lexicon_replace
from organizations.models import Organization
from tests.admin.conftest import browser_of, text_of
from tests.fixtures import Tenant


def address(tenant: Tenant) -> str:
    return reverse("admin:organizations_organization_lexicon", args=[tenant.organization.pk])


def form(tenant: Tenant, words: str) -> dict[str, str]:
    tenant.organization.refresh_from_db()
    return {"seen": lexicon_digest(tenant.organization), "words": words}


def kept(tenant: Tenant) -> tuple[tuple[str, ...], ...]:
    return house_words(Organization.objects.get(pk=tenant.organization.pk))


def test_words_are_saved_and_counted_in_the_settings(oree: Tenant) -> None:
    browser = browser_of(oree.owner)

    response = browser.post(address(oree), form(oree, "avoir, note de crédit\r\nbidule = remise"), follow=True)

    assert kept(oree) == (("avoir", "note de crédit"), ("bidule", "remise"))
    assert "Les mots ont été enregistrés." in text_of(response)
    assert "bidule, remise" in response.content.decode()
    settings = browser.get(reverse("admin:organizations_organization_change", args=[oree.organization.pk]))
    assert "2 lignes de mots." in text_of(settings)
    assert address(oree) in settings.content.decode()


def test_what_is_wrong_is_said_at_the_field_and_nothing_typed_is_lost(oree: Tenant) -> None:
    response = browser_of(oree.owner).post(address(oree), form(oree, "avoir, note de crédit\r\nbidule"))

    assert response.status_code == 422
    assert "Ligne 2 : écrivez au moins deux mots" in text_of(response)
    assert "bidule" in response.content.decode()
    assert kept(oree) == ()


def test_a_change_of_somebody_else_is_not_overwritten(oree: Tenant) -> None:
    typed = form(oree, "truc, machin")
    lexicon_replace(
        organization=oree.organization,
        actor=oree.owner,
        text="bidule, remise",
        seen_digest=lexicon_digest(oree.organization),
    )

    response = browser_of(oree.owner).post(address(oree), typed)

    assert response.status_code == 422
    assert "Quelqu’un a modifié ces mots" in text_of(response)
    assert kept(oree) == (("bidule", "remise"),)


@pytest.mark.parametrize("method", ["get", "post"])
def test_others_do_not_get_in(oree: Tenant, stranger: Tenant, method: str) -> None:
    assert getattr(browser_of(oree.reviewer), method)(address(oree)).status_code == 404
    assert getattr(browser_of(stranger.owner), method)(address(oree)).status_code == 404
    assert kept(oree) == ()
