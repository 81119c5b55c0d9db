"""Writes on tours: editing under review, pointing a step elsewhere, going back, and what browsers report."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from engine.service import action_on
from engine.types import ScanNode
from moderation.services import review_record_edit
from organizations.errors import ServiceError, not_found
from organizations.masks import mask_rules
from organizations.models import EndUser, Organization, Role, User
from organizations.permissions import require_role
from skills.config import engine_locale
from skills.payload import node_clean
from skills.routes import matches, path_clean
from skills.selectors import engine_page
from tours.models import Tour, TourEvent, TourVersion
from tours.selectors import most_steps, picked_in
from tours.steps import (
    MAX_TITLE,
    Step,
    Target,
    plain,
    same_but_fingerprints,
    steps_clean,
    steps_digest,
    target_of,
)


@transaction.atomic
def tour_edit(
    *, tour: Tour, actor: User, seen_digest: str, title: str, steps: Sequence[dict[str, Any]]
) -> TourVersion | None:
    """Save an editor's steps as a new version under review; a published version stays live meanwhile.

    The steps get the selectors and fingerprints that the page-skill has now; those that point at an element picked on
    the page keep it. Returns None, and changes nothing,
    when the content is the same but for fingerprints. Raises ``ServiceError``:
    ``invalid_tour`` (422), ``changed_since`` or ``already_decided`` (409), ``forbidden``/``not_found``.
    """
    require_role(actor, tour.organization, Role.AUTHOR)
    page = engine_page(tour.page_skill) if tour.page_skill is not None else None
    clean = steps_clean(steps, page, picked_in(tour), most=most_steps(tour))
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
    return _version_save(tour=tour, actor=actor, seen_digest=seen_digest, title=heading, steps=clean)


@transaction.atomic
def step_reattach(
    *, tour: Tour, actor: User, seen_digest: str, index: int, node: Any, route: str
) -> TourVersion | None:
    """Point one step at another element of the page, in a new version under review; a published one stays live.

    ``node`` is the element as the scanner describes it, on the page at ``route``. One that the page-skill knows makes
    the step one about that action; of any other the step keeps the selectors, and what it is for. Returns None, and
    changes nothing, when the step points there already. Raises ``ServiceError``: ``invalid_node``,
    ``personal_selector``, ``password_field`` or ``other_page`` (422), ``changed_since`` or ``already_decided`` (409),
    ``forbidden``/``not_found``.
    """
    require_role(actor, tour.organization, Role.AUTHOR)
    current = tour.current_version
    if current is None or not 0 <= index < len(current.steps):
        raise not_found(_("There is no such step."))
    pattern = current.steps[index].get("route") or tour.first_route
    if not matches(pattern.partition("#")[0], path_clean(route)):
        raise ServiceError(
            "other_page",
            _("This tour is about %(pattern)s: choose an element there.") % {"pattern": pattern},
            status=422,
        )
    clean = node_clean(node, mask_rules(tour.organization))
    if clean.get("type", "").lower() == "password":
        raise ServiceError("password_field", _("No guide points at a password: choose another element."), status=422)
    steps = list(current.steps)
    steps[index] = {**steps[index], **_target_at(clean, tour, steps[index]["intent_id"])}
    if same_but_fingerprints(steps, current.steps):
        steps = current.steps
    return _version_save(tour=tour, actor=actor, seen_digest=seen_digest, title=current.title, steps=steps)


def _target_at(node: Mapping[str, Any], tour: Tour, intent_id: str) -> Target:
    page = engine_page(tour.page_skill) if tour.page_skill is not None else None
    for intent in page.intents if page is not None else ():
        if intent.selector == node["selector"]:
            return target_of(intent)
    seen = ScanNode.from_wire(node)
    return Target(
        intent_id=intent_id,
        selector=seen.selector,
        fallback_selector=seen.fallback_selector,
        fingerprint=seen.fingerprint,
        action_type=action_on(seen, locale=engine_locale(tour.locale)),
        picked=seen.label or seen.placeholder or seen.name or seen.role or seen.tag,
    )


@transaction.atomic
def version_restore(*, tour: Tour, actor: User, seen_digest: str, number: int) -> TourVersion | None:
    """Put what an older version says under review again, as a new version; a published one stays live meanwhile.

    Its steps get the selectors that the page-skill has now. Returns None, and changes nothing, when the tour says so
    already. Raises ``ServiceError`` as ``tour_edit`` does; ``invalid_tour`` names the steps whose target left the page.
    """
    old = TourVersion.objects.filter(tour=tour, number=number).first()
    if old is None:
        raise not_found(_("There is no such version."))
    return tour_edit(tour=tour, actor=actor, seen_digest=seen_digest, title=old.title, steps=old.steps)


@transaction.atomic
def tour_repair(*, tour: Tour, steps: Sequence[Step], reason: str) -> TourVersion | None:
    """Put the steps under review that Circuy proposes in the place of those that users did not find.

    It takes effect when a reviewer approves it. Raises ``ServiceError`` (``changed_since`` or ``already_decided``,
    409) when somebody did something meanwhile.
    """
    return _version_save(tour=tour, actor=None, seen_digest=tour.digest, title=tour.title, steps=steps, reason=reason)


def _version_save(
    *, tour: Tour, actor: User | None, seen_digest: str, title: str, steps: Sequence[Step], reason: str = ""
) -> TourVersion | None:
    """Put a new version under review, if the tour is still the one that was seen; None when nothing is new in it."""
    if steps_digest(title, steps) == seen_digest == tour.digest:
        return None
    version = version_add(tour=tour, title=title, steps=steps, author=actor)
    review_record_edit(
        subject=tour,
        actor=actor,
        seen_digest=seen_digest,
        digest=version.digest,
        changes={"title": title, "current_version": version},
        version=version.number,
        reason=reason,
    )
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
