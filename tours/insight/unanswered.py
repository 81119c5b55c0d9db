"""Questions without an answer, page by page, those that ask the same thing together."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Max, Q, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf

from organizations.models import Organization, SdkKey
from organizations.script_tag import origin_for_pages
from tours.insight.likeness import group_alike
from tours.insight.selectors import UNANSWERED, questions_in

# The wordings of a page that are grouped; the least asked beyond them are counted, and not shown.
WORDINGS = 400
# What stands in a route for something masked or for anything at all: no address that can be opened.
_NOT_AN_ADDRESS = Q(route__contains="[") | Q(route__contains="*")


@dataclass(frozen=True, slots=True)
class UnansweredPage:
    """A page on which questions found no answer. ``pattern`` is its address as it was learnt, or as it was asked on.

    ``url`` is where it can be opened to be learnt, empty when none of its addresses is one.
    """

    organization: Organization
    pattern: str
    name: str
    is_learnt: bool
    asked: int
    askers: int
    last: datetime
    url: str


@dataclass(frozen=True, slots=True)
class UnansweredGroup:
    """Questions that ask the same thing: the words of most people, then the others. ``askers`` are distinct."""

    text: str
    others: list[str]
    asked: int
    askers: int
    last: datetime


def unanswered_pages(
    organizations: Sequence[Organization], since: datetime, *, pattern: str = "", limit: int | None = None
) -> list[UnansweredPage]:
    """Return the pages of some organizations that left questions without an answer, those of most people first."""
    rows = _unanswered(organizations, since)
    if pattern:
        rows = rows.filter(pattern=pattern)
    pages: QuerySet[Any, Any] = (
        rows.values("organization", "pattern")
        .annotate(
            asked=Count("pk"),
            askers=Count("end_user", distinct=True),
            last=Max("asked_at"),
            name=Max("page_skill__name"),
            title=Max("page_title"),
            route=Max("route", filter=~_NOT_AN_ADDRESS),
        )
        .order_by("-askers", "-asked", "pattern")
    )
    origins = _origins(organizations)
    by_id = {organization.pk: organization for organization in organizations}
    return [
        UnansweredPage(
            organization=by_id[row["organization"]],
            pattern=row["pattern"],
            name=row["name"] or row["title"] or row["pattern"],
            is_learnt=row["name"] is not None,
            asked=row["asked"],
            askers=row["askers"],
            last=row["last"],
            url=_address(origins.get(row["organization"], ""), row["route"]),
        )
        for row in pages[:limit]
    ]


def unanswered_groups(organization: Organization, pattern: str, since: datetime) -> list[UnansweredGroup]:
    """Return what was asked on one page without an answer, the question of most people first.

    The database puts the same words together, and tells who asked them; what means the same is joined here.
    """
    wordings: QuerySet[Any, Any] = (
        _unanswered([organization], since)
        .filter(pattern=pattern)
        .values("normalized")
        .annotate(said=Max("text"), asked=Count("pk"), people=ArrayAgg("end_user", distinct=True), last=Max("asked_at"))
        .annotate(n=Count("end_user", distinct=True))
        .order_by("-n", "-asked", "normalized")
    )
    rows = list(wordings[:WORDINGS])
    groups = [_group([rows[place] for place in places]) for places in group_alike([row["said"] for row in rows])]
    return sorted(groups, key=lambda group: (-group.askers, -group.asked, group.text))


def _group(rows: Sequence[dict[str, Any]]) -> UnansweredGroup:
    people: set[uuid.UUID] = set().union(*(row["people"] for row in rows))
    return UnansweredGroup(
        text=rows[0]["said"],
        others=[row["said"] for row in rows[1:]],
        asked=sum(row["asked"] for row in rows),
        askers=len(people),
        last=max(row["last"] for row in rows),
    )


def _unanswered(organizations: Sequence[Organization], since: datetime) -> QuerySet[Any]:
    """Return the questions without an answer, each with the address of its page: one for all its versions."""
    asked = questions_in([organization.pk for organization in organizations], since)
    return asked.filter(outcome__in=UNANSWERED).annotate(
        pattern=Coalesce(NullIf("page_skill__route_pattern", Value("")), "route")
    )


def _origins(organizations: Sequence[Organization]) -> dict[uuid.UUID, str]:
    keys = SdkKey.objects.filter(
        organization__in=organizations, kind=SdkKey.Kind.PUBLISHABLE, revoked_at=None
    ).order_by("created_at")
    by_organization: dict[uuid.UUID, list[SdkKey]] = {}
    for key in keys:
        by_organization.setdefault(key.organization_id, []).append(key)
    return {pk: origin_for_pages(own) for pk, own in by_organization.items()}


def _address(origin: str, route: str | None) -> str:
    return origin + route if origin and route else ""
