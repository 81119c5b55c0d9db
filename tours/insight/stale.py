"""Live tours whose element misses for real users: out of use at once, with a repair where the page offers one."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.types import ActionType, ElementContext, Intent, Page
from moderation.services import review_expire
from organizations.errors import ServiceError
from organizations.models import Organization
from skills.matching import same_actions
from skills.selectors import engine_page
from tours.insight.health import StepHealth, events_since, health_of
from tours.models import LIVE_STATUSES, Tour, TourEvent
from tours.services import tour_repair
from tours.steps import Step, Target, target_of

# Long enough for five people to come by a tour that few ask for, short enough for a page's release to show.
LOOK_BACK = timedelta(days=7)
_RELATED = ("organization", "page_skill__organization", "published_version", "current_version")


@dataclass(frozen=True, slots=True)
class _Repair:
    """The same action under another selector: which step of the version under review, and where it is now."""

    index: int
    target: Target


def organizations_with_misses(now: datetime | None = None) -> list[Organization]:
    """Return the current scope's organizations in which anything was not found lately."""
    since = (now or timezone.now()) - LOOK_BACK
    missing = events_since(since).filter(organization=OuterRef("pk"), type=TourEvent.Type.TARGET_MISSING)
    return list(Organization.objects.filter(Exists(missing)).order_by("pk"))


def failing_tours(now: datetime | None = None) -> list[Tour]:
    """Return the current scope's live tours that were not found by too many people (``StepHealth.is_broken``).

    Only what was reported since the version that is live was approved counts.
    """
    since = (now or timezone.now()) - LOOK_BACK
    missing = events_since(since).filter(type=TourEvent.Type.TARGET_MISSING).values("tour_id")
    live = Tour.objects.filter(status__in=LIVE_STATUSES, published_version__isnull=False, pk__in=missing)
    tours = list(live.select_related(*_RELATED).order_by("pk"))
    health = health_of(tours, since)
    return [tour for tour in tours if any(step.is_broken for step in health[tour.pk].steps)]


@transaction.atomic
def tour_expire_failing(*, tour_id: uuid.UUID, now: datetime | None = None) -> bool:
    """Take a tour out of use whose element misses for too many people, and propose its repair; tell whether it did.

    Where the page has the same action under another selector, a new version that points there goes under review;
    else the reason in the journal, and in the inbox, asks to learn the page again. Of several callers at once one
    does it: the tour is locked, and looked at again. It is left alone when it is no longer live, and when a version
    under review already points the failing steps elsewhere: its reviewer has the repair before them.
    """
    locked = Tour.objects.select_for_update(of=("self",), no_key=True)
    tour = locked.select_related(*_RELATED).filter(pk=tour_id).first()
    if tour is None or tour.status not in LIVE_STATUSES or tour.published_version is None:
        return False
    health = health_of([tour], (now or timezone.now()) - LOOK_BACK)[tour.pk]
    broken = [step for step in health.steps if step.is_broken]
    if not broken or _is_repaired(tour, broken):
        return False
    repairs = _repairs(tour, broken)
    try:
        decision = review_expire(subject=tour, reason=_reason(broken, has_repair=bool(repairs)))
    except ServiceError:
        # Somebody decided in this very moment.
        return False
    if decision is None:
        return False
    if repairs and tour.current_version is not None:
        steps = list(tour.current_version.steps)
        for repair in repairs:
            steps[repair.index] = {**steps[repair.index], **repair.target}
        tour_repair(tour=tour, steps=steps, reason=_said_of(repairs, tour))
    return True


def _reason(broken: Iterable[StepHealth], *, has_repair: bool) -> str:
    said = [_("%(what)s in %(days)d days.") % {"what": step.said(), "days": LOOK_BACK.days} for step in broken]
    advice = (
        _("The page has the same action in another place: the new version points there.")
        if has_repair
        else _("The page as it was learnt has no other place for it: learn the page again.")
    )
    return " ".join([*said, advice])


def _said_of(repairs: Iterable[_Repair], tour: Tour) -> str:
    steps = tour.current_version.steps if tour.current_version else []
    return " ".join(
        _("Proposed by Circuy: step %(number)d “%(title)s” points at %(selector)s.")
        % {
            "number": repair.index + 1,
            "title": steps[repair.index]["title"],
            "selector": repair.target["selector"],
        }
        for repair in repairs
    )


def _is_repaired(tour: Tour, broken: Iterable[StepHealth]) -> bool:
    """Whether a version under review no longer points where the live one fails."""
    live, now = tour.published_version, tour.current_version
    if live is None or now is None or live.pk == now.pk:
        return False
    pointed_at = {step["selector"] for step in now.steps}
    return not any(live.steps[step.number - 1]["selector"] in pointed_at for step in broken)


def _repairs(tour: Tour, broken: Iterable[StepHealth]) -> list[_Repair]:
    """Return where the page as it is learnt today has what fails, in the version that reviewers work on."""
    live, now = tour.published_version, tour.current_version
    if live is None or now is None or tour.page_skill is None:
        return []
    page = engine_page(tour.page_skill)
    found = []
    for step in broken:
        selector = live.steps[step.number - 1]["selector"]
        for index, candidate in enumerate(now.steps):
            if candidate["selector"] == selector and (target := _elsewhere(candidate, page)):
                found.append(_Repair(index, target))
    return found


def _elsewhere(step: Step, page: Page) -> Target | None:
    """Return the same action of the page under a selector that the step does not try, or None.

    An action keeps its id when its page is learnt again. An element that somebody picked has none: it is known by
    what the scanner wrote down of it.
    """
    by_id = {intent.intent_id: intent for intent in page.intents}
    same = None if step["picked"] else by_id.get(step["intent_id"])
    if same is None:
        pairs = same_actions(page.intents, [_as_intent(step)])
        same = next((by_id[fresh] for fresh in pairs), None)
    if same is None or same.selector in (step["selector"], step["fallback_selector"]):
        return None
    return target_of(same)


def _as_intent(step: Step) -> Intent:
    return Intent(
        intent_id=step["intent_id"],
        user_goal=step["title"],
        selector=step["selector"],
        fallback_selector=step["fallback_selector"],
        action_type=cast(ActionType, step["action_type"]),
        element=ElementContext(tag="", label=step["picked"]),
        fingerprint=step["fingerprint"],
    )
