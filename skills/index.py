"""The search index of page-skills: made of their actions, in the transaction that writes those, and looked into.

The vectors of a page's texts cost ten milliseconds each. They are made before the transaction opens
(``vectors_prepare``), and not again for a text that the page had before.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from engine.indexing import READ_WAIT_S, index_page, index_space, page_vectors
from engine.types import Page, TextVectors
from moderation.states import Status
from skills.models import PageSkill, SkillIntent, SkillVectors
from skills.pages import page_of

# Nobody waits for it.
_RENEWAL_WAIT_S = 120.0


def vectors_prepare(page: Page, *, wait_s: float = READ_WAIT_S) -> tuple[TextVectors, ...]:
    """Return the vectors of a page's texts, those of its last version included: what ``index_build`` needs.

    Call outside of any transaction: a model reads what is new, and one on a server may take ``wait_s`` seconds.
    """
    kept = SkillVectors.objects.filter(page_skill__route_pattern=page.route_pattern).order_by("-page_skill_id").first()
    before = () if kept is None else (_unpacked(kept),)
    fresh = page_vectors(page, before, wait_s=wait_s)
    return before if fresh is None else (fresh, *before)


def index_build(*, skill: PageSkill, vectors: tuple[TextVectors, ...]) -> None:
    """Make the index of a page-skill anew. Call inside the transaction that writes its actions."""
    index = index_page(page_of(skill), vectors)
    skill.indexed_at = timezone.now()
    PageSkill.objects.filter(pk=skill.pk).update(indexed_at=skill.indexed_at)
    SkillIntent.objects.filter(page_skill=skill).delete()
    SkillIntent.objects.bulk_create(
        SkillIntent(
            organization_id=skill.organization_id,
            page_skill=skill,
            order=order,
            intent_id=entry.intent.intent_id,
            user_goal=entry.intent.user_goal,
            selector=entry.intent.selector,
            fallback_selector=entry.intent.fallback_selector,
            action_type=entry.intent.action_type,
            terms=_stored_terms(entry.terms, skill.organization_id),
            space=index.space if entry.vector else "",
            vector=entry.vector,
            live=skill.status == Status.PUBLISHED,
        )
        for order, entry in enumerate(index.entries)
    )
    if index.vectors is not None:
        SkillVectors.objects.filter(page_skill=skill).delete()
        SkillVectors.objects.create(
            organization_id=skill.organization_id,
            page_skill=skill,
            model=index.vectors.model,
            keys=index.vectors.keys,
            rows=index.vectors.rows,
        )


def index_reflect_status(*, skill: PageSkill) -> None:
    """Let the search find a page-skill that is published, and no other. Call inside the transaction of a decision."""
    is_live = skill.status == Status.PUBLISHED
    SkillIntent.objects.filter(page_skill=skill, live=not is_live).update(live=is_live)


def stale_indexes(limit: int = 20) -> list[uuid.UUID]:
    """Return the ids of published page-skills in the current scope that are not indexed as they would be now.

    They were indexed without a model, with another one, or before it was trained anew. Where no model reads now,
    what one made stays.
    """
    current = SkillIntent.objects.filter(page_skill=OuterRef("pk"))
    if space := index_space():
        current = current.filter(space=space)
    stale = PageSkill.objects.filter(~Exists(current), status=Status.PUBLISHED)
    return list(stale.order_by("pk").values_list("pk", flat=True)[:limit])


def index_renew(*, skill_id: uuid.UUID) -> None:
    """Index a page-skill as it would be indexed now. When its model stops answering, what one made before stays."""
    found = PageSkill.objects.filter(pk=skill_id).first()
    if found is None:
        return
    vectors = vectors_prepare(page_of(found), wait_s=_RENEWAL_WAIT_S)
    if not index_space() and SkillIntent.objects.filter(page_skill=found).exists():
        return
    with transaction.atomic():
        # As it is now: it may have been edited or decided on while the model read.
        skill = PageSkill.objects.select_for_update(no_key=True).filter(pk=skill_id).first()
        if skill is not None:
            index_build(skill=skill, vectors=vectors)


@transaction.atomic
def vectors_forget(*, model: str) -> None:
    """Have everything that this model read be read again, by the clock: another one answers to its name now."""
    SkillIntent.objects.filter(page_skill__vectors__model=model).update(space="", vector=None)
    SkillVectors.objects.filter(model=model).delete()


def page_with_vectors(skill: PageSkill) -> Page:
    """Return a page-skill as the engine reads it, with the vectors that were kept of its texts."""
    kept = SkillVectors.objects.filter(page_skill=skill).first()
    return replace(page_of(skill), vectors=None if kept is None else _unpacked(kept))


def organization_tag(organization_id: uuid.UUID) -> str:
    """Return what stands before each of an organization's terms: the random end of its id."""
    return f"{organization_id.hex[-8:]}:"


def quoted(term: str) -> str:
    """Return a term as PostgreSQL reads it in a literal of type ``tsvector`` or ``tsquery``."""
    escaped = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _stored_terms(terms: Mapping[str, str], organization_id: uuid.UUID) -> str:
    tag = organization_tag(organization_id)
    return " ".join(f"{quoted(tag + term)}:{place}{weight}" for place, (term, weight) in enumerate(terms.items(), 1))


def _unpacked(kept: SkillVectors) -> TextVectors:
    return TextVectors(kept.model, bytes(kept.keys), bytes(kept.rows))
