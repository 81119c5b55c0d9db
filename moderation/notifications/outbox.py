"""The outbox: messages are rows, delivered after the change they tell of is committed; retried, never doubled."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from moderation.models import Notification
from moderation.notifications import mail, slack, teams, webhooks
from moderation.notifications.errors import DeliveryError, NoLongerNeededError, NotYetError
from moderation.notifications.text import clean_text
from organizations.models import Organization, Role, User
from organizations.permissions import require_role
from organizations.scoping import every_tenant, tenant_scope
from organizations.workers import send_after_commit

log = logging.getLogger(__name__)

# The time after which another worker may try it again: longer than any worker lives that began (its hard time limit).
LEASE = timedelta(seconds=330)
FIRST_WAIT_S = 5
LONGEST_WAIT_S = 3600
MAX_ATTEMPTS = 10
ERROR_MAX = 500
MESSAGE_ID_MAX = 120
# Even if each of them times out, the sweeper that delivers them one by one ends within its time limit.
DUE_AT_ONCE = 10

# Each hands one message to its provider and returns the name by which it can be found there.
CHANNELS: dict[str, Callable[[Notification, Organization], str]] = {
    Notification.Channel.SLACK: slack.deliver,
    Notification.Channel.TEAMS: teams.deliver,
    Notification.Channel.EMAIL: mail.deliver,
    Notification.Channel.WEBHOOK: webhooks.deliver,
}


def notification_deliver(notification_id: uuid.UUID) -> bool:
    """Try to deliver one message; return whether it is now sent.

    The message is claimed by a conditional update, so two workers never send it at once, and what became of an
    attempt is written only as long as no other has begun. A failure is kept on the row with the time of the next
    attempt; after ``MAX_ATTEMPTS``, whether they failed or were broken off, the row is given up and stays visible in
    the administration.
    """
    now = timezone.now()
    with every_tenant():
        due = Notification.objects.filter(pk=notification_id, state=Notification.State.WAITING, next_try_at__lte=now)
        notification = due.select_related("organization", "rewrites").first()
        if notification is None:
            return False
        if notification.attempts >= MAX_ATTEMPTS:
            with translation.override(notification.organization.locale):
                _give_up_unfinished(notification)
            return False
        claimed = due.filter(attempts=notification.attempts).update(
            attempts=notification.attempts + 1, next_try_at=now + LEASE
        )
    if not claimed:
        return False
    notification.attempts += 1
    with tenant_scope(notification.organization_id):
        return _send(notification, notification.organization)


def notification_retry(*, notification: Notification, actor: User) -> bool:
    """Give a message that was given up a fresh start; return whether it had been.

    Raises ``ServiceError``: ``forbidden``/``not_found`` below administrator.
    """
    require_role(actor, notification.organization, Role.ADMIN)
    given_up = Notification.objects.filter(pk=notification.pk, state=Notification.State.DEAD)
    revived = given_up.update(state=Notification.State.WAITING, attempts=0, next_try_at=timezone.now())
    if revived:
        send_after_commit(partial(_enqueue, notification.pk))
    return bool(revived)


def due_notifications(limit: int = DUE_AT_ONCE) -> list[uuid.UUID]:
    """Return the ids of messages whose time has come, oldest first."""
    with every_tenant():
        return list(
            Notification.objects.filter(state=Notification.State.WAITING, next_try_at__lte=timezone.now())
            .order_by("next_try_at")
            .values_list("pk", flat=True)[:limit]
        )


def _send(notification: Notification, organization: Organization) -> bool:
    """Deliver a message that was claimed, and keep what became of it; return whether it is now sent."""
    with translation.override(organization.locale):
        try:
            message_id = _deliver(notification, organization)
        except NoLongerNeededError:
            _keep(notification, state=Notification.State.MOOT, last_error="")
        except NotYetError as wait:
            _keep(notification, attempts=notification.attempts - 1, next_try_at=wait.retry_at)
        except DeliveryError as error:
            _keep_failure(notification, error)
        else:
            return _keep(
                notification,
                state=Notification.State.SENT,
                sent_at=timezone.now(),
                provider_message_id=clean_text(message_id)[:MESSAGE_ID_MAX],
                last_error="",
            )
    return False


def _keep(notification: Notification, **outcome: Any) -> bool:
    """Write what became of an attempt, unless another one has begun since; return whether it was written."""
    own = Notification.objects.filter(
        pk=notification.pk, state=Notification.State.WAITING, attempts=notification.attempts
    )
    return bool(own.update(**outcome))


def _keep_failure(notification: Notification, error: DeliveryError) -> None:
    wait = min(error.retry_after or FIRST_WAIT_S * 2 ** (notification.attempts - 1), LONGEST_WAIT_S)
    given_up = error.permanent or notification.attempts >= MAX_ATTEMPTS
    why = clean_text(str(error))[:ERROR_MAX]
    log.warning("notification %s not delivered (attempt %d): %s", notification.pk, notification.attempts, why)
    _keep(
        notification,
        last_error=why,
        state=Notification.State.DEAD if given_up else Notification.State.WAITING,
        next_try_at=timezone.now() + timedelta(seconds=wait),
    )


def _give_up_unfinished(notification: Notification) -> None:
    """Give up a message whose last attempt neither succeeded nor failed: it takes its worker down."""
    log.error("notification %s given up: its attempts were broken off", notification.pk)
    why = _("The last attempt was broken off before its end.")
    _keep(notification, state=Notification.State.DEAD, last_error=why)


def _deliver(notification: Notification, organization: Organization) -> str:
    """Hand a message to its channel; whatever goes wrong there is a failed delivery, counted like any other."""
    try:
        return CHANNELS[notification.channel](notification, organization)
    except (DeliveryError, NoLongerNeededError, NotYetError):
        raise
    except Exception as error:
        log.exception("the channel broke on notification %s", notification.pk)
        raise DeliveryError(type(error).__name__) from error


def _enqueue(notification_id: uuid.UUID) -> None:
    # Imported late: the task module imports this one.
    from moderation.tasks import deliver_notification

    deliver_notification.delay(str(notification_id))
