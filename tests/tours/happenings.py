"""What browsers report while tours run, made by hand."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from moderation.services import review_decide
from moderation.states import Verb
from organizations.models import EndUser
from tests.fixtures import QUESTION, Tenant
from tests.tours.conftest import Asker
from tours.models import Tour, TourEvent

Type = TourEvent.Type


def published_tour(tenant: Tenant, text: str = QUESTION) -> Tour:
    """Have a question answered, and its tour approved."""
    tour = Asker(tenant)(text=text).tour
    assert tour is not None
    approve(tenant, tour)
    return Tour.objects.select_related("organization", "published_version", "current_version").get(pk=tour.pk)


def approve(tenant: Tenant, tour: Tour) -> None:
    """Approve what is under review of a tour."""
    tour.refresh_from_db()
    review_decide(
        model=Tour,
        subject_id=tour.pk,
        organization=tenant.organization,
        actor=tenant.reviewer,
        verb=Verb.APPROVE,
        seen_digest=tour.digest,
    )
    tour.refresh_from_db()


def happened(
    tour: Tour,
    who: EndUser,
    *kinds: str,
    step: int | None = 0,
    at: datetime | None = None,
    received: datetime | None = None,
    detail: str = "",
) -> None:
    """Record that these things happened to somebody, in this order, a moment ago unless told otherwise."""
    when = at or timezone.now()
    for number, kind in enumerate(kinds):
        on_a_step = kind not in (Type.STARTED, Type.RATED)
        event = TourEvent.objects.create(
            organization=tour.organization,
            tour=tour,
            end_user=who,
            type=kind,
            step=step if on_a_step else None,
            detail=detail,
            happened_at=when + timedelta(milliseconds=number),
        )
        TourEvent.objects.filter(pk=event.pk).update(received_at=received or when + timedelta(seconds=1))


def followed(tour: Tour, who: EndUser, steps: int, *, completed: bool = True) -> None:
    """Somebody begins a tour, sees so many of its steps, and comes to its end or closes it there."""
    happened(tour, who, Type.STARTED)
    for step in range(steps):
        happened(tour, who, Type.STEP_SHOWN, step=step)
    happened(tour, who, Type.COMPLETED if completed else Type.CANCELLED, step=steps - 1)


def missed(tour: Tour, people: list[EndUser], *, step: int = 0) -> None:
    """Each of these people comes to a step and is shown no element."""
    for who in people:
        happened(tour, who, Type.STARTED, Type.TARGET_MISSING, Type.STEP_SHOWN, step=step)


def saw(tour: Tour, people: list[EndUser], *, step: int = 0) -> None:
    """Each of these people comes to a step and finds its element."""
    for who in people:
        happened(tour, who, Type.STARTED, Type.STEP_SHOWN, step=step)
