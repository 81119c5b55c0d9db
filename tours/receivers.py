"""What follows for tours from a decision, from a page learnt again, and from retention."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from moderation.models import Decision
from moderation.services import review_expire
from moderation.signals import decided, deciding
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from organizations.models import Organization
from organizations.signals import retention_due
from skills.changes import Broken
from skills.models import PageSkill
from skills.selectors import versions_locked
from skills.signals import replacement_weighed, skill_replaced
from tours.evaluation.runs import evaluations_purge
from tours.models import Question, Tour, TourEvent, TourVersion
from tours.review import review_url


def connect() -> None:
    """Subscribe at start-up."""
    deciding.connect(on_deciding, sender=Tour)
    decided.connect(on_decided, sender=Tour)
    skill_replaced.connect(on_skill_replaced, sender=PageSkill)
    replacement_weighed.connect(on_replacement_weighed, sender=PageSkill)
    retention_due.connect(on_retention_due, sender=Organization)


def on_deciding(*, subject: Tour, verb: Verb, **_kwargs: Any) -> dict[str, Any] | None:
    """Approving publishes exactly the version whose digest was approved, in the same UPDATE.

    What is brought back has to be possible still: ``target_gone`` (409) names what left the page.
    """
    if verb == Verb.APPROVE:
        return {"published_version": F("current_version"), "published_at": timezone.now()}
    if verb == Verb.RESTORE:
        _require_targets(subject)
    return None


def on_decided(*, subject: Tour, decision: Decision, **_kwargs: Any) -> None:
    """A refused or forgotten revision leaves the live version where it was; an archived or expired tour has none.

    An expired one would otherwise be live again as soon as somebody edits it, before anybody approves.
    """
    live = subject.published_version
    if decision.verb in (Verb.REJECT, Verb.LAPSE) and live is not None:
        Tour.objects.filter(pk=subject.pk).update(
            status=Status.PUBLISHED, current_version=live, title=live.title, digest=live.digest, version=live.number
        )
    elif decision.verb in (Verb.ARCHIVE, Verb.EXPIRE):
        Tour.objects.filter(pk=subject.pk).update(published_version=None)


def _require_targets(tour: Tour) -> None:
    """Refuse to bring back a tour that the page as it is now would make out of date at once.

    The page's versions are locked: one that replaces the present one meanwhile finds the tour back, and judges it.
    """
    if tour.page_skill is None:
        # A demonstration is about no learnt page: nothing here knows what its pages have now.
        return
    versions_locked(tour.page_skill)
    current = Tour.objects.select_related("page_skill__scan", "current_version").get(pk=tour.pk)
    if current.page_skill is None:
        return
    gone = _gone(current.current_version, _targets(current.page_skill), _seen(current.page_skill))
    if gone:
        raise ServiceError(
            "target_gone",
            _("The page no longer has what this tour points at (%(steps)s): give these steps another target.")
            % {"steps": ", ".join(gone)},
            status=409,
        )


def on_skill_replaced(*, skill: PageSkill, replaced: PageSkill, **_kwargs: Any) -> None:
    """Tours move to the page's new version; one whose target is gone from the page is no longer shown."""
    targets, seen = _targets(skill), _seen(skill)
    related = ("organization", "current_version", "published_version")
    for tour in Tour.objects.filter(page_skill=replaced).select_related(*related):
        gone = _gone(tour.current_version, targets, seen)
        if gone:
            review_expire(subject=tour, reason=_("no longer on the page: %(steps)s") % {"steps": ", ".join(gone)})
        elif _gone(tour.published_version, targets, seen):
            # The revision under review has what the live version lacks: only the revision stays.
            Tour.objects.filter(pk=tour.pk).update(published_version=None)
        Tour.objects.filter(pk=tour.pk).update(page_skill=skill)


def on_replacement_weighed(*, skill: PageSkill, replaced: PageSkill, **_kwargs: Any) -> list[Broken]:
    """Return the live tours that the page's new version would take away from users, most asked for first."""
    targets, seen = _targets(skill), _seen(skill)
    live = Tour.objects.filter(page_skill=replaced, published_version__isnull=False)
    return [
        Broken(str(tour.published_version.title), review_url(tour), gone)
        for tour in live.select_related("published_version").order_by("-asked_count", "id")
        if tour.published_version and (gone := _gone(tour.published_version, targets, seen))
    ]


def _targets(skill: PageSkill) -> dict[str, set[str]]:
    """Return by intent id the selectors that find its element."""
    return {
        intent["intent_id"]: {intent["selector"], intent["fallback_selector"]} - {""}
        for intent in skill.actions_json["intents"]
    }


def _seen(skill: PageSkill) -> set[str] | None:
    """Return every selector of the scan that a page-skill was learnt from; None for one that was only edited."""
    if skill.scan is None:
        return None
    nodes = skill.scan.payload["nodes"]
    return {node.get(key, "") for node in nodes for key in ("selector", "fallbackSelector")}


def _gone(version: TourVersion | None, targets: dict[str, set[str]], seen: set[str] | None) -> list[str]:
    """Return the titles of the steps whose element the page no longer has, or has somewhere else.

    An element that somebody picked is none of the page's intents: it is gone when the whole page was looked at
    without it.
    """
    gone = []
    for step in version.steps if version else []:
        there = seen if step["picked"] else targets.get(step["intent_id"], set())
        if there is not None and not ({step["selector"], step["fallback_selector"]} - {""}) & there:
            gone.append(step["title"])
    return gone


def on_retention_due(*, before: datetime, **_kwargs: Any) -> None:
    """Old questions, events and measures are deleted; the tours they led to, and what people know to be right, stay."""
    Question.objects.filter(asked_at__lt=before).delete()
    TourEvent.objects.filter(received_at__lt=before).delete()
    evaluations_purge(before=before)
