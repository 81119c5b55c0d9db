"""Who is told of what: the rows of the outbox, written inside the transaction of the change they tell of."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.utils import translation

from moderation.authorship import makers_of
from moderation.models import Decision, Notification, Reviewable, WebhookEndpoint
from moderation.notifications.channels import channels_of
from moderation.notifications.message import message_of
from moderation.registry import kind_of
from moderation.states import Status, Verb
from organizations.models import Membership, Role
from organizations.workers import send_after_commit

Channel = Notification.Channel
Event = Notification.Event


def announce(*, subject: Reviewable, decision: Decision) -> None:
    """Tell the reviewers that something waits for them."""
    _tell(subject, Event.SUBMITTED, f"submitted:{decision.pk}", role=Role.REVIEWER)


def remind(*, subject: Reviewable, number: int, role: Role = Role.REVIEWER) -> None:
    """Tell those who have ``role`` that something still waits; ``number`` counts the reminders of one version.

    The same reminder is never told twice.
    """
    since = max(filter(None, (subject.submitted_at, subject.edited_at)), default=None)
    key = f"reminder:{subject.pk}:{since.isoformat() if since else ''}:v{subject.version}:{number}"
    _tell(subject, Event.REMINDER, key, role=role)


def follow_up(*, subject: Reviewable, decision: Decision) -> None:
    """After any change of what is under review: say so in the messages that are there, and to the webhooks."""
    if decision.from_status == Status.PENDING_REVIEW:
        _rewrite(subject, decision)
    if decision.verb in (Verb.SUBMIT, Verb.EDIT, Verb.RESTORE):
        return
    recipients = _webhooks(subject, WebhookEndpoint.Event.DECIDED)
    if recipients:
        with translation.override(subject.organization.locale):
            payload = {**message_of(subject).as_json(), **_decided(decision)}
        rows = [
            _row(subject, (Channel.WEBHOOK, to), Event.DECIDED, f"decided:{decision.pk}", payload) for to in recipients
        ]
        notifications_write(rows)


def notifications_write(rows: list[Notification]) -> None:
    """Put messages into the outbox, and send them once the transaction is committed.

    One that is there already (same recipient, same event) is left as it is.
    """
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    for row in rows:
        send_after_commit(partial(_enqueue, str(row.pk)))


def _tell(subject: Reviewable, event: Event, key: str, *, role: Role) -> None:
    organization = subject.organization
    channels = channels_of(organization)
    with translation.override(organization.locale):
        payload = message_of(subject).as_json()
    rows = []
    if channels.slack_ready:
        rows.append(_row(subject, (Channel.SLACK, channels.slack_channel), event, key, payload))
    if channels.teams_url:
        rows.append(_row(subject, (Channel.TEAMS, ""), event, key, payload))
    if channels.email_on:
        # Who made it, or said the first yes already, cannot decide now.
        own = set() if organization.allow_self_approval else makers_of([subject])[subject.pk]
        for member in _members(subject, role, but={*own, subject.agreed_by_id}):
            rows.append(_row(subject, (Channel.EMAIL, str(member.pk)), event, key, payload))
    for endpoint in _webhooks(subject, WebhookEndpoint.Event(event)):
        rows.append(_row(subject, (Channel.WEBHOOK, endpoint), event, key, payload))
    if rows:
        notifications_write(rows)


def _rewrite(subject: Reviewable, decision: Decision) -> None:
    """Have this round's Slack messages, sent or about to be, say what became of the subject."""
    there = Notification.objects.filter(
        subject_id=subject.pk,
        channel=Channel.SLACK,
        event__in=[Event.SUBMITTED, Event.REMINDER],
        state__in=[Notification.State.WAITING, Notification.State.SENT],
    )
    if subject.submitted_at is not None:
        there = there.filter(created_at__gte=subject.submitted_at)
    event = Event.EDITED if decision.verb == Verb.EDIT else Event.DECIDED
    payload = {"title": decision.subject_title, **_decided(decision)}
    rows = []
    for message in there:
        row = _row(subject, (Channel.SLACK, str(message.pk)), event, f"rewrite:{decision.pk}", payload)
        row.rewrites = message
        rows.append(row)
    if rows:
        notifications_write(rows)


def _members(subject: Reviewable, role: Role, but: set[int | None]) -> Iterable[Membership]:
    """Those who may decide and want e-mails."""
    members = Membership.objects.filter(
        organization=subject.organization, role__in=role.and_above(), review_emails=True, user__is_active=True
    )
    return members.exclude(user__in=[pk for pk in but if pk is not None]).select_related("user").order_by("pk")


def _webhooks(subject: Reviewable, event: WebhookEndpoint.Event) -> list[str]:
    endpoints = WebhookEndpoint.objects.filter(organization=subject.organization, events__contains=[event])
    return [str(pk) for pk in endpoints.values_list("pk", flat=True)]


def _row(subject: Reviewable, to: tuple[Channel, str], event: Event, key: str, payload: dict[str, Any]) -> Notification:
    channel, recipient = to
    return Notification(
        organization=subject.organization,
        channel=channel,
        recipient=recipient,
        event=event,
        event_key=key,
        kind=kind_of(subject).name,
        subject_id=subject.pk,
        payload=payload,
    )


def _decided(decision: Decision) -> dict[str, Any]:
    return {
        "decision": decision.verb,
        "decided_by": str(decision.actor) if decision.actor else "",
        "decided_at": decision.created_at.isoformat(),
        "reason": decision.reason,
    }


def _enqueue(notification_id: str) -> None:
    # Imported late: the task module imports the outbox.
    from moderation.tasks import deliver_notification

    deliver_notification.delay(notification_id)
