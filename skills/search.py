"""Which pages of an organization speak of what somebody asks, whatever page they ask it on."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.search import SearchQueryField, SearchVectorField
from django.db import connection, transaction
from django.db.models import F, FloatField, Func, Lookup, QuerySet, Value
from django.db.models.functions import Cast
from pgvector.django import CosineDistance

from engine.indexing import Sought, seek
from moderation.states import Status
from organizations.lexicon import house_words
from organizations.models import Organization
from skills.index import organization_tag, quoted
from skills.models import PageSkill, SkillIntent

if TYPE_CHECKING:
    _Lookup = Lookup[Any]
else:
    _Lookup = Lookup

# How many entries of each list are looked at, and how little a place in it counts: reciprocal ranks, as usual.
_LISTED = 40
_RANK_OFFSET = 60


@SearchVectorField.register_lookup
class HasTerms(_Lookup):
    """``terms__has="'a' | 'b'"``: the terms are compared as they are, no parser reads them again."""

    lookup_name = "has"
    prepare_rhs = False

    def get_db_prep_lookup(self, value: Any, connection: Any) -> Any:  # noqa: ARG002
        return "%s", [value]

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        left, left_values = self.process_lhs(compiler, connection)
        right, right_values = self.process_rhs(compiler, connection)
        return f"{left} @@ {right}::tsquery", [*left_values, *right_values]


def intents_elsewhere(
    *, organization: Organization, question: str, besides: Collection[PageSkill], limit: int = 3
) -> list[PageSkill]:
    """Return the published page-skills of an organization that may answer a question, the likeliest first.

    Two lists of indexed actions, by terms and by meaning, are fused by the places in them; a page is as likely as its
    best action. Those ``besides`` are left out, and so are other versions of their pages.
    """
    # Before the transaction: a server may be asked what the question means.
    sought = seek(question, house_words(organization))
    return _found(organization, sought, besides, limit)


@transaction.atomic
def _found(organization: Organization, sought: Sought, besides: Collection[PageSkill], limit: int) -> list[PageSkill]:
    rows = SkillIntent.objects.filter(organization=organization, live=True).exclude(
        page_skill__route_pattern__in={skill.route_pattern for skill in besides}
    )
    lists: list[Iterable[tuple[uuid.UUID, uuid.UUID]]] = []
    if sought.terms:
        tag = organization_tag(organization.pk)
        lists.append(_by_terms(rows, " | ".join(quoted(tag + term) for term in sought.terms)))
    if sought.vector is not None:
        lists.append(_by_meaning(rows.filter(space=sought.space), sought.vector))
    scores: dict[uuid.UUID, float] = defaultdict(float)
    page_of_entry: dict[uuid.UUID, uuid.UUID] = {}
    for listed in lists:
        for place, (entry, page) in enumerate(listed, start=1):
            scores[entry] += 1 / (_RANK_OFFSET + place)
            page_of_entry[entry] = page
    best = dict.fromkeys(page_of_entry[entry] for entry in sorted(scores, key=lambda one: -scores[one]))
    wanted = list(best)[:limit]
    skills = PageSkill.objects.filter(status=Status.PUBLISHED).select_related("organization").in_bulk(wanted)
    return [skills[pk] for pk in wanted if pk in skills]


def _by_terms(rows: QuerySet[SkillIntent], query: str) -> QuerySet[SkillIntent, tuple[uuid.UUID, uuid.UUID]]:
    asked = Cast(Value(query), SearchQueryField())
    fit = Func(F("terms"), asked, function="ts_rank", output_field=FloatField())
    return rows.filter(terms__has=query).order_by(fit.desc(), "pk").values_list("pk", "page_skill_id")[:_LISTED]


def _by_meaning(rows: QuerySet[SkillIntent], vector: list[float]) -> QuerySet[SkillIntent, tuple[uuid.UUID, uuid.UUID]]:
    with connection.cursor() as cursor:
        # The neighbours of a question are everybody's: the index goes on until enough are this organization's.
        cursor.execute("SET LOCAL hnsw.iterative_scan = relaxed_order")
    return rows.order_by(CosineDistance("vector", vector)).values_list("pk", "page_skill_id")[:_LISTED]
