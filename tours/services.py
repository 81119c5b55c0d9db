"""Writes on tours: editing under review, and what browsers report."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from moderation.services import review_record_edit
from organizations.errors import ServiceError
from organizations.models import EndUser, Organization, Role, User
from organizations.permissions import require_role
from skills.selectors import engine_page
from tours.models import Tour, TourEvent, TourVersion
from tours.steps import MAX_TITLE, Step, plain, same_but_fingerprints, steps_clean, steps_digest


@transaction.atomic
def tour_edit(
    *, tour: Tour, actor: User, seen_digest: str, title: str, steps: Sequence[dict[str, Any]]
) -> TourVersion | None:
    """Save an editor's steps as a new version under review; a published version stays live meanwhile.

    The steps get the selectors and fingerprints that the page-skill has now. Returns None, and changes nothing,
    when the content is the same but for fingerprints. Raises ``ServiceError``:
    ``invalid_tour`` (422), ``changed_since`` or ``already_decided`` (409), ``forbidden``/``not_found``.
    """
    require_role(actor, tour.organization, Role.AUTHOR)
    clean = steps_clean(steps, engine_page(tour.page_skill))
    heading = plain(title)
    if not 0 < len(heading) <= MAX_TITLE:
        raise ServiceError(
            "invalid_tour",
            _("This tour cannot be saved."),
            status=422,
            fields={"title": _("between 1 and %(max)d characters are expected") % {"max": MAX_TITLE}},
        )
    current = tour.current_version
    if current is not None and heading == current.title and same_but_fingerprints(clean, current.steps):
        # The page may have been learnt again meanwhile: what it knows better now is no edit of the tour.
        clean = current.steps
    digest = steps_digest(heading, clean)
    version = version_add(tour=tour, title=heading, steps=clean, author=actor)
    decision = review_record_edit(
        subject=tour,
        actor=actor,
        seen_digest=seen_digest,
        digest=digest,
        changes={"title": heading, "current_version": version},
    )
    if decision is None:
        version.delete()
        return None
    return version


def version_add(*, tour: Tour, title: str, steps: Sequence[Step], author: User | None) -> TourVersion:
    """Add an immutable version with the next number; it takes effect only through the review.

    Call inside a transaction. The tour is locked, so that two editors, or an editor and a worker that answers a
    second asker, cannot both take the next number; of two editors the loser then finds the digest changed.
    """
    Tour.objects.select_for_update(of=("self",), no_key=True).filter(pk=tour.pk).first()
    last = TourVersion.objects.filter(tour=tour).aggregate(last=Max("number"))["last"] or 0
    return TourVersion.objects.create(
        organization=tour.organization,
        tour=tour,
        number=last + 1,
        title=title,
        steps=list(steps),
        digest=steps_digest(title, steps),
        author=author,
    )


@dataclass(frozen=True, slots=True)
class ReportedEvent:
    """An event as a browser reports it."""

    id: uuid.UUID
    tour_id: uuid.UUID
    type: TourEvent.Type
    happened_at: datetime
    step: int | None = None
    detail: str = ""


def events_record(*, organization: Organization, end_user: EndUser, events: Sequence[ReportedEvent]) -> tuple[int, int]:
    """Keep events of this organization's tours; return how many are new and how many were known already.

    Idempotent by event id. Events on tours that do not exist here are left out without a word: a browser
    may report on a tour that was deleted meanwhile.
    """
    wanted = {event.tour_id for event in events}
    known_tours = set(Tour.objects.filter(pk__in=wanted).values_list("pk", flat=True))
    rows = [
        TourEvent(
            id=event.id,
            organization=organization,
            tour_id=event.tour_id,
            end_user=end_user,
            type=event.type,
            step=event.step,
            detail=event.detail,
            happened_at=event.happened_at,
        )
        for event in events
        if event.tour_id in known_tours
    ]
    with transaction.atomic():
        known = set(TourEvent.objects.filter(pk__in=[row.pk for row in rows]).values_list("pk", flat=True))
        fresh = {row.pk: row for row in rows if row.pk not in known}
        TourEvent.objects.bulk_create(fresh.values(), ignore_conflicts=True)
    return len(fresh), len(rows) - len(fresh)
