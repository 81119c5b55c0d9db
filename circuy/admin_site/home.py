"""The first page: what waits, what happened this week, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Q
from django.http import HttpRequest
from django.utils import timezone

from moderation.selectors import inbox
from moderation.states import Status
from organizations.admin_base import may
from organizations.models import Role, SdkKey
from organizations.script_tag import origin_for_pages, script_tag
from skills.models import PageSkill
from tours.models import Question
from tours.selectors import live_tours

WEEK = timedelta(days=7)
WAITING_SHOWN = 5
UNANSWERED_SHOWN = 6
UNANSWERED = (Question.Outcome.NOTHING, Question.Outcome.UNKNOWN_PAGE, Question.Outcome.FAILED)


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that nothing answered, and where its page can be learnt."""

    question: Question
    learn_url: str


def home_context(request: HttpRequest) -> dict[str, Any]:
    """Return what the first page shows, in the member's scope."""
    keys = list(
        SdkKey.objects.select_related("organization")
        .filter(kind=SdkKey.Kind.PUBLISHABLE, revoked_at=None)
        .order_by("created_at")
    )
    return {
        "waiting": inbox(limit=WAITING_SHOWN),
        "figures": _figures(),
        "keys": [(key, script_tag(key)) for key in keys],
        "unanswered": _unanswered(keys),
        "pages_live": PageSkill.objects.filter(status=Status.PUBLISHED).count(),
        "has_questions": Question.objects.exists(),
        "may_learn": may(request, Role.AUTHOR),
        "may_set": may(request, Role.ADMIN),
    }


def _figures() -> dict[str, Any]:
    now = timezone.now()
    this_week, last_week = Q(asked_at__gte=now - WEEK), Q(asked_at__lt=now - WEEK)
    settled = ~Q(outcome=Question.Outcome.WAITING)
    counts = Question.objects.filter(asked_at__gte=now - 2 * WEEK).aggregate(
        asked=Count("pk", filter=this_week),
        before=Count("pk", filter=last_week),
        settled=Count("pk", filter=this_week & settled),
        answered=Count("pk", filter=this_week & settled & ~Q(outcome__in=UNANSWERED)),
        askers=Count("end_user", filter=this_week, distinct=True),
    )
    share = round(100 * counts["answered"] / counts["settled"]) if counts["settled"] else None
    return {**counts, "answered_share": share, "published": live_tours().count()}


def _unanswered(keys: list[SdkKey]) -> list[Unanswered]:
    rows = Question.objects.filter(outcome__in=UNANSWERED).select_related("page_skill")[:UNANSWERED_SHOWN]
    origins: dict[Any, str] = {}
    for key in keys:
        origins.setdefault(key.organization_id, origin_for_pages([key]))
    return [Unanswered(row, f"{origins.get(row.organization_id, '')}{row.route}") for row in rows]
