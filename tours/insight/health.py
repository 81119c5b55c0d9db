"""How tours do with the people who run them: how far they get, what they do not find, what they say of it.

People are counted, not events: somebody who starts over, whose page draws itself again, or whose browser reports
late or twice, counts once, with the furthest that they got. So no order of arrival changes a figure.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.postgres.aggregates import BoolOr
from django.db.models import BooleanField, Count, ExpressionWrapper, F, Max, Q, QuerySet
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tours.insight.folding import fold
from tours.models import Tour, TourEvent

Type = TourEvent.Type
ON_A_STEP = (Type.STEP_SHOWN, Type.TARGET_MISSING, Type.FALLBACK_USED, Type.HEALED)

# Fewer people than this say nothing: one odd browser, or one person who tries something out, must not condemn a tour.
ENOUGH_PEOPLE = 5
# More than this share of those who came to a step and were shown no element there: the step is broken for real users,
# not for those alone who lack a right or have an empty list.
BROKEN_SHARE = 0.30
# From this share on it is worth a look; below it are pages that were left while they loaded.
WORRYING_SHARE = 0.10
# Found by the second selector or by likeness only: it works, and will not for long.
FRAGILE_SHARE = 0.30
# Fewer than this share come to the end.
LEFT_SHARE = 0.40

LABELS = {
    "good": gettext_lazy("Doing well"),
    "warn": gettext_lazy("To watch"),
    "bad": gettext_lazy("In bad health"),
    "quiet": gettext_lazy("Too early to tell"),
}


@dataclass(frozen=True, slots=True)
class StepHealth:
    """One step of the live version. All figures are people.

    ``reached`` got at least this far; ``left`` got no further, and did not complete. ``seen`` is how many browsers
    told something of this step, ``missed`` of them never had its element, ``fallback`` and ``healed`` had it in
    another way than by its first selector.
    """

    number: int
    title: str
    reached: int = 0
    left: int = 0
    seen: int = 0
    missed: int = 0
    fallback: int = 0
    healed: int = 0

    @property
    def missed_share(self) -> float:
        return self.missed / self.seen if self.seen else 0.0

    @property
    def fragile_share(self) -> float:
        return (self.fallback + self.healed) / self.seen if self.seen else 0.0

    @property
    def is_broken(self) -> bool:
        """Whether its element misses for so many real users that nobody should be shown it."""
        return self.missed >= ENOUGH_PEOPLE and self.missed_share > BROKEN_SHARE

    def said(self) -> str:
        """Return in words for how many people its element misses."""
        return ngettext(
            "Step %(number)d “%(title)s”: not found for %(missed)d person of %(seen)d",
            "Step %(number)d “%(title)s”: not found for %(missed)d people of %(seen)d",
            self.missed,
        ) % {"number": self.number, "title": self.title, "missed": self.missed, "seen": self.seen}


@dataclass(frozen=True, slots=True)
class TourHealth:
    """A tour in a period. ``started``, ``cancelled``, ``up`` and ``down`` count events; all others count people.

    ``began`` and ``completed`` are those who began the live version and came to its end, which the steps are about.
    """

    tour_id: uuid.UUID
    started: int = 0
    cancelled: int = 0
    people: int = 0
    began: int = 0
    completed: int = 0
    up: int = 0
    down: int = 0
    steps: list[StepHealth] = field(default_factory=list)

    @property
    def completed_percent(self) -> int | None:
        return round(100 * self.completed / self.began) if self.began else None

    @property
    def missed(self) -> int:
        return sum(step.missed for step in self.steps)

    @property
    def missed_percent(self) -> int | None:
        return _percent(self.missed, self.steps)

    @property
    def fallback_percent(self) -> int | None:
        return _percent(sum(step.fallback for step in self.steps), self.steps)

    @property
    def healed_percent(self) -> int | None:
        return _percent(sum(step.healed for step in self.steps), self.steps)

    @property
    def worst(self) -> StepHealth | None:
        """Return the step whose element misses for the largest share of people, if it does for any."""
        missing = [step for step in self.steps if step.missed]
        return max(missing, key=lambda step: (step.missed_share, step.missed), default=None)

    @property
    def verdict(self) -> str:
        """Return ``bad``, ``warn``, ``good``, or ``quiet`` while too few people ran it to say."""
        if self.complaint:
            return "bad" if any(step.is_broken for step in self.steps) or self._is_disliked else "warn"
        return "good" if self.began >= ENOUGH_PEOPLE else "quiet"

    @property
    def label(self) -> Any:
        return LABELS[self.verdict]

    @property
    def complaint(self) -> str:
        """Return in words what is worst about it, or nothing."""
        worst = self.worst
        if worst is not None and worst.seen >= ENOUGH_PEOPLE and worst.missed_share > WORRYING_SHARE:
            return worst.said()
        if self._is_disliked:
            return _("%(down)d thumbs down, %(up)d up") % {"down": self.down, "up": self.up}
        if self.began < ENOUGH_PEOPLE:
            return ""
        if self.completed / self.began < LEFT_SHARE:
            return _("%(completed)d people of %(began)d came to the end") % {
                "completed": self.completed,
                "began": self.began,
            }
        fragile = max(self.steps, key=lambda step: step.fragile_share, default=None)
        if fragile is not None and fragile.seen >= ENOUGH_PEOPLE and fragile.fragile_share > FRAGILE_SHARE:
            return _(
                "Step %(number)d “%(title)s”: its first selector no longer finds it for %(n)d people of %(seen)d"
            ) % {
                "number": fragile.number,
                "title": fragile.title,
                "n": fragile.fallback + fragile.healed,
                "seen": fragile.seen,
            }
        return ""

    @property
    def _is_disliked(self) -> bool:
        return self.down >= ENOUGH_PEOPLE and self.down > self.up


def health_of(tours: Iterable[Tour], since: datetime) -> dict[uuid.UUID, TourHealth]:
    """Return how each of these tours did since a moment, by its id, in two queries however many they are.

    What happened on the way through is about the version that is live: it counts from its approval on. Load the
    tours with their ``published_version`` and ``current_version``.
    """
    by_id = {tour.pk: tour for tour in tours}
    if not by_id:
        return {}
    happened = events_since(since).filter(tour__in=list(by_id))
    reached, on_steps = _journeys(happened, since), steps_of(happened, since)
    return {pk: _health(tour, reached.get(pk, []), on_steps.get(pk, {})) for pk, tour in by_id.items()}


def events_since(since: datetime) -> QuerySet[TourEvent]:
    """Return the current scope's events of a period.

    An event that comes late belongs to when it happened; none can happen after it was received, which is what the
    index knows, and what a browser's wrong clock cannot change.
    """
    return TourEvent.objects.filter(received_at__gte=since, happened_at__gte=since).order_by()


def steps_of(events: QuerySet[TourEvent], since: datetime) -> dict[uuid.UUID, dict[int, dict[str, int]]]:
    """Return by tour and step index how many people came to a step, and how its element was found for them.

    Somebody for whom it was found in any way, even later, did not miss it.
    """
    people: QuerySet[Any, Any] = (
        events.filter(_of_the_live_version(since), type__in=ON_A_STEP, step__isnull=False)
        .values("tour_id", "step", "end_user_id")
        .annotate(
            gone=BoolOr(_is(Type.TARGET_MISSING)),
            second=BoolOr(_is(Type.FALLBACK_USED)),
            likeness=BoolOr(_is(Type.HEALED)),
        )
    )
    rows = fold(
        people,
        ("tour_id", "step"),
        seen="count(*)",
        missed="count(*) FILTER (WHERE gone AND NOT second AND NOT likeness)",
        fallback="count(*) FILTER (WHERE second)",
        healed="count(*) FILTER (WHERE likeness)",
    )
    found: dict[uuid.UUID, dict[int, dict[str, int]]] = {}
    for row in rows:
        found.setdefault(row.pop("tour_id"), {})[row.pop("step")] = row
    return found


def _journeys(events: QuerySet[TourEvent], since: datetime) -> dict[uuid.UUID, list[dict[str, Any]]]:
    """Return by tour how many people got how far in its live version, and what they did meanwhile."""
    live = _of_the_live_version(since)
    people: QuerySet[Any, Any] = events.values("tour_id", "end_user_id").annotate(
        starts=Count("pk", filter=Q(type=Type.STARTED)),
        began=BoolOr(ExpressionWrapper(live & ~Q(type=Type.RATED), output_field=BooleanField())),
        done=BoolOr(ExpressionWrapper(live & Q(type=Type.COMPLETED), output_field=BooleanField())),
        furthest=Max("step", filter=live),
        cancels=Count("pk", filter=Q(type=Type.CANCELLED)),
        ups=Count("pk", filter=Q(type=Type.RATED, detail="up")),
        downs=Count("pk", filter=Q(type=Type.RATED, detail="down")),
        ran=BoolOr(ExpressionWrapper(~Q(type=Type.RATED), output_field=BooleanField())),
    )
    rows = fold(
        people,
        ("tour_id", "furthest", "done"),
        people="count(*) FILTER (WHERE ran)",
        began="count(*) FILTER (WHERE began)",
        started="sum(starts)",
        cancelled="sum(cancels)",
        up="sum(ups)",
        down="sum(downs)",
    )
    found: dict[uuid.UUID, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row.pop("tour_id"), []).append(row)
    return found


def _health(tour: Tour, rows: Sequence[dict[str, Any]], on_steps: dict[int, dict[str, int]]) -> TourHealth:
    version = tour.published_version or tour.current_version
    steps = [
        StepHealth(
            number=index + 1,
            title=step["title"],
            reached=sum(row["began"] for row in rows if row["done"] or _got_to(row, index)),
            left=sum(row["began"] for row in rows if not row["done"] and row["furthest"] == index),
            **on_steps.get(index, {}),
        )
        for index, step in enumerate(version.steps if version else [])
    ]
    total = {
        name: int(sum(row[name] for row in rows)) for name in ("people", "began", "started", "cancelled", "up", "down")
    }
    return TourHealth(tour.pk, completed=sum(row["began"] for row in rows if row["done"]), steps=steps, **total)


def _got_to(row: dict[str, Any], index: int) -> bool:
    return row["furthest"] is not None and row["furthest"] >= index


def _of_the_live_version(since: datetime) -> Q:
    return Q(happened_at__gte=Greatest(since, F("tour__published_at")))


def _is(kind: TourEvent.Type) -> Any:
    return ExpressionWrapper(Q(type=kind), output_field=BooleanField())


def _percent(part: int, steps: Sequence[StepHealth]) -> int | None:
    seen = sum(step.seen for step in steps)
    return round(100 * part / seen) if seen else None
