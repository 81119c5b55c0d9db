"""Figures of an organization's questions and tours over a period: a constant number of queries, whatever there is."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db.models import Aggregate, Count, F, FloatField, Max, Min, Q, QuerySet
from django.db.models.functions import TruncDay, TruncWeek
from django.utils.translation import gettext_lazy as _

from moderation.states import Status
from tours.insight.health import TourHealth, events_since, health_of
from tours.insight.periods import Period
from tours.models import LIVE_STATUSES, Question, Tour, TourEvent

Outcome = Question.Outcome
UNANSWERED = (Outcome.NOTHING, Outcome.UNKNOWN_PAGE, Outcome.FAILED)
# What charts tell apart, from the best answer to none at all.
KINDS: dict[str, tuple[Any, tuple[Question.Outcome, ...]]] = {
    "published": (_("Published tour"), (Outcome.PUBLISHED,)),
    "history": (_("Tour given before"), (Outcome.HISTORY,)),
    "generated": (_("New tour"), (Outcome.GENERATED,)),
    "nothing": (_("Nothing fits"), (Outcome.NOTHING, Outcome.UNKNOWN_PAGE)),
    "failed": (_("Failed"), (Outcome.FAILED,)),
}
_KIND_OF = {outcome.value: kind for kind, (_label, outcomes) in KINDS.items() for outcome in outcomes}
TOP = 6
# Among these, the most started and those with the most trouble, the worst are looked for.
LOOKED_AT = 60


class Percentile(Aggregate):
    """The value under which a share (``at``) of the rows lies."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(%(at)s) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()

    def __init__(self, expression: str, *, at: float, **extra: Any) -> None:
        super().__init__(expression, at=float(at), **extra)


@dataclass(frozen=True, slots=True)
class Totals:
    """A period's questions. Times are in milliseconds, None when nothing was answered yet."""

    asked: int
    before: int
    settled: int
    answered: int
    settled_before: int
    answered_before: int
    askers: int
    median_ms: float | None
    slow_ms: float | None

    @property
    def share(self) -> int | None:
        return round(100 * self.answered / self.settled) if self.settled else None

    @property
    def share_before(self) -> int | None:
        return round(100 * self.answered_before / self.settled_before) if self.settled_before else None


@dataclass(frozen=True, slots=True)
class Bucket:
    """One day, or one week from its Monday on: questions by kind (``KINDS``), and how long answers took."""

    day: date
    counts: dict[str, int] = field(default_factory=dict)
    median_ms: float | None = None
    slow_ms: float | None = None

    @property
    def asked(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class AskedOften:
    """Words that several people asked, and how many of their questions were answered."""

    text: str
    askers: int
    asked: int
    answered: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Tours that nobody has reviewed yet, and since when the oldest waits."""

    count: int
    oldest: datetime | None
    stale: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """A tour and how it does."""

    tour: Tour
    health: TourHealth


def questions_in(organizations: Sequence[uuid.UUID], since: datetime) -> QuerySet[Question]:
    """Return the questions that some organizations of the current scope were asked since a moment."""
    return Question.objects.filter(organization__in=organizations, asked_at__gte=since).order_by()


def totals(organizations: Sequence[uuid.UUID], period: Period) -> Totals:
    """Return a period's figures beside those of the period of the same length before it."""
    now, then = Q(asked_at__gte=period.since), Q(asked_at__lt=period.since)
    settled, answered = ~Q(outcome=Outcome.WAITING), ~Q(outcome__in=[Outcome.WAITING, *UNANSWERED])
    found = questions_in(organizations, period.before).aggregate(
        asked=Count("pk", filter=now),
        before=Count("pk", filter=then),
        settled=Count("pk", filter=now & settled),
        answered=Count("pk", filter=now & answered),
        settled_before=Count("pk", filter=then & settled),
        answered_before=Count("pk", filter=then & answered),
        askers=Count("end_user", filter=now, distinct=True),
        median_ms=Percentile("latency_ms", at=0.5, filter=now & answered),
        slow_ms=Percentile("latency_ms", at=0.95, filter=now & answered),
    )
    return Totals(**found)


def buckets(organizations: Sequence[uuid.UUID], period: Period) -> list[Bucket]:
    """Return every day or week of a period, also those in which nothing was asked; what still waits is left out."""
    truncated = TruncWeek("asked_at") if period.by_week else TruncDay("asked_at")
    settled = questions_in(organizations, period.since).exclude(outcome=Outcome.WAITING).annotate(at=truncated)
    counts: dict[date, dict[str, int]] = {}
    for row in settled.values("at", "outcome").annotate(n=Count("pk")):
        kinds = counts.setdefault(row["at"].date(), dict.fromkeys(KINDS, 0))
        kinds[_KIND_OF[row["outcome"]]] += row["n"]
    answered = settled.exclude(outcome__in=UNANSWERED).values("at")
    times = {
        row["at"].date(): row
        for row in answered.annotate(
            median_ms=Percentile("latency_ms", at=0.5), slow_ms=Percentile("latency_ms", at=0.95)
        )
    }
    nothing: dict[str, None] = {"median_ms": None, "slow_ms": None}
    return [
        Bucket(
            day,
            counts.get(day, dict.fromkeys(KINDS, 0)),
            times.get(day, nothing)["median_ms"],
            times.get(day, nothing)["slow_ms"],
        )
        for day in period.buckets
    ]


def asked_often(organizations: Sequence[uuid.UUID], period: Period) -> list[AskedOften]:
    """Return the words that most people asked, with or without an answer."""
    answered = ~Q(outcome__in=[Outcome.WAITING, *UNANSWERED])
    rows = (
        questions_in(organizations, period.since)
        .exclude(normalized="")
        .values("normalized")
        .annotate(
            said=Max("text"),
            askers=Count("end_user", distinct=True),
            asked=Count("pk"),
            answered=Count("pk", filter=answered),
        )
        .order_by("-askers", "-asked", "normalized")
    )
    return [AskedOften(row["said"], row["askers"], row["asked"], row["answered"]) for row in rows[:TOP]]


def waiting(organizations: Sequence[uuid.UUID]) -> Waiting:
    """Return what the reviewers have before them."""
    pending = Q(status=Status.PENDING_REVIEW)
    found = Tour.objects.filter(organization__in=organizations).aggregate(
        count=Count("pk", filter=pending),
        oldest=Min("submitted_at", filter=pending),
        stale=Count("pk", filter=Q(status=Status.STALE)),
    )
    return Waiting(**found)


def ranked_tours(organizations: Sequence[uuid.UUID], period: Period) -> tuple[list[Ranked], list[Ranked]]:
    """Return the tours that most people ran, and the live ones that do worst, the worst first.

    All tours are counted in one pass; only those that may be among the first are looked at more closely.
    """
    kind = TourEvent.Type
    counted = (
        events_since(period.since)
        .filter(organization__in=organizations)
        .values("tour_id")
        .annotate(
            started=Count("pk", filter=Q(type=kind.STARTED)),
            trouble=Count("pk", filter=Q(type__in=[kind.TARGET_MISSING, kind.FALLBACK_USED, kind.HEALED]))
            + Count("pk", filter=Q(type=kind.RATED, detail="down")),
            left=Count("pk", filter=Q(type=kind.CANCELLED)),
        )
    )
    most = counted.filter(started__gt=0).order_by("-started", "tour_id")[:TOP]
    worst = counted.order_by(F("trouble").desc(), F("left").desc(), "tour_id")[:LOOKED_AT]
    first = [row["tour_id"] for row in most]
    tours = {
        tour.pk: tour
        for tour in Tour.objects.filter(pk__in={*first, *(row["tour_id"] for row in worst)}).select_related(
            "organization", "page_skill", "published_version", "current_version"
        )
    }
    health = health_of(tours.values(), period.since)
    ill = [
        Ranked(tour, health[pk])
        for pk, tour in tours.items()
        if tour.published_version_id and tour.status in LIVE_STATUSES and health[pk].verdict in ("bad", "warn")
    ]
    ill.sort(key=lambda one: (one.health.verdict != "bad", -one.health.missed, -one.health.began, str(one.tour.pk)))
    return [Ranked(tours[pk], health[pk]) for pk in first], ill[:TOP]
