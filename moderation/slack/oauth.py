"""Connecting a Slack workspace by a button: Slack's consent page, and the way back from it."""

from __future__ import annotations

import secrets
import uuid
from datetime import timedelta
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from moderation.notifications.channels import slack_connect
from moderation.notifications.errors import DeliveryError
from moderation.notifications.message import absolute
from moderation.notifications.slack import slack_call, slack_client
from organizations.admin_base import may, signed_in
from organizations.errors import ServiceError
from organizations.models import Organization, Role
from organizations.scoping import tenant_scope

AUTHORIZE_URL = "https://slack.com/oauth/v2/authorize"
SCOPES = ("chat:write", "chat:write.public", "commands")
LASTS = timedelta(minutes=10)
_SALT = "moderation.slack.oauth"
_SESSION_KEY = "slack_oauth"
TIMEOUT_S = 10


@require_GET
def start_view(request: HttpRequest) -> HttpResponse:
    """Send an administrator to Slack's consent page, with a state that only their session can bring back."""
    organization = _organization(request, request.GET.get("organization", ""))
    if isinstance(organization, HttpResponse):
        return organization
    if not settings.SLACK_CLIENT_ID:
        raise Http404
    nonce = secrets.token_urlsafe(24)
    request.session[_SESSION_KEY] = nonce
    state = signing.dumps([str(organization.pk), nonce, request.user.pk], salt=_SALT)
    query = {
        "client_id": settings.SLACK_CLIENT_ID,
        "scope": ",".join(SCOPES),
        "redirect_uri": _callback(),
        "state": state,
    }
    return HttpResponseRedirect(f"{AUTHORIZE_URL}?{urlencode(query)}")


@require_GET
def callback_view(request: HttpRequest) -> HttpResponse:
    """Exchange what Slack sent back for a token, and keep it; say plainly where it went wrong."""
    nonce = request.session.pop(_SESSION_KEY, None) if request.user.is_authenticated else None
    try:
        pk, sent_nonce, user_pk = signing.loads(request.GET.get("state", ""), salt=_SALT, max_age=LASTS)
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise Http404 from error
    organization = _organization(request, str(pk))
    if isinstance(organization, HttpResponse):
        return organization
    back = HttpResponseRedirect(reverse("admin:channels", args=[organization.pk]))
    if nonce is None or not secrets.compare_digest(nonce, sent_nonce) or user_pk != request.user.pk:
        messages.error(request, _("This way back from Slack was used already, or is not yours: connect again."))
    elif "error" in request.GET or not request.GET.get("code"):
        messages.info(request, _("Slack was not connected."))
    else:
        try:
            _exchange(request, organization, request.GET["code"])
        except (DeliveryError, ServiceError) as error:
            messages.error(request, _("Slack was not connected: %(why)s") % {"why": error})
        else:
            messages.success(request, _("Slack is connected. Say in which channel to write."))
    return back


def _exchange(request: HttpRequest, organization: Organization, code: str) -> None:
    answer = slack_call(
        slack_client(timeout_s=TIMEOUT_S).oauth_v2_access,
        client_id=settings.SLACK_CLIENT_ID,
        client_secret=settings.SLACK_CLIENT_SECRET,
        code=code,
        redirect_uri=_callback(),
    )
    team = answer.get("team") or {}
    with tenant_scope(organization.pk):
        slack_connect(
            organization=organization,
            actor=signed_in(request),
            bot_token=str(answer.get("access_token") or ""),
            team_id=str(team.get("id") or ""),
            team_name=str(team.get("name") or ""),
        )


def _organization(request: HttpRequest, pk: str) -> Organization | HttpResponse:
    """Return the organization, for an administrator of it; who is not signed in does so first."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path(), reverse("admin:login"))
    try:
        found = Organization.objects.filter(pk=uuid.UUID(pk)).first()
    except ValueError as error:
        raise Http404 from error
    if found is None or not may(request, Role.ADMIN, found.pk):
        raise Http404
    return found


def _callback() -> str:
    return absolute(reverse("slack_oauth_callback"))
