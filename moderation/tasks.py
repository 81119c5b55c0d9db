"""Delivery of notifications."""

from __future__ import annotations

import uuid

from celery import shared_task

from moderation.notifications.outbox import due_notifications, notification_deliver


@shared_task
def deliver_notification(notification_id: str) -> None:
    """Deliver one message of the outbox."""
    notification_deliver(uuid.UUID(notification_id))


@shared_task
def deliver_due_notifications() -> None:
    """Deliver what is due: retries, and what a dead broker or worker left behind."""
    for notification_id in due_notifications():
        notification_deliver(notification_id)
