"""Webhooks out: what happens in the review, told to an organization's own servers, signed."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
import uuid

from django.db import transaction
from django.utils.translation import gettext as _

from moderation.models import Notification, WebhookEndpoint
from moderation.notifications.announcing import notifications_write
from moderation.notifications.errors import NoLongerNeededError
from moderation.notifications.public_http import post_public, require_success, wrong_address
from organizations.errors import ServiceError
from organizations.models import Organization, Role, User
from organizations.permissions import require_role

MOST_ENDPOINTS = 10
LONGEST_URL = 500


def deliver(notification: Notification, organization: Organization) -> str:
    """Post what happened, as it was when it happened; the id is the same each time it is tried."""
    endpoint = WebhookEndpoint.objects.filter(pk=notification.recipient, organization=organization).first()
    if endpoint is None:
        raise NoLongerNeededError
    body = json.dumps(
        {
            "id": str(notification.pk),
            "event": f"review.{notification.event}",
            "created_at": notification.created_at.isoformat(),
            "organization": organization.slug,
            "data": notification.payload,
        },
        ensure_ascii=False,
        sort_keys=True,
    ).encode()
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "Circuy-Id": str(notification.pk),
        "Circuy-Event": f"review.{notification.event}",
        "Circuy-Signature": signature(endpoint.secret, int(time.time()), body),
    }
    require_success(post_public(endpoint.url, body, headers))
    return ""


def signature(secret: str, at: int, body: bytes) -> str:
    """Return the header that proves who sent a body, and when: ``t=<seconds>,v1=<hex>``."""
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


@transaction.atomic
def webhook_create(
    *, organization: Organization, actor: User, url: str, events: list[str]
) -> tuple[WebhookEndpoint, str]:
    """Add an address to tell; return it with its secret, which is shown this once.

    Raises ``ServiceError``: ``invalid_webhook`` (422) naming the fields, ``forbidden``/``not_found``.
    """
    require_role(actor, organization, Role.ADMIN)
    wrong = _wrong(url.strip(), events)
    if not wrong and WebhookEndpoint.objects.filter(organization=organization).count() >= MOST_ENDPOINTS:
        wrong["url"] = _("there are %(max)d webhooks already: remove one first") % {"max": MOST_ENDPOINTS}
    if wrong:
        raise ServiceError("invalid_webhook", _("This webhook cannot be saved."), status=422, fields=wrong)
    secret = _new_secret()
    endpoint = WebhookEndpoint.objects.create(organization=organization, url=url.strip(), secret=secret, events=events)
    return endpoint, secret


@transaction.atomic
def webhook_update(*, endpoint: WebhookEndpoint, actor: User, url: str, events: list[str]) -> WebhookEndpoint:
    """Change where and of what an endpoint is told. Raises ``ServiceError`` as ``webhook_create`` does."""
    require_role(actor, endpoint.organization, Role.ADMIN)
    wrong = _wrong(url.strip(), events)
    if wrong:
        raise ServiceError("invalid_webhook", _("This webhook cannot be saved."), status=422, fields=wrong)
    endpoint.url, endpoint.events = url.strip(), events
    endpoint.save(update_fields=["url", "events"])
    return endpoint


@transaction.atomic
def webhook_replace_secret(*, endpoint: WebhookEndpoint, actor: User) -> str:
    """Give an endpoint another secret, and return it: it is shown this once."""
    require_role(actor, endpoint.organization, Role.ADMIN)
    secret = endpoint.secret = _new_secret()
    endpoint.save(update_fields=["secret"])
    return secret


@transaction.atomic
def webhook_remove(*, endpoint: WebhookEndpoint, actor: User) -> None:
    """Tell an endpoint nothing more; what is on its way to it is given up."""
    require_role(actor, endpoint.organization, Role.ADMIN)
    endpoint.delete()


@transaction.atomic
def webhook_test(*, endpoint: WebhookEndpoint, actor: User) -> Notification:
    """Send an endpoint a message that means nothing, through the same outbox as the others."""
    require_role(actor, endpoint.organization, Role.ADMIN)
    notification = Notification(
        organization=endpoint.organization,
        channel=Notification.Channel.WEBHOOK,
        recipient=str(endpoint.pk),
        event=Notification.Event.TEST,
        event_key=f"test:{uuid.uuid4()}",
        payload={"title": _("A test of your webhook")},
    )
    notifications_write([notification])
    return notification


def _wrong(url: str, events: list[str]) -> dict[str, str]:
    wrong: dict[str, str] = {}
    problem = _("an address of at most %(max)d characters is expected") % {"max": LONGEST_URL}
    if len(url) <= LONGEST_URL:
        problem = wrong_address(url)
    if problem:
        wrong["url"] = problem
    if not events or not set(events) <= set(WebhookEndpoint.Event.values):
        wrong["events"] = _("choose what it is told")
    return wrong


def _new_secret() -> str:
    return secrets.token_urlsafe(32)
