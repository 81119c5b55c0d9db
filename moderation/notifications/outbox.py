"""The outbox: messages are rows written with the change they tell of, and delivered after it is committed."""

from __future__ import annotations

import logging
import uuid
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.utils import timezone, translation

from moderation.models import Decision, Notification, Reviewable
from moderation.notifications import slack
from moderation.notifications.errors import DeliveryError
from moderation.registry import kind_of
from organizations.models import Organization
from organizations.scoping import every_tenant, tenant_scope
from organizations.workers import send_after_commit

log = logging.getLogger(__name__)

# The time a delivery may take before another worker may try it again.
LEASE = timedelta(seconds=60)
FIRST_WAIT_S = 5
LONGEST_WAIT_S = 3600
MAX_ATTEMPTS = 10
# Even if each of them times out twice, the sweeper that delivers them one by one ends within its time limit.
DUE_AT_ONCE = 10


def announce(*, subject: Reviewable, decision: Decision) -> None:
    """Write one message for each channel the organization has set up; call inside the change's transaction."""
    organization = subject.organization
    if not slack.is_configured(organization):
        return
    kind = kind_of(subject)
    with translation.override(organization.locale):
        card = kind.describe(subject)
        payload = {
            "kind": str(kind.label),
            "title": card.title,
            "page": card.page,
            "question": card.question,
            "lines": card.lines,
            "url": settings.PUBLIC_URL.rstrip("/") + kind.review_url(subject),
        }
    notification, created = Notification.objects.get_or_create(
        organization=organization,
        channel=Notification.Channel.SLACK,
        event_key=f"{kind.name}:{subject.pk}:v{decision.version}:{decision.verb}",
        defaults={"payload": payload},
    )
    if created:
        send_after_commit(partial(_enqueue, notification.pk))


def notification_deliver(notification_id: uuid.UUID) -> bool:
    """Try to deliver one message; return whether it is now sent.

    The message is claimed by a conditional update, so two workers never send it at once; a failure is
    kept on the row with the time of the next attempt, and after ``MAX_ATTEMPTS`` the row is given up and
    stays visible in the administration.
    """
    now = timezone.now()
    with every_tenant():
        due = Notification.objects.filter(pk=notification_id, state=Notification.State.WAITING, next_try_at__lte=now)
        notification = due.select_related("organization").first()
        if notification is None:
            return False
        claimed = due.filter(attempts=notification.attempts).update(
            attempts=notification.attempts + 1, next_try_at=now + LEASE
        )
    if not claimed:
        return False
    notification.attempts += 1
    with tenant_scope(notification.organization_id):
        return _send(notification, notification.organization)


def due_notifications(limit: int = DUE_AT_ONCE) -> list[uuid.UUID]:
    """Return the ids of messages whose time has come, oldest first."""
    with every_tenant():
        return list(
            Notification.objects.filter(state=Notification.State.WAITING, next_try_at__lte=timezone.now())
            .order_by("next_try_at")
            .values_list("pk", flat=True)[:limit]
        )


def _send(notification: Notification, organization: Organization) -> bool:
    try:
        with translation.override(organization.locale):
            message_id = _deliver(notification, organization)
    except DeliveryError as error:
        wait = min(error.retry_after or FIRST_WAIT_S * 2 ** (notification.attempts - 1), LONGEST_WAIT_S)
        given_up = error.permanent or notification.attempts >= MAX_ATTEMPTS
        log.warning("notification %s not delivered (attempt %d): %s", notification.pk, notification.attempts, error)
        notification.last_error = str(error)
        notification.state = Notification.State.DEAD if given_up else Notification.State.WAITING
        notification.next_try_at = timezone.now() + timedelta(seconds=wait)
        notification.save(update_fields=["last_error", "state", "next_try_at"])
        return False
    notification.state = Notification.State.SENT
    notification.sent_at = timezone.now()
    notification.provider_message_id = message_id
    notification.last_error = ""
    notification.save(update_fields=["state", "sent_at", "provider_message_id", "last_error"])
    return True


def _deliver(notification: Notification, organization: Organization) -> str:
    """Hand a message to its channel; whatever goes wrong there is a failed delivery, counted like any other."""
    try:
        return slack.deliver(organization, notification.payload)
    except DeliveryError:
        raise
    except Exception as error:
        log.exception("the channel broke on notification %s", notification.pk)
        raise DeliveryError(type(error).__name__) from error


def _enqueue(notification_id: uuid.UUID) -> None:
    # Imported late: the task module imports this one.
    from moderation.tasks import deliver_notification

    deliver_notification.delay(str(notification_id))
