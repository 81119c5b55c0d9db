"""Delivery of notifications, and what becomes of what nobody reviews."""

from __future__ import annotations

import logging
import uuid

from celery import shared_task

from moderation.deadlines import deadlines_apply
from moderation.notifications.outbox import due_notifications, notification_deliver
from organizations.models import Organization
from organizations.scoping import tenant_scope

log = logging.getLogger(__name__)


@shared_task
def deliver_notification(notification_id: str) -> None:
    """Deliver one message of the outbox."""
    notification_deliver(uuid.UUID(notification_id))


@shared_task
def deliver_due_notifications() -> None:
    """Deliver what is due: retries, and what a dead broker or worker left behind; one fault stops no other message."""
    for notification_id in due_notifications():
        try:
            notification_deliver(notification_id)
        except Exception:
            log.exception("notification %s could not be dealt with", notification_id)


@shared_task
def apply_deadlines() -> None:
    """See to what waits too long, one task an organization."""
    for organization_id in Organization.objects.values_list("pk", flat=True):
        apply_deadlines_of.delay(str(organization_id))


@shared_task
def apply_deadlines_of(organization_id: str) -> None:
    """Remind of, escalate, and take out of the inbox what one organization's reviewers left there."""
    organization = Organization.objects.filter(pk=organization_id).first()
    if organization is not None:
        with tenant_scope(organization.pk):
            deadlines_apply(organization=organization)
