"""Questions without an answer: page by page, the same question in other words together."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from engine.embedding import current_embedder
from engine.local import meaning
from organizations.models import EndUser, Organization
from organizations.scoping import tenant_scope
from tests.fixtures import Tenant
from tours.answering.words import normalize
from tours.insight.likeness import group_alike
from tours.insight.unanswered import unanswered_groups, unanswered_pages
from tours.models import Question

Outcome = Question.Outcome
PAGE = "/factures/nouvelle"


def asked_in_vain(
    tenant: Tenant,
    text: str,
    who: EndUser | None = None,
    *,
    route: str = PAGE,
    outcome: str = Outcome.NOTHING,
    days_ago: int = 0,
) -> None:
    """Record a question that nothing answered, so many days ago at this time by the wall clock.

    Periods are made of the platform's days: 24 hours times so many is another day where the clocks have changed since.
    """
    skill = tenant.learnt if hasattr(tenant, "learnt") and route == PAGE else None
    Question.objects.create(
        organization=tenant.organization,
        text=text,
        normalized=normalize(text),
        route=route,
        locale="fr",
        end_user=who or tenant.visitor(),
        page_skill=skill,
        outcome=outcome,
        asked_at=timezone.localtime() - timedelta(days=days_ago),
    )


@pytest.fixture
def learnt(oree: Tenant) -> Tenant:
    oree.learnt = oree.learn()  # type: ignore[attr-defined]
    return oree


def since(days: int = 7):
    return timezone.now() - timedelta(days=days)


def groups(organization: Organization, pattern: str = PAGE):
    return unanswered_groups(organization, pattern, since())


def test_the_same_words_are_one_question_however_they_are_typed(learnt: Tenant) -> None:
    for text in ("Où est le stock ?", "ou est le stock", "OÙ EST LE STOCK ??"):
        asked_in_vain(learnt, text)

    [group] = groups(learnt.organization)

    assert (group.askers, group.asked, group.others) == (3, 3, [])


def test_people_count_once_a_group_whatever_their_words(learnt: Tenant) -> None:
    who = learnt.visitor()
    asked_in_vain(learnt, "Exporter les factures", who)
    asked_in_vain(learnt, "Exporter les factures", who)
    asked_in_vain(learnt, "Comment exporter une facture ?", who)
    asked_in_vain(learnt, "Comment exporter une facture ?")

    [group] = groups(learnt.organization)

    assert (group.askers, group.asked) == (2, 4)
    assert group.text == "Comment exporter une facture ?"
    assert group.others == ["Exporter les factures"]


def test_the_question_of_most_people_comes_first(learnt: Tenant) -> None:
    asked_in_vain(learnt, "Où est le stock ?")
    for _person in range(3):
        asked_in_vain(learnt, "Rembourser un client")

    assert [group.text for group in groups(learnt.organization)] == ["Rembourser un client", "Où est le stock ?"]


def test_a_page_counts_with_all_its_versions_and_one_that_is_not_learnt_by_its_address(learnt: Tenant) -> None:
    asked_in_vain(learnt, "Où est le stock ?")
    learnt.learnt = learnt.learn()  # type: ignore[attr-defined]
    asked_in_vain(learnt, "Où est le stock ?")
    asked_in_vain(learnt, "Ajouter un contact", route="/clients/7", outcome=Outcome.UNKNOWN_PAGE)

    pages = unanswered_pages([learnt.organization], since())

    assert [(page.pattern, page.askers, page.is_learnt) for page in pages] == [
        (PAGE, 2, True),
        ("/clients/7", 1, False),
    ]
    assert [page.url for page in pages] == [f"https://app.oree.example{path}" for path in (PAGE, "/clients/7")]


def test_an_address_with_something_masked_in_it_is_opened_nowhere(learnt: Tenant) -> None:
    asked_in_vain(learnt, "Ajouter un contact", route="/clients/[e-mail]", outcome=Outcome.UNKNOWN_PAGE)

    assert unanswered_pages([learnt.organization], since())[0].url == ""


def test_answered_waiting_and_old_questions_are_left_out(learnt: Tenant) -> None:
    asked_in_vain(learnt, "Répondue", outcome=Outcome.PUBLISHED)
    asked_in_vain(learnt, "En attente", outcome=Outcome.WAITING)
    asked_in_vain(learnt, "Ancienne", days_ago=8)

    assert unanswered_pages([learnt.organization], since()) == []


def test_another_tenants_questions_are_in_no_group(learnt: Tenant, stranger: Tenant) -> None:
    with tenant_scope(stranger.organization.pk):
        asked_in_vain(stranger, "Où est le trésor ?")

    assert groups(learnt.organization) == []
    with tenant_scope(stranger.organization.pk):
        assert unanswered_pages([learnt.organization], since()) == []


# Likeness

SAME = [
    ("Comment exporter les factures en PDF ?", "How do I export invoices to PDF?"),
    ("Comment rembourser un client ?", "Faire un remboursement client"),
    ("Comment changer mon mot de passe", "Modifier le mot de passe"),
    ("Où sont les statistiques de vente ?", "Comment voir les stats de ventes"),
]
DIFFERENT = [
    ("Comment importer des clients depuis Excel", "Comment exporter les clients vers Excel"),
    ("Comment supprimer un client ?", "Comment ajouter un client ?"),
    ("Comment ajouter un client ?", "Comment ajouter un produit ?"),
    ("Comment annuler une facture", "Relancer une facture impayée"),
]


@pytest.mark.skipif(current_embedder() is None, reason="no model reads texts here")
@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_means_the_same_is_together(one: str, other: str) -> None:
    assert group_alike([one, other]) == [[0, 1]]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_means_something_else_is_apart(one: str, other: str) -> None:
    assert group_alike([one, other]) == [[0], [1]]


def test_without_a_model_the_same_stems_are_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "awake_space", lambda: None)
    texts = ["Comment exporter les factures ?", "exporter une facture", "Rembourser un client"]

    assert group_alike(texts) == [[0, 1], [2]]


def test_the_same_texts_always_make_the_same_groups() -> None:
    texts = [text for pair in SAME + DIFFERENT for text in pair]

    assert group_alike(texts) == group_alike(texts)


def test_a_question_without_words_is_like_no_other() -> None:
    assert group_alike(["???", "!!"]) == [[0], [1]]
