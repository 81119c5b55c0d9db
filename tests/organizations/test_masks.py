"""An organization's own masks: what is accepted, who may change them, and what stays of a change."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils.translation import override

from engine.masking import mask
from organizations.errors import ServiceError
from organizations.masks import (
    OwnMask,
    last_change,
    mask_patterns,
    mask_rules,
    masks_digest,
    masks_of,
    masks_replace,
    masks_try,
    masks_wrong,
)
from organizations.models import MOST_MASKS, MaskChange, Organization, User
from organizations.scoping import tenant_scope
from tests.fixtures import Tenant

CLIENT = OwnMask(name="Numéro de client", pattern="CLI-####", example="CLI-2041")
FILE = OwnMask(name="Dossier", pattern="DOS ??-*")


def replace(tenant: Tenant, *masks: OwnMask, actor: User | None = None, seen: str | None = None) -> Organization:
    return masks_replace(
        organization=tenant.organization,
        actor=actor or tenant.owner,
        masks=masks,
        seen_digest=masks_digest(tenant.organization) if seen is None else seen,
    )


def test_what_is_saved_hides_from_then_on(oree: Tenant) -> None:
    replace(oree, CLIENT, FILE)

    kept = Organization.objects.get(pk=oree.organization.pk)
    assert masks_of(kept) == [CLIENT, FILE]
    assert mask_patterns(kept) == ["CLI-####", "DOS ??-*"]
    assert mask("Client CLI-2041, DOS AB-12x", mask_rules(kept)) == "Client [SENSITIVE], [SENSITIVE]"


def test_an_organization_without_masks_hides_what_all_do(oree: Tenant) -> None:
    assert mask_rules(oree.organization) == ()
    assert mask("CLI-2041 a@b.fr", mask_rules(oree.organization)) == "CLI-2041 [EMAIL]"


def test_masks_of_one_organization_are_not_anothers(oree: Tenant, stranger: Tenant) -> None:
    replace(oree, CLIENT)
    assert mask_rules(stranger.organization) == ()


def test_a_change_is_kept_with_its_author_and_without_examples(oree: Tenant) -> None:
    replace(oree, CLIENT)
    replace(oree, FILE)

    change = last_change(oree.organization)
    assert change is not None
    assert change.actor == oree.owner
    assert change.before == [{"name": "Numéro de client", "pattern": "CLI-####"}]
    assert change.after == [{"name": "Dossier", "pattern": "DOS ??-*"}]
    assert MaskChange.objects.count() == 2


def test_saving_the_same_list_again_is_no_change(oree: Tenant) -> None:
    replace(oree, CLIENT)
    replace(oree, OwnMask(name=" Numéro de client ", pattern="CLI-#### ", example="CLI-2041"))
    assert MaskChange.objects.count() == 1


def test_whoever_saves_over_somebody_elses_change_is_told(oree: Tenant) -> None:
    seen = masks_digest(oree.organization)
    replace(oree, CLIENT)

    with pytest.raises(ServiceError) as refused:
        replace(oree, FILE, seen=seen)

    assert (refused.value.code, refused.value.status) == ("changed_since", 409)
    assert mask_patterns(Organization.objects.get(pk=oree.organization.pk)) == ["CLI-####"]


def test_only_administrators_change_masks(oree: Tenant, stranger: Tenant) -> None:
    for actor, code in ((oree.reviewer, "forbidden"), (stranger.owner, "not_found")):
        with pytest.raises(ServiceError) as refused:
            replace(oree, CLIENT, actor=actor)
        assert refused.value.code == code
    assert masks_of(oree.organization) == []


@pytest.mark.parametrize(
    ("row", "field", "words"),
    [
        (OwnMask(name="", pattern="CLI-####"), "name", "say what it hides"),
        (OwnMask(name="x" * 61, pattern="CLI-####"), "name", "at most 60"),
        (OwnMask(name="x", pattern=""), "pattern", "write a pattern"),
        (OwnMask(name="x", pattern="A" * 81), "pattern", "at most 80"),
        (OwnMask(name="x", pattern="####"), "pattern", "too broad"),
        (OwnMask(name="x", pattern="CLI**"), "pattern", "after *"),
        (OwnMask(name="x", pattern="CLI-##\\"), "pattern", "backslash"),
        (OwnMask(name="x", pattern=r"CLI-\d+"), "pattern", "regular expression"),
        (OwnMask(name="x", pattern="CLI-[0-9]"), "pattern", "regular expression"),
        (OwnMask(name="x", pattern="CLI-#{4}"), "pattern", "regular expression"),
        (OwnMask(name="x", pattern="^CLI-####"), "pattern", "regular expression"),
        (OwnMask(name="x", pattern="CLI-####", example="CLI-204"), "example", "does not hide"),
        (OwnMask(name="x", pattern="CLI-####", example="[SENSITIVE]"), "example", "does not hide"),
        (OwnMask(name="x", pattern="CLI-####", example="x" * 201), "example", "at most 200"),
    ],
)
def test_what_cannot_be_a_mask_is_refused_at_its_field_with_the_reason(row: OwnMask, field: str, words: str) -> None:
    with override("en"):
        wrong = masks_wrong([OwnMask(name="ok", pattern="OKAY"), row])
    assert list(wrong) == [f"masks[1].{field}"]
    assert words in wrong[f"masks[1].{field}"]


@pytest.mark.parametrize("pattern", [r"REF\[a-z]##", r"N\{12}##", "DOS.*", "(x) ##", "50 $ ##"])
def test_signs_of_regular_expressions_can_still_be_meant(pattern: str) -> None:
    assert masks_wrong([OwnMask(name="x", pattern=pattern)]) == {}


def test_the_same_pattern_twice_is_said(oree: Tenant) -> None:
    wrong = masks_wrong([CLIENT, OwnMask(name="Encore", pattern="cli-####")])
    assert list(wrong) == ["masks[1].pattern"]


def test_the_list_has_an_end_that_the_database_holds_too(oree: Tenant) -> None:
    many = [OwnMask(name="x", pattern=f"CLI{number}-##") for number in range(MOST_MASKS + 1)]
    with pytest.raises(ServiceError) as refused:
        replace(oree, *many)
    assert set(refused.value.fields) == {"masks"}
    with pytest.raises(IntegrityError), transaction.atomic():
        Organization.objects.filter(pk=oree.organization.pk).update(masks=[{}] * (MOST_MASKS + 1))
    replace(oree, *many[:MOST_MASKS])


def test_a_mask_that_this_release_cannot_read_stops_nothing(oree: Tenant) -> None:
    rows = [{"name": "x", "pattern": "CLI**", "example": ""}, {"name": "y", "pattern": "DOS-####", "example": ""}]
    Organization.objects.filter(pk=oree.organization.pk).update(masks=rows)
    rules = mask_rules(Organization.objects.get(pk=oree.organization.pk))
    assert mask("CLI-1 DOS-1234", rules) == "CLI-1 [SENSITIVE]"


def test_trying_shows_what_masks_and_the_rules_of_all_hide() -> None:
    tried = masks_try([CLIENT, OwnMask(name="?", pattern="##")], "CLI-2041, 06 12 34 56 78, 12 produits")
    assert tried.text == "[SENSITIVE], [SENSITIVE_NUMERIC], 12 produits"
    assert tried.hidden == 2


def test_a_strangers_changes_are_not_seen(oree: Tenant, stranger: Tenant) -> None:
    with tenant_scope(stranger.organization.id):
        replace(stranger, CLIENT)
    assert last_change(oree.organization) is None
    assert MaskChange.objects.count() == 0
