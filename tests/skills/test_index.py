"""The search index of page-skills: derived with them, kept in step with decisions, and what it finds."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from engine.embedding import current_embedder
from engine.errors import EngineError
from engine.local import meaning
from engine.service import plan_intents
from engine.types import MEANING_DIMENSIONS
from moderation.services import review_decide
from moderation.states import Verb
from organizations.scoping import tenant_scope
from skills.index import index_renew, stale_indexes
from skills.models import PageSkill, SkillIntent, SkillVectors
from skills.search import intents_elsewhere
from skills.selectors import engine_page
from skills.services import skill_edit
from skills.tasks import renew_stale_indexes
from tests.fixtures import invoice_scan, node

needs_model = pytest.mark.skipif(current_embedder() is None, reason="the package with the model is not installed here")


def order_scan(**changes: Any) -> dict[str, Any]:
    """Return a page on which nothing of an invoice is."""
    form = {"context": {"form": "Suivi de la commande"}}
    return {
        "urlPattern": "/commandes/*",
        "pageTitle": "Commande",
        "nodes": [
            node(1, "h1", "Commande", "h1", interactive=False),
            node(2, "select", "Statut", "#statut", options=["En préparation", "Expédiée", "Livrée"], **form),
            node(3, "input", "Numéro de suivi du transporteur", "#suivi", **form),
            node(4, "button", "Mettre à jour", "#go", type="submit", **form),
        ],
        **changes,
    }


class Counting:
    """The model, and what it was given to read."""

    def __init__(self) -> None:
        embedder = current_embedder()
        assert embedder is not None
        self.embedder = embedder
        self.model = embedder.model
        self.is_far = embedder.is_far
        self.read: list[str] = []

    def embed(self, texts, *, wait_s=0.0):  # noqa: ARG002
        self.read += texts
        return self.embedder.embed(texts)


class Broken:
    """A model that does not answer."""

    model = "multilingual-e5-small"
    is_far = False

    def embed(self, texts, *, wait_s=0.0):  # noqa: ARG002
        raise EngineError("provider_unavailable", "nobody there")


@pytest.fixture
def model(monkeypatch) -> Counting:
    """The model in a process that has read nothing yet."""
    counting = Counting()
    forget(monkeypatch, counting)
    return counting


def forget(monkeypatch, embedder) -> None:
    meaning._nearness.cache_clear()
    meaning._page_meaning.cache_clear()
    monkeypatch.setattr(meaning._Silence, "until", 0.0)
    monkeypatch.setattr("engine.local.meaning.current_embedder", lambda: embedder)


def edited(skill: PageSkill, actor, **changes: Any) -> PageSkill:
    rows = [dict(row) for row in skill.actions_json["intents"]]
    content = {"name": skill.name, "route_pattern": skill.route_pattern, "summary": skill.summary, "intents": rows}
    return skill_edit(skill=skill, actor=actor, seen_digest=skill.digest, **{**content, **changes})


def approve(tenant, skill: PageSkill) -> None:
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=tenant.organization,
        actor=tenant.reviewer,
        verb=Verb.APPROVE,
        seen_digest=skill.digest,
    )


def found(tenant, question: str, *besides: PageSkill) -> list[str]:
    skills = intents_elsewhere(organization=tenant.organization, question=question, besides=besides)
    return [skill.route_pattern for skill in skills]


def test_a_learnt_page_has_an_entry_for_each_of_its_actions(oree):
    skill = oree.learn(approve=False)
    entries = SkillIntent.objects.filter(page_skill=skill)
    keys = ("intent_id", "user_goal", "selector", "fallback_selector", "action_type")
    assert list(entries.values(*keys)) == skill.actions_json["intents"]


def test_an_edit_is_in_the_index_as_soon_as_it_is_saved(oree):
    skill = oree.learn(approve=False)
    rows = [{**row, "user_goal": "Accorder un geste commercial"} for row in skill.actions_json["intents"][:1]]
    edited(skill, oree.author, intents=rows)
    assert [entry.user_goal for entry in SkillIntent.objects.filter(page_skill=skill)] == [
        "Accorder un geste commercial"
    ]


def test_an_edit_of_a_published_page_is_a_version_of_its_own_in_the_index(oree):
    skill = oree.learn()
    successor = edited(skill, oree.author, summary="Autre chose.")
    assert set(SkillIntent.objects.filter(page_skill=skill).values_list("live", flat=True)) == {True}
    assert set(SkillIntent.objects.filter(page_skill=successor).values_list("live", flat=True)) == {False}


def test_only_what_is_published_is_found(oree):
    draft = oree.learn(approve=False)
    assert found(oree, "ajouter une remise") == []
    approve(oree, draft)
    assert found(oree, "ajouter une remise") == ["/factures/nouvelle"]
    review_decide(
        model=PageSkill,
        subject_id=draft.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.ARCHIVE,
        seen_digest=draft.digest,
        reason="La page n’existe plus.",
    )
    assert found(oree, "ajouter une remise") == []


def test_the_version_that_is_replaced_is_no_longer_found(oree):
    skill = oree.learn()
    successor = edited(skill, oree.author, summary="Autre chose.")
    approve(oree, successor)
    assert not SkillIntent.objects.filter(page_skill=skill, live=True).exists()
    assert found(oree, "ajouter une remise") == ["/factures/nouvelle"]


@pytest.mark.parametrize(
    "question",
    ["COMMENT AJOUTER UNE REMISE ?", "je veux des remises", "where do I add a discount", "accorder un rabais"],
)
def test_words_find_a_page_in_either_language_whatever_their_accents_and_endings(oree, monkeypatch, question):
    forget(monkeypatch, None)
    oree.learn()
    assert found(oree, question) == ["/factures/nouvelle"]


def test_accents_make_no_difference(oree, monkeypatch):
    forget(monkeypatch, None)
    oree.learn(order_scan())
    assert found(oree, "numero de suivi") == found(oree, "Numéro de suivi") == ["/commandes/*"]


def test_signs_in_a_question_are_no_commands_for_the_search(oree):
    oree.learn()
    assert found(oree, "remise' | !@#:*\\ & '") == ["/factures/nouvelle"]
    assert found(oree, "'''\\") in ([], ["/factures/nouvelle"])


def test_a_word_too_long_for_any_index_is_passed_over(oree, monkeypatch):
    forget(monkeypatch, None)
    unending = "㌖" * 290
    skill = oree.learn(invoice_scan(nodes=[node(1, "input", f"Remise {unending}", "#remise")]))
    assert found(oree, f"remise {unending}") == [skill.route_pattern]


@needs_model
def test_meaning_finds_a_page_that_shares_no_word_with_the_question(oree):
    oree.learn()
    oree.learn(order_scan())
    assert found(oree, "le livreur est déjà passé chez lui")[0] == "/commandes/*"


def test_the_page_that_is_open_is_not_elsewhere_in_any_version(oree):
    skill = oree.learn()
    other = oree.learn(order_scan())
    successor = edited(skill, oree.author, summary="Autre chose.")
    assert "/factures/nouvelle" not in found(oree, "ajouter une remise", successor)
    assert found(oree, "changer le statut", skill)[0] == other.route_pattern


def test_another_organizations_pages_are_never_found(oree, stranger):
    with tenant_scope(stranger.organization.pk):
        stranger.learn()
    assert found(oree, "ajouter une remise") == []


def test_the_words_of_an_organization_have_lists_of_their_own(oree, stranger):
    oree.learn()
    with tenant_scope(stranger.organization.pk):
        stranger.learn()
    with connection.cursor() as cursor:
        cursor.execute("SELECT word FROM ts_stat('SELECT terms FROM skills_skillintent') WHERE ndoc > 0")
        tags = {word.split(":")[0] for (word,) in cursor.fetchall()}
    assert tags == {tenant.organization.pk.hex[-8:] for tenant in (oree, stranger)}


@needs_model
def test_the_vectors_are_those_of_the_trained_space(oree):
    skill = oree.learn()
    embedder = current_embedder()
    assert embedder is not None
    space = meaning.space_of(embedder)
    assert space is not None
    entries = SkillIntent.objects.filter(page_skill=skill)
    assert set(entries.values_list("space", flat=True)) == {space.name}
    assert {len(entry.vector) for entry in entries} == {MEANING_DIMENSIONS}


@needs_model
def test_a_process_that_never_saw_a_page_reads_the_question_alone(oree, monkeypatch, model):
    skill = oree.learn(order_scan())
    unseen = Counting()
    forget(monkeypatch, unseen)
    space = meaning.space_of(unseen)
    assert space is not None
    assert not space._kept
    plan_intents("où en est le colis de ma cliente", engine_page(skill))
    assert unseen.read == ["où en est le colis de ma cliente"]


@needs_model
def test_a_page_answers_the_same_with_its_kept_vectors_and_without(oree, monkeypatch):
    page = engine_page(oree.learn(order_scan()))
    assert page.vectors is not None
    question = "où en est le colis de ma cliente"
    kept = meaning.nearness(question, page)
    forget(monkeypatch, Counting())
    made = meaning.nearness(question, type(page)(page.name, page.summary, "/", page.locale, page.intents))
    assert kept is not None
    assert made is not None
    assert kept.label == pytest.approx(made.label, abs=2e-3)


@needs_model
def test_a_page_learnt_again_has_only_its_new_texts_read(oree, model):
    oree.learn(order_scan())
    scan = order_scan()
    scan["nodes"].insert(
        2, node(9, "input", "Zone de déchargement du camion", "#zone", context={"form": "Suivi de la commande"})
    )
    model.read.clear()
    oree.learn(scan)
    assert model.read == ["zone de déchargement du camion"]


@needs_model
def test_vectors_of_another_model_are_not_used(oree, monkeypatch, model):
    skill = oree.learn(order_scan())
    SkillVectors.objects.filter(page_skill=skill).update(model="another-model")
    unseen = Counting()
    forget(monkeypatch, unseen)
    plan_intents("où en est le colis de ma cliente", engine_page(skill))
    assert "numéro de suivi du transporteur" in unseen.read


def test_a_model_that_does_not_answer_leaves_a_page_that_words_find(oree, monkeypatch):
    forget(monkeypatch, Broken())
    skill = oree.learn(order_scan())
    assert not SkillVectors.objects.filter(page_skill=skill).exists()
    assert found(oree, "numéro de suivi") == ["/commandes/*"]


@needs_model
def test_a_page_indexed_without_a_model_is_indexed_again_when_one_reads(oree, monkeypatch):
    forget(monkeypatch, None)
    skill = oree.learn(order_scan())
    assert stale_indexes() == []
    forget(monkeypatch, current_embedder())
    assert stale_indexes() == [skill.pk]
    index_renew(skill_id=skill.pk)
    assert stale_indexes() == []
    entries = SkillIntent.objects.filter(page_skill=skill)
    assert all(entry.live and entry.vector is not None for entry in entries)


@needs_model
@needs_model
def test_what_a_process_kept_of_a_page_is_old_once_its_vectors_are_made(oree, monkeypatch):
    forget(monkeypatch, None)
    skill = oree.learn()
    assert engine_page(skill).vectors is None
    forget(monkeypatch, current_embedder())
    index_renew(skill_id=skill.pk)
    skill.refresh_from_db()
    assert engine_page(skill).vectors is not None


def test_the_clock_has_stale_pages_indexed_again(oree, monkeypatch, tasks_run_at_once):
    forget(monkeypatch, None)
    skill = oree.learn(order_scan())
    forget(monkeypatch, current_embedder())
    renew_stale_indexes()
    assert not SkillIntent.objects.filter(page_skill=skill, vector=None).exists()


@needs_model
def test_where_no_model_reads_any_more_what_one_made_stays(oree, monkeypatch):
    oree.learn()
    forget(monkeypatch, None)
    assert stale_indexes() == []


def test_the_index_goes_with_its_page(oree):
    skill = oree.learn(invoice_scan(), approve=False)
    skill.delete()
    assert not SkillIntent.objects.exists()
    assert not SkillVectors.objects.exists()
