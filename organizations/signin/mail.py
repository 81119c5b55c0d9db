"""E-mails about members: the invitation, and the word that a second factor was reset."""

from __future__ import annotations

import logging
import smtplib
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from organizations.invitations import invitation_mark_sent
from organizations.models import Invitation, Membership, User

log = logging.getLogger(__name__)


def invitation_send(invitation: Invitation, token: str) -> bool:
    """Send the link to the invited address, in the organization's language. Returns whether the mail left."""
    organization = invitation.organization
    with translation.override(organization.locale):
        context = {
            "heading": _("%(who)s invites you to %(name)s")
            % {"who": invitation.invited_by or organization.name, "name": organization.name},
            "invitation": invitation,
            "organization": organization,
            "link": settings.PUBLIC_URL + reverse("invitation", args=[token]),
        }
        sent = _send(invitation.email, "mail/invitation", context)
    if sent:
        invitation_mark_sent(invitation=invitation)
    return sent


def tell_of_reset(membership: Membership, actor: User) -> bool:
    """Tell a member that an owner took their second factor away. Returns whether the mail left."""
    with translation.override(membership.organization.locale):
        context = {
            "heading": _("Your second factor was reset"),
            "actor": actor,
            "organization": membership.organization,
            "link": settings.PUBLIC_URL + reverse("mfa_index"),
        }
        return _send(membership.user.email, "mail/factor_reset", context)


def mail_is_set() -> bool:
    """Whether mails leave this installation; if not, they are written to its log."""
    return settings.EMAIL_BACKEND != "django.core.mail.backends.console.EmailBackend"


def _send(address: str, template: str, context: dict[str, Any]) -> bool:
    mail = EmailMultiAlternatives(
        subject=" ".join(str(context["heading"]).split())[:120],
        body=render_to_string(f"{template}.txt", context),
        to=[address],
        headers={"Auto-Submitted": "auto-generated"},
    )
    mail.attach_alternative(render_to_string(f"{template}.html", context), "text/html")
    try:
        mail.send()
    except (smtplib.SMTPException, OSError) as error:
        log.error("An e-mail could not be sent (%s): %s", template, error)
        return False
    return True
