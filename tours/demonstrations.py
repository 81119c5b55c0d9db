"""Tours that come from a demonstration: through several pages, on elements that nobody had to learn before."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from engine.types import Locale
from moderation.services import review_submit
from organizations.errors import ServiceError
from organizations.models import Organization, Role, User
from organizations.permissions import require_role
from tours.models import Tour
from tours.services import version_add
from tours.steps import MAX_DEMONSTRATED, MAX_TITLE, Step, picked_steps, plain, steps_clean, steps_digest


@transaction.atomic
def demonstration_submit(
    *, organization: Organization, actor: User | None, title: str, locale: Locale, steps: Sequence[Step]
) -> Tour:
    """Make a tour of what somebody showed, and put it in the inbox like any other.

    Each step says the page that it is on (``route``) and what its element is called (``picked``). ``actor`` is None
    for the organization's own server. Raises ``ServiceError``: ``invalid_tour`` (422), ``forbidden``/``not_found``.
    """
    if actor is not None:
        require_role(actor, organization, Role.AUTHOR)
    heading = plain(title)[:MAX_TITLE].strip()
    clean = steps_clean([dict(step) for step in steps], None, picked_steps([steps]), most=MAX_DEMONSTRATED)
    if not heading or any(not step.get("route") for step in clean):
        raise ServiceError("invalid_tour", "A demonstration needs a title, and a page for each step.", status=422)
    tour = Tour.objects.create(
        organization=organization,
        title=heading,
        origin=Tour.Origin.DEMONSTRATION,
        routes=list(dict.fromkeys(step["route"] for step in clean)),
        locale=locale,
        intent_ids=[],
        digest=steps_digest(heading, clean),
    )
    version = version_add(tour=tour, title=heading, steps=clean, author=actor)
    tour.current_version = version
    tour.save(update_fields=["current_version"])
    review_submit(subject=tour, actor=actor)
    return tour
