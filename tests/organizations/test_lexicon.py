"""An organization's own words: what is accepted, who may change them, and what stays of a change."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils.translation import override

from organizations.errors import ServiceError
from organizations.lexicon import (
    LONGEST_LEXICON,
    house_words,
    last_lexicon_change,
    lexicon_digest,
    lexicon_read,
    lexicon_replace,
    lexicon_text,
)
from organizations.models import MOST_WORD_GROUPS, LexiconChange, Organization, User
from organizations.scoping import tenant_scope
from tests.fixtures import Tenant

WORDS = "avoir, note de crédit = credit note\nbidule, remise"


def replace(tenant: Tenant, text: str, actor: User | None = None, seen: str | None = None) -> Organization:
    return lexicon_replace(
        organization=tenant.organization,
        actor=actor or tenant.owner,
        text=text,
        seen_digest=lexicon_digest(tenant.organization) if seen is None else seen,
    )


def test_what_is_saved_is_given_to_the_engine_and_shown_again(oree: Tenant) -> None:
    replace(oree, WORDS)

    kept = Organization.objects.get(pk=oree.organization.pk)
    assert house_words(kept) == (("avoir", "note de crédit", "credit note"), ("bidule", "remise"))
    assert lexicon_text(kept) == "avoir, note de crédit, credit note\nbidule, remise"
    assert lexicon_read(lexicon_text(kept)).groups == house_words(kept)


def test_words_of_one_organization_are_not_anothers(oree: Tenant, stranger: Tenant) -> None:
    replace(oree, WORDS)
    assert house_words(stranger.organization) == ()


def test_empty_lines_spaces_and_a_word_said_twice_in_its_line_do_no_harm() -> None:
    read = lexicon_read("\n  bidule ,remise; Remise =\tristourne  spéciale \n\n , \n")
    assert read.groups == (("bidule", "remise", "ristourne spéciale"),)
    assert read.wrong == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("avoir", "Line 1: write at least two words"),
        ("a, b\n\navoir =", "Line 3: write at least two words"),
        (", ".join(f"mot{number}" for number in range(13)), "at most 12 words"),
        (f"bidule, {'x' * 61}", "longer than 60 characters"),
        ("bidule, ---", "“---” is no word"),
        ("bidule, remise\nRemise, ristourne", "“Remise” is on line 1 already"),
        ("\n".join(f"a{number}, b{number}" for number in range(MOST_WORD_GROUPS + 1)), "At most 200 lines"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_its_line_and_the_reason(oree: Tenant, text: str, said: str) -> None:
    with override("en"), pytest.raises(ServiceError) as refused:
        replace(oree, text)
    assert (refused.value.code, refused.value.status) == ("invalid_lexicon", 422)
    assert said in refused.value.fields["words"]
    assert house_words(Organization.objects.get(pk=oree.organization.pk)) == ()


def test_a_text_without_end_is_not_read(oree: Tenant) -> None:
    with override("en"), pytest.raises(ServiceError) as refused:
        replace(oree, "a" * (LONGEST_LEXICON + 1))
    assert "characters" in refused.value.fields["words"]


def test_the_database_holds_the_end_of_the_list_too(oree: Tenant) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Organization.objects.filter(pk=oree.organization.pk).update(lexicon=[["a", "b"]] * (MOST_WORD_GROUPS + 1))


def test_a_change_is_kept_with_its_author_and_the_same_words_again_are_none(oree: Tenant) -> None:
    replace(oree, WORDS)
    replace(oree, "bidule = remise")
    replace(oree, "bidule, remise\n")

    change = last_lexicon_change(oree.organization)
    assert change is not None
    assert change.actor == oree.owner
    assert change.before == [["avoir", "note de crédit", "credit note"], ["bidule", "remise"]]
    assert change.after == [["bidule", "remise"]]
    assert LexiconChange.objects.count() == 2


def test_whoever_saves_over_somebody_elses_change_is_told(oree: Tenant) -> None:
    seen = lexicon_digest(oree.organization)
    replace(oree, WORDS)

    with pytest.raises(ServiceError) as refused:
        replace(oree, "truc, machin", seen=seen)

    assert (refused.value.code, refused.value.status) == ("changed_since", 409)
    assert len(house_words(Organization.objects.get(pk=oree.organization.pk))) == 2


def test_only_administrators_change_words(oree: Tenant, stranger: Tenant) -> None:
    for actor, code in ((oree.reviewer, "forbidden"), (stranger.owner, "not_found")):
        with pytest.raises(ServiceError) as refused:
            replace(oree, WORDS, actor=actor)
        assert refused.value.code == code
    assert house_words(oree.organization) == ()


def test_a_strangers_changes_are_not_seen(oree: Tenant, stranger: Tenant) -> None:
    with tenant_scope(stranger.organization.id):
        replace(stranger, WORDS)
    assert last_lexicon_change(oree.organization) is None
    assert LexiconChange.objects.count() == 0
