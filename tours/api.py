"""The end user's side of the API: questions, tours, events."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from moderation.registry import content_digest
from organizations.api import TenantView
from organizations.models import Organization
from organizations.ratelimit import allow
from skills.config import engine_locale
from skills.routes import path_clean
from tours.answering import waiting
from tours.answering.asking import question_ask
from tours.answering.presenting import (
    goals_of_path,
    question_answer_payload,
    question_url,
)
from tours.answering.streaming import answer_stream, has_room
from tours.models import Question, TourEvent
from tours.selectors import published_for_path, question_of
from tours.services import ReportedEvent, events_record

MAX_EVENTS = 100
BATCHES_PER_MINUTE = 120
YEARS = range(2001, 2100)
EVENT_STREAM = "text/event-stream"
# The local engine answers within it, and no model does.
PATIENCE_OF_FOLLOWERS_MS = 250
VISITOR_HEADERS = [
    OpenApiParameter("X-Circuy-Visitor", str, OpenApiParameter.HEADER, description="The visitor token."),
    OpenApiParameter("X-Circuy-User", str, OpenApiParameter.HEADER, description="An identified user's id."),
    OpenApiParameter("X-Circuy-User-Hash", str, OpenApiParameter.HEADER, description="HMAC-SHA256 of that id."),
]


class Moment(serializers.DateTimeField):
    """A time that every time zone can write, near enough to now to have been read from a browser's clock."""

    def to_internal_value(self, value: Any) -> datetime:
        try:
            moment = super().to_internal_value(value)
        except OverflowError:
            moment = None
        if moment is None or moment.year not in YEARS:
            raise serializers.ValidationError(_("a time of this century is expected"))
        return moment


class EndUserInput(serializers.Serializer[Any]):
    """Who asks, in the body of a POST."""

    @extend_schema_serializer(component_name="IdentifiedUser")
    class Identified(serializers.Serializer[Any]):
        id = serializers.CharField(max_length=200)
        hash = serializers.CharField(max_length=64)

    visitor = serializers.CharField(max_length=300, required=False, allow_blank=True)
    user = Identified(required=False, allow_null=True)


class TourOutput(serializers.Serializer[Any]):
    """A tour as the SDK runs it."""

    class Step(serializers.Serializer[Any]):
        class AttachTo(serializers.Serializer[Any]):
            element = serializers.CharField(
                help_text="A CSS selector; ` >>> ` enters an open shadow root or a same-origin iframe."
            )
            on = serializers.ChoiceField(choices=["bottom", "top", "left", "right"])

        @extend_schema_serializer(component_name="StepButton")
        class Button(serializers.Serializer[Any]):
            text = serializers.CharField()
            action = serializers.ChoiceField(choices=["next", "back", "complete", "cancel"])

        attachTo = AttachTo()  # noqa: N815
        fallback_selector = serializers.CharField(allow_blank=True)
        fingerprint = serializers.CharField(
            required=False, help_text="What the scanner noted of the element: to check it, and to find it again."
        )
        title = serializers.CharField()
        text = serializers.CharField()

        @extend_schema_serializer(component_name="StepAdvance")
        class Advance(serializers.Serializer[Any]):
            event = serializers.ChoiceField(choices=["click", "change"])

        buttons = Button(many=True)
        route = serializers.CharField(
            required=False, help_text="The route pattern of the step's page, when it may be another one."
        )
        advanceOn = Advance(  # noqa: N815
            required=False, help_text="What on the element leads to the next step, beside the buttons."
        )

    tour_id = serializers.UUIDField(allow_null=True)
    status = serializers.ChoiceField(choices=["ephemeral", "published"])
    source = serializers.ChoiceField(  # type: ignore[assignment] # DRF's own Field.source is an attribute of instances
        choices=["published", "history", "llm", "local"]
    )
    title = serializers.CharField(allow_blank=True)
    locale = serializers.ChoiceField(
        choices=Organization.Locale.choices, required=False, help_text="The language that the tour is written in."
    )
    steps = Step(many=True)
    message = serializers.CharField(
        required=False, help_text="What to tell the person: that nothing fits, or on which other page the answer is."
    )
    suggestions = serializers.ListField(child=serializers.CharField())


@extend_schema_serializer(component_name="Answer")
class AnswerOutput(TourOutput):
    """An answer; ``message`` is set when nothing on this page fits.

    ``steps`` is empty then, or leads to the page that ``message`` names: each says by its ``route`` where it is.
    """

    question_id = serializers.UUIDField()
    visitor = serializers.CharField(required=False, help_text="Keep it and send it with every request.")


@extend_schema_serializer(component_name="AnswerPending")
class WaitingOutput(serializers.Serializer[Any]):
    """The answer is being made."""

    question_id = serializers.UUIDField()
    visitor = serializers.CharField(required=False)


class Ask(TenantView):
    """``POST /v1/ai/ask``"""

    @extend_schema_serializer(component_name="Ask")
    class Input(EndUserInput):
        question = serializers.CharField(max_length=300)
        route = serializers.CharField(max_length=300, help_text="location.pathname")
        page_title = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")
        locale = serializers.ChoiceField(choices=Organization.Locale.choices, required=False)

    @extend_schema(request=Input, responses={200: AnswerOutput, 202: WaitingOutput}, operation_id="ask")
    def post(self, request: Request) -> Response:
        """Answer a question about a page with a tour; 202 and ``Location`` when that takes longer.

        Who also accepts ``text/event-stream`` is told so within a quarter of a second: they can see it being made.
        """
        data = self.Input(data=request.data)
        data.is_valid(raise_exception=True)
        asked = data.validated_data
        organization = self.caller.organization
        who = self.identify(request, asked)
        allow(bucket=f"ask:{who.end_user.pk}", limit=settings.RATE_LIMIT_ASK_PER_MINUTE)
        question = question_ask(
            organization=organization,
            end_user=who.end_user,
            text=asked["question"],
            route=asked["route"],
            page_title=asked["page_title"],
            locale=engine_locale(asked.get("locale") or organization.locale),
        )
        if question.outcome == Question.Outcome.WAITING and waiting.wait(question.pk, _patience_ms(request)):
            question = question_of(question.pk, who.end_user)
        return _answer(question, {"visitor": who.new_visitor_token} if who.new_visitor_token else {})


class QuestionAnswer(TenantView):
    """``GET /v1/ai/questions/{id}``"""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Whoever asks for a stream reads JSON as well: it is what they get where no stream can be had."""
        if _accepts_stream(request):
            renderer = JSONRenderer()
            return renderer, renderer.media_type
        return super().perform_content_negotiation(request, force)

    @extend_schema(
        parameters=VISITOR_HEADERS,
        responses={
            (200, "application/json"): AnswerOutput,
            (200, EVENT_STREAM): OpenApiTypes.STR,
            202: WaitingOutput,
        },
        operation_id="question_retrieve",
    )
    def get(self, request: Request, question_id: uuid.UUID) -> HttpResponseBase:
        """Return the answer to one's own question once it is there; 202 until then.

        ``Accept: text/event-stream`` asks to see it being made. Events are ``step`` (one step of the tour, with its
        place as ``index``), ``answer`` (the whole, as in JSON: this is what counts, whatever the steps were) and
        ``problem``. A stream ends after 30 seconds at most, with or without its answer. A server that has no room for
        one answers with JSON.
        """
        question = question_of(question_id, self.known_end_user(request))
        if _accepts_stream(request):
            stream = answer_stream(question)
            if stream is not None:
                return StreamingHttpResponse(
                    stream, content_type=EVENT_STREAM, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
                )
        return _answer(question, {})


class Tours(TenantView):
    """``GET /v1/tours?route=``"""

    @extend_schema_serializer(component_name="Guides")
    class Output(serializers.Serializer[Any]):
        @extend_schema_serializer(component_name="GuideSummary")
        class Guide(serializers.Serializer[Any]):
            tour_id = serializers.UUIDField()
            title = serializers.CharField()
            steps_count = serializers.IntegerField()

        tours = Guide(many=True)
        suggestions = serializers.ListField(
            child=serializers.CharField(), help_text="What else one can do on this page, in the words of a question."
        )

    class Query(serializers.Serializer[Any]):
        route = serializers.CharField(max_length=300)
        locale = serializers.ChoiceField(choices=Organization.Locale.choices, required=False)

    @extend_schema(parameters=[Query], responses=Output, operation_id="tours_list")
    def get(self, request: Request) -> Any:
        """List the published tours of a page, and goals to ask about. Answers 304 to a matching ``If-None-Match``."""
        query = self.Query(data=request.query_params)
        query.is_valid(raise_exception=True)
        path = path_clean(query.validated_data["route"])
        locale = query.validated_data.get("locale") or self.caller.organization.locale
        guides = [
            {"tour_id": str(tour.pk), "title": version.title, "steps_count": len(version.steps)}
            for tour in published_for_path(path)
            if (version := tour.published_version) is not None
        ]
        listed = {"tours": guides, "suggestions": goals_of_path(path, locale)}
        etag = f'"{content_digest(listed)[:32]}"'
        response = Response(listed, headers={"ETag": etag, "Cache-Control": "private, max-age=0"})
        return get_conditional_response(request._request, etag=etag, response=response)


class Events(TenantView):
    """``POST /v1/events``"""

    @extend_schema_serializer(component_name="Events")
    class Input(EndUserInput):
        @extend_schema_serializer(component_name="TourEvent")
        class Event(serializers.Serializer[Any]):
            id = serializers.UUIDField(help_text="Made by the browser: a resend is recognised by it.")
            tour_id = serializers.UUIDField()
            type = serializers.ChoiceField(choices=TourEvent.Type.choices)
            step = serializers.IntegerField(min_value=0, max_value=100, required=False, allow_null=True)
            at = Moment()
            detail = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")

        events = Event(many=True)

        def validate_events(self, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
            if not 0 < len(events) <= MAX_EVENTS:
                raise serializers.ValidationError(_("between 1 and %(max)d events are expected") % {"max": MAX_EVENTS})
            return events

    @extend_schema_serializer(component_name="EventsRecorded")
    class Output(serializers.Serializer[Any]):
        accepted = serializers.IntegerField()
        duplicates = serializers.IntegerField()

    @extend_schema(request=Input, responses={202: Output}, operation_id="events_create")
    def post(self, request: Request) -> Response:
        """Record what happened while tours ran."""
        data = self.Input(data=request.data)
        data.is_valid(raise_exception=True)
        who = self.identify(request, data.validated_data)
        allow(bucket=f"events:{who.end_user.pk}", limit=BATCHES_PER_MINUTE)
        accepted, duplicates = events_record(
            organization=self.caller.organization,
            end_user=who.end_user,
            events=[
                ReportedEvent(
                    id=event["id"],
                    tour_id=event["tour_id"],
                    type=TourEvent.Type(event["type"]),
                    happened_at=event["at"],
                    step=event.get("step"),
                    detail=event["detail"],
                )
                for event in data.validated_data["events"]
            ],
        )
        return Response({"accepted": accepted, "duplicates": duplicates}, status=202)


def _accepts_stream(request: Request) -> bool:
    return EVENT_STREAM in request.headers.get("Accept", "")


def _patience_ms(request: Request) -> int:
    """Return how long a question may wait for its answer: not for long where its steps can be followed instead."""
    follows = _accepts_stream(request) and has_room()
    return min(settings.ASK_WAIT_MS, PATIENCE_OF_FOLLOWERS_MS) if follows else settings.ASK_WAIT_MS


def _answer(question: Question, extra: dict[str, Any]) -> Response:
    payload = question_answer_payload(question)
    if payload is None:
        return Response(
            {"question_id": question.pk, **extra}, status=202, headers={"Location": question_url(question.pk)}
        )
    return Response({**payload, **extra})
