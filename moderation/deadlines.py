"""What waits too long for a review: its reviewers are reminded, then the administrators, then it leaves the inbox.

Everything here may run twice or be cut short: each item is dealt with in a transaction of its own, by an update that
holds only while nobody did anything to it.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from moderation.models import Reviewable
from moderation.notifications.announcing import remind
from moderation.registry import kinds
from moderation.services import review_lapse
from moderation.states import Status
from organizations.errors import ServiceError
from organizations.models import Organization, Role

log = logging.getLogger(__name__)

# Of a kind and an organization in one run: a long backlog is told of little by little, the oldest first.
REMINDED_AT_ONCE = 20
LAPSED_AT_ONCE = 200
# Nothing leaves the inbox sooner after the administrators were told of it.
LAST_CALL = timedelta(days=1)


def deadlines_apply(*, organization: Organization, now: datetime | None = None) -> None:
    """Remind of, escalate, and take out of the inbox what its reviewers left there; call inside its scope.

    What waits is reminded of after ``review_remind_days``, and told to the administrators as long after that. After
    ``review_expire_days`` it is out of date, once both were told and a day has passed.
    """
    at = now or timezone.now()
    with translation.override(organization.locale):
        for kind in kinds():
            _lapse(kind.model, organization, at)
            _escalate(kind.model, organization, at)
            _remind(kind.model, organization, at)


def _waiting(model: type[Reviewable], organization: Organization, before: datetime) -> QuerySet[Any]:
    """Return what nobody has touched in the inbox since ``before``, the oldest first."""
    manager: Any = model._default_manager
    waiting: QuerySet[Any] = manager.filter(
        Q(edited_at=None) | Q(edited_at__lte=before),
        organization=organization,
        status=Status.PENDING_REVIEW,
        submitted_at__lte=before,
    )
    return waiting.select_related("organization").order_by("submitted_at", "pk")


def _to_remind(model: type[Reviewable], organization: Organization, at: datetime) -> QuerySet[Any]:
    period = timedelta(days=organization.review_remind_days)
    due = _waiting(model, organization, at - period).filter(reminded_at=None)
    return due if period else due.none()


def _to_escalate(model: type[Reviewable], organization: Organization, at: datetime) -> QuerySet[Any]:
    period = timedelta(days=organization.review_remind_days)
    due = _waiting(model, organization, at - period).filter(reminded_at__lte=at - period, escalated_at=None)
    return due if period else due.none()


def _to_lapse(model: type[Reviewable], organization: Organization, at: datetime) -> QuerySet[Any]:
    period = timedelta(days=organization.review_expire_days)
    due = _waiting(model, organization, at - period)
    if organization.review_remind_days:
        due = due.filter(escalated_at__lte=at - LAST_CALL)
    return due if period else due.none()


def _remind(model: type[Reviewable], organization: Organization, at: datetime) -> None:
    due = _to_remind(model, organization, at)
    for subject in due[:REMINDED_AT_ONCE]:
        with transaction.atomic():
            # The whole condition again: somebody may have been faster, with a reminder, an edit or a decision.
            if due.filter(pk=subject.pk).update(reminded_at=at):
                remind(subject=subject, number=1, role=Role.REVIEWER)


def _escalate(model: type[Reviewable], organization: Organization, at: datetime) -> None:
    due = _to_escalate(model, organization, at)
    for subject in due[:REMINDED_AT_ONCE]:
        with transaction.atomic():
            if due.filter(pk=subject.pk).update(escalated_at=at):
                remind(subject=subject, number=2, role=Role.ADMIN)


def _lapse(model: type[Reviewable], organization: Organization, at: datetime) -> None:
    for subject in _to_lapse(model, organization, at)[:LAPSED_AT_ONCE]:
        days = (at - subject.submitted_at).days
        if subject.agreed_by_id is None:
            reason = ngettext("nobody reviewed it in %(days)d day", "nobody reviewed it in %(days)d days", days) % {
                "days": days
            }
        else:
            reason = _("nobody gave the second approval")
        try:
            review_lapse(subject=subject, reason=reason)
        except ServiceError as met:
            log.info("%s %s did not lapse: %s", model.__name__, subject.pk, met.code)
