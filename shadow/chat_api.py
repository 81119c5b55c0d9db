"""The door of the chat: a member teaches Léa, an end user asks about the page."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, cast

from django.conf import settings
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from organizations.api import Caller, KeyAuthentication, TenantView, bearer
from organizations.identity import end_user_identify, identity_hash
from organizations.models import EndUser, Organization, User
from organizations.ratelimit import allow
from shadow.api import StepOutput
from shadow.conversation.acts import Build, CancelAll, Finish, Observe
from shadow.conversation.scope import Setting, State
from shadow.conversation.sentences import Locale, say
from shadow.conversation.talk import Answered, Place
from shadow.conversation.understanding import understand
from shadow.conversations import conversation_speak
from shadow.credentials import Observer, ObserverAuthentication
from shadow.models import LONGEST_ID
from skills.config import engine_locale
from skills.recorder import TOKEN_PREFIX
from tours.answering import waiting
from tours.answering.asking import question_ask
from tours.answering.presenting import question_answer_payload
from tours.api import EndUserInput, TourOutput
from tours.models import Question
from tours.selectors import question_of

ID = r"^[A-Za-z0-9_.:-]{1,64}$"
STATES = State.__args__  # type: ignore[attr-defined] # a Literal has its values


class ChatAuthentication(KeyAuthentication):
    """Puts an ``Observer`` in ``request.auth`` for a recorder token, else the ``Caller`` of a key."""

    def authenticate(self, request: Request) -> tuple[Any, Any]:
        if bearer(request).startswith(TOKEN_PREFIX):
            return ObserverAuthentication().authenticate(request)
        return super().authenticate(request)


class Chat(TenantView):
    """``POST /v1/chat``"""

    authentication_classes = [ChatAuthentication]

    @extend_schema_serializer(component_name="ChatSentence")
    class Input(EndUserInput):
        session = serializers.RegexField(ID, max_length=LONGEST_ID, help_text="The conversation, named by the client.")
        text = serializers.CharField(max_length=1_000)
        locale = serializers.ChoiceField(choices=Organization.Locale.choices, required=False)
        route = serializers.CharField(max_length=300, required=False, default="/", help_text="location.pathname")
        page_title = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")
        session_id = serializers.RegexField(
            ID, max_length=LONGEST_ID, required=False, allow_blank=True, help_text="This tab's session to observe."
        )
        machine_id = serializers.RegexField(ID, max_length=LONGEST_ID, required=False, allow_blank=True)

    @extend_schema_serializer(component_name="ChatReply")
    class Output(serializers.Serializer[Any]):
        @extend_schema_serializer(component_name="ChatTour")
        class Tour(serializers.Serializer[Any]):
            """A guide that answers a question, as ``/v1/ai/ask`` gives it, or one that was learnt and its review."""

            tour_id = serializers.UUIDField(allow_null=True)
            title = serializers.CharField(allow_blank=True)
            review_url = serializers.CharField(required=False, allow_null=True)
            question_id = serializers.UUIDField(required=False)
            status = serializers.ChoiceField(choices=["ephemeral", "published"], required=False)
            source = serializers.ChoiceField(  # type: ignore[assignment] # DRF's own Field.source
                choices=["published", "history", "llm", "local"], required=False
            )
            locale = serializers.ChoiceField(choices=Organization.Locale.choices, required=False)
            steps = TourOutput.Step(many=True, required=False)
            message = serializers.CharField(required=False)
            suggestions = serializers.ListField(child=serializers.CharField(), required=False)

        reply = serializers.CharField()
        state = serializers.ChoiceField(choices=STATES, help_text="Where the conversation stands.")
        steps = StepOutput(many=True, required=False, help_text="The steps that the reply is about.")
        tour = Tour(required=False)
        choices = serializers.ListField(
            child=serializers.CharField(), required=False, help_text="Sentences that a panel may offer as buttons."
        )
        question_id = serializers.UUIDField(required=False, help_text="Of a question whose answer is being made.")
        visitor = serializers.CharField(required=False, help_text="Keep it and send it with every request.")

    @extend_schema(request=Input, responses=Output, operation_id="chat")
    def post(self, request: Request) -> Response:
        """Say something. With a recorder token Léa is spoken to, and learns; with a key, questions are answered."""
        data = self.Input(data=request.data)
        data.is_valid(raise_exception=True)
        said = data.validated_data
        auth: Caller | Observer = cast("Any", request.auth)
        if isinstance(auth, Observer) and auth.member is not None:
            return self._taught(auth.organization, auth.member, said)
        return self._asked(request, said)

    def _taught(self, organization: Organization, member: User, said: Mapping[str, Any]) -> Response:
        allow(bucket=f"chat:{organization.pk}:{member.pk}", limit=settings.RATE_LIMIT_ASK_PER_MINUTE)
        waits: dict[str, Any] = {}

        def answer(question: str) -> Answered:
            told, more = _answered(organization, _as_end_user(organization, member), said, question)
            waits.update(more)
            return told

        reply = conversation_speak(
            organization=organization,
            member=member,
            key=said["session"],
            text=said["text"],
            locale=_locale(organization, said),
            place=Place(said.get("session_id", ""), said.get("machine_id", "")),
            answer=answer,
        )
        return Response(
            {
                "reply": reply.text,
                "state": reply.state,
                **({"steps": [step.raw for step in reply.steps]} if reply.steps is not None else {}),
                **({"tour": reply.tour} if reply.tour is not None else {}),
                **({"choices": reply.choices} if reply.choices else {}),
                **waits,
            }
        )

    def _asked(self, request: Request, said: Mapping[str, Any]) -> Response:
        """Answer an end user: they may ask, and are told who may teach."""
        organization = self.caller.organization
        who = self.identify(request, dict(said))
        allow(bucket=f"ask:{who.end_user.pk}", limit=settings.RATE_LIMIT_ASK_PER_MINUTE)
        visitor = {"visitor": who.new_visitor_token} if who.new_visitor_token else {}
        if isinstance(understand(said["text"], Setting()), Observe | Finish | CancelAll | Build):
            told = say(_locale(organization, said), "only_members")
            return Response({"reply": told, "state": "idle", **visitor})
        answered, more = _answered(organization, who.end_user, said, said["text"][:300])
        return Response(
            {
                "reply": answered.text,
                "state": "idle",
                **({"tour": answered.tour} if answered.tour is not None else {}),
                **({"choices": answered.choices} if answered.choices else {}),
                **more,
                **visitor,
            }
        )


def _answered(
    organization: Organization, end_user: EndUser, said: Mapping[str, Any], text: str
) -> tuple[Answered, dict[str, uuid.UUID]]:
    """Ask as ``/v1/ai/ask`` does; what takes longer is there later under the question's id."""
    question = question_ask(
        organization=organization,
        end_user=end_user,
        text=text,
        route=said["route"],
        page_title=said["page_title"],
        locale=engine_locale(_locale(organization, said)),
    )
    if question.outcome == Question.Outcome.WAITING and waiting.wait(question.pk, settings.ASK_WAIT_MS):
        question = question_of(question.pk, end_user)
    payload = question_answer_payload(question)
    locale: Locale = "en" if question.locale == "en" else "fr"
    if payload is None:
        return Answered(say(locale, "answer_pending")), {"question_id": question.pk}
    told = payload.get("message") or say(locale, "answer", title=payload["title"])
    tour = payload if payload["steps"] else None
    return Answered(told, tour, tuple(payload.get("suggestions") or ())), {}


def _as_end_user(organization: Organization, member: User) -> EndUser:
    external_id = f"member:{member.pk}"
    return end_user_identify(
        organization=organization, external_id=external_id, user_hash=identity_hash(organization, external_id)
    ).end_user


def _locale(organization: Organization, said: Mapping[str, Any]) -> Locale:
    return "en" if (said.get("locale") or organization.locale) == "en" else "fr"
