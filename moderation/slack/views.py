"""The addresses that Slack calls. Each checks the signature, calls one service, and answers within three seconds."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from moderation.notifications.errors import DeliveryError
from moderation.notifications.message import message_of
from moderation.notifications.slack import slack_call, slack_client
from moderation.notifications.slack_blocks import (
    APPROVE,
    REASON,
    REASON_MAX,
    REASON_VIEW,
    REJECT,
    reason_view,
    refusal_view,
    subject_value,
)
from moderation.notifications.text import clean_text
from moderation.slack.commands import answer_command
from moderation.slack.deciding import Pressed, decide, member_of, pressed_of
from moderation.slack.replies import how_to_link, reply, reply_how_to_link
from moderation.slack.signature import SlackRequest, UnverifiedError, slack_request
from moderation.states import TRANSITIONS, Verb
from organizations.errors import ServiceError
from organizations.models import Role
from organizations.permissions import require_role
from organizations.scoping import tenant_scope

# Slack waits three seconds for the answer, and the window has to be asked for meanwhile.
WINDOW_TIMEOUT_S = 2


@csrf_exempt
@require_POST
def interactions_view(request: HttpRequest) -> HttpResponse:
    """A button was pressed, or the window with the reason was sent."""
    try:
        asked = slack_request(request)
    except UnverifiedError as error:
        return HttpResponse(status=error.status)
    if not asked.channels:
        return HttpResponse()
    with translation.override(asked.channels[0].organization.locale):
        if asked.payload.get("type") == "block_actions":
            return _pressed(asked)
        if asked.payload.get("type") == "view_submission":
            return _reason_given(asked)
    return HttpResponse()


@csrf_exempt
@require_POST
def commands_view(request: HttpRequest) -> HttpResponse:
    """Somebody typed ``/circuy``."""
    try:
        asked = slack_request(request)
    except UnverifiedError as error:
        return HttpResponse(status=error.status)
    return JsonResponse(answer_command(asked))


def _pressed(asked: SlackRequest) -> HttpResponse:
    actions = asked.payload.get("actions")
    action = actions[0] if isinstance(actions, list) and actions and isinstance(actions[0], dict) else {}
    if action.get("action_id") not in (APPROVE, REJECT):
        return HttpResponse()
    pressed = pressed_of(asked, action.get("value"))
    if pressed is None:
        reply(asked, asked.channels[0], _("There is nothing to review here."))
        return HttpResponse()
    channels = pressed.channels
    with translation.override(channels.organization.locale):
        member = member_of(asked, channels)
        if member is None:
            reply_how_to_link(asked, channels)
            return HttpResponse()
        try:
            if action["action_id"] == REJECT:
                require_role(member, channels.organization, TRANSITIONS[Verb.REJECT].role or Role.OWNER)
                _ask_why(asked, pressed)
            else:
                decide(pressed, member, Verb.APPROVE)
        except ServiceError as error:
            _tell_refusal(asked, pressed, error)
    return HttpResponse()


def _ask_why(asked: SlackRequest, pressed: Pressed) -> None:
    with tenant_scope(pressed.channels.organization_id):
        message = message_of(pressed.subject)
    value = json.loads(subject_value(message))
    # The version that was on the screen, which may not be the one that is there now.
    value[2] = pressed.digest
    client = slack_client(pressed.channels.slack_bot_token, timeout_s=WINDOW_TIMEOUT_S)
    try:
        slack_call(
            client.views_open,
            trigger_id=str(asked.payload.get("trigger_id", "")),
            view=reason_view(message, json.dumps(value, separators=(",", ":"))),
        )
    except DeliveryError as error:
        raise ServiceError(
            "slack_unavailable", _("Slack could not open the window: press again, or open the review."), status=502
        ) from error


def _reason_given(asked: SlackRequest) -> HttpResponse:
    view = asked.payload.get("view")
    if not isinstance(view, dict) or view.get("callback_id") != REASON_VIEW:
        return HttpResponse()
    pressed = pressed_of(asked, view.get("private_metadata"))
    if pressed is None:
        return _refused(_("There is nothing to review here."))
    with translation.override(pressed.channels.organization.locale):
        member = member_of(asked, pressed.channels)
        if member is None:
            return _refused(how_to_link())
        try:
            decide(pressed, member, Verb.REJECT, _reason_of(view))
        except ServiceError as error:
            if error.code == "reason_required":
                return JsonResponse({"response_action": "errors", "errors": {REASON: error.detail}})
            return _refused(error.detail)
    return HttpResponse()


def _reason_of(view: dict[str, Any]) -> str:
    value: Any = view.get("state")
    for key in ("values", REASON, REASON, "value"):
        value = value.get(key) if isinstance(value, dict) else None
    return clean_text(value)[:REASON_MAX] if isinstance(value, str) else ""


def _refused(text: str) -> HttpResponse:
    return JsonResponse({"response_action": "update", "view": refusal_view(text)})


def _tell_refusal(asked: SlackRequest, pressed: Pressed, error: ServiceError) -> None:
    with tenant_scope(pressed.channels.organization_id):
        url = message_of(pressed.subject).url
    reply(asked, pressed.channels, error.detail, url=url, button=_("Open the review"))
