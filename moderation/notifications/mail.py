"""E-mail: one to each reviewer who wants them, in text and HTML, with a link that is theirs alone."""

from __future__ import annotations

import smtplib
from email.utils import formataddr
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from moderation.links.tokens import approval_token
from moderation.models import Notification
from moderation.notifications.errors import DeliveryError, NoLongerNeededError
from moderation.notifications.message import absolute, standing_of
from organizations.models import Membership, Organization, Role

# A subject line is cut where mail programs cut it anyway; it holds no line breaks.
SUBJECT_MAX = 120


def deliver(notification: Notification, organization: Organization) -> str:
    """Send the e-mail, unless its recipient no longer reviews or wants it, or there is nothing left to decide."""
    member = Membership.objects.filter(pk=notification.recipient).select_related("user").first()
    now = standing_of(notification.kind, notification.subject_id, organization)
    if member is None or not wants(member) or now is None or not now.open:
        raise NoLongerNeededError
    reminder = notification.event == Notification.Event.REMINDER
    title = (_("Still to review: %(title)s") if reminder else _("To review: %(title)s")) % {"title": now.message.title}
    context = {
        "heading": title,
        "reminder": reminder,
        "message": now.message,
        "organization": organization,
        "member": member,
        "link": absolute(reverse("admin:decide", args=[approval_token(now.message, member)])),
        "preferences": absolute(reverse("admin:own_notifications")),
    }
    message_id = f"<{notification.pk}@{urlsplit(settings.PUBLIC_URL).hostname}>"
    email = EmailMultiAlternatives(
        subject=" ".join(title.split())[:SUBJECT_MAX],
        body=render_to_string("mail/review.txt", context),
        to=[formataddr((str(member.user), member.user.email)) if member.user.get_full_name() else member.user.email],
        # The same each time it is tried: a mail program shows what it was sent twice only once.
        headers={"Message-ID": message_id, "Auto-Submitted": "auto-generated"},
    )
    email.attach_alternative(render_to_string("mail/review.html", context), "text/html")
    try:
        email.connection = get_connection()
        email.send()
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _words in error.recipients.values()]
        raise DeliveryError(_refusal(error.recipients), permanent=all(code >= 500 for code in codes)) from error
    except smtplib.SMTPResponseException as error:
        # 5xx is the server's last word; signing in is what an operator mends.
        permanent = error.smtp_code >= 500 and not isinstance(error, smtplib.SMTPAuthenticationError)
        words = error.smtp_error.decode(errors="replace") if isinstance(error.smtp_error, bytes) else error.smtp_error
        raise DeliveryError(f"SMTP {error.smtp_code}: {words}", permanent=permanent) from error
    except (smtplib.SMTPException, OSError) as error:
        raise DeliveryError(f"{type(error).__name__}: {error}") from error
    return message_id


def wants(member: Membership) -> bool:
    """Whether a member reviews, and asked for no silence."""
    return member.review_emails and member.user.is_active and Role(member.role).includes(Role.REVIEWER)


def _refusal(recipients: dict[str, tuple[int, bytes]]) -> str:
    return "; ".join(f"SMTP {code}: {words.decode(errors='replace')}" for code, words in recipients.values())
