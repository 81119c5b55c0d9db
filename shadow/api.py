"""The doors of demonstrations, under /api/v1/: events come in, observing begins and ends, what is right is said."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from organizations.models import Organization
from organizations.ratelimit import allow
from shadow import selectors, services
from shadow.credentials import ObserverView
from shadow.ingestion import LONGEST_MACHINE_NAME, MOST_IN_A_BATCH
from shadow.models import LONGEST_ID, Feedback, ObservationSession, UnderstoodStep
from shadow.serializers import EventInput, WorkflowOutput

# Of an organization: a hundred people who show at once send less.
BATCHES_PER_MINUTE = 3_000
SINCE = OpenApiParameter(
    "since_ts", float, description="Seconds since 1970: notifications of what happened after this moment alone."
)
MACHINE = OpenApiParameter("machine_id", str, description="Sessions of this machine alone.")


class Named(serializers.Serializer[Any]):
    """What every call about one session says."""

    session_id = serializers.CharField(max_length=LONGEST_ID)


class StepOutput(serializers.Serializer[Any]):
    """A step as it is understood now."""

    @extend_schema_serializer(component_name="UnderstoodTarget")
    class Target(serializers.Serializer[Any]):
        name = serializers.CharField()
        role = serializers.CharField()

    @extend_schema_serializer(component_name="FoundParameter")
    class Parameter(serializers.Serializer[Any]):
        name = serializers.CharField()
        example = serializers.CharField()

    step = serializers.IntegerField(help_text="Its number, from 1.")
    intent = serializers.CharField()
    confidence = serializers.FloatField()
    kind = serializers.CharField()
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Why it is less sure than it could be.")
    state = serializers.ChoiceField(choices=UnderstoodStep.State.choices)
    events = serializers.ListField(child=serializers.IntegerField(), help_text="Numbers of the events it is made of.")
    url = serializers.CharField()
    title = serializers.CharField()
    target = Target(allow_null=True)
    value = serializers.CharField(required=False)
    option = serializers.CharField(required=False)
    checked = serializers.BooleanField(required=False)
    secret = serializers.BooleanField(required=False)
    files = serializers.ListField(child=serializers.CharField(), required=False)
    parameter = Parameter(required=False)
    event_words = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="What happened at each of `events`, where there are several: where the step can be split.",
    )


class ShadowStart(ObserverView):
    """``POST /api/v1/shadow/start``"""

    @extend_schema_serializer(component_name="ShadowStarted")
    class Output(serializers.Serializer[Any]):
        status = serializers.CharField(help_text="`shadow_started`")
        session_id = serializers.CharField()
        message = serializers.CharField()
        already = serializers.BooleanField(help_text="Whether it was being observed before.")

    @extend_schema(request=Named, responses=Output, operation_id="shadow_start")
    def post(self, request: Request) -> Response:
        """Observe a session from its next event on; one that is being observed goes on (`already`)."""
        data = _read(Named, request)
        started = services.session_start(
            organization=self.observer.organization, member=self.observer.member, session_id=data["session_id"]
        )
        return Response(asdict(started))


class ShadowStop(ObserverView):
    """``POST /api/v1/shadow/stop``"""

    @extend_schema_serializer(component_name="ShadowStopped")
    class Output(serializers.Serializer[Any]):
        status = serializers.CharField(help_text="`shadow_stopped`")
        session_id = serializers.CharField()
        steps_count = serializers.IntegerField()
        understanding = StepOutput(many=True)

    @extend_schema(request=Named, responses=Output, operation_id="shadow_stop")
    def post(self, request: Request) -> Response:
        """End the observing of a session and return the steps that were understood."""
        data = _read(Named, request)
        stopped = services.session_stop(
            organization=self.observer.organization, member=self.observer.member, session_id=data["session_id"]
        )
        return Response(asdict(stopped))


class ShadowUnderstanding(ObserverView):
    """``GET /api/v1/shadow/{session_id}/understanding``"""

    @extend_schema_serializer(component_name="ShadowUnderstanding")
    class Output(serializers.Serializer[Any]):
        @extend_schema_serializer(component_name="ShadowNotification")
        class Notification(serializers.Serializer[Any]):
            at = serializers.FloatField()
            kind = serializers.CharField()
            message = serializers.CharField()

        session_id = serializers.CharField()
        status = serializers.ChoiceField(choices=ObservationSession.Status.choices)
        recording = serializers.BooleanField()
        steps = StepOutput(many=True)
        current_step = StepOutput(allow_null=True, help_text="The step that may still change.")
        notifications = Notification(many=True)

    @extend_schema(parameters=[SINCE], responses=Output, operation_id="shadow_understanding")
    def get(self, request: Request, session_id: str) -> Response:
        """Return what is understood of a session so far."""
        since = _read_from(SinceInput, request.query_params.dict()).get("since_ts")
        answer = services.session_understanding(
            organization=self.observer.organization,
            member=self.observer.member,
            session_id=session_id,
            since_ts=since,
        )
        return Response(answer, headers={"Cache-Control": "no-store"})


class SinceInput(serializers.Serializer[Any]):
    """The query of an understanding."""

    since_ts = serializers.FloatField(required=False)


class ShadowFeedback(ObserverView):
    """``POST /api/v1/shadow/feedback``"""

    @extend_schema_serializer(component_name="ShadowFeedback")
    class Input(Named):
        action = serializers.ChoiceField(choices=Feedback.Action.choices)
        step_index = serializers.IntegerField(
            required=False, allow_null=True, help_text="From 1. Required but to validate all steps, or to cancel."
        )
        new_intent = serializers.CharField(
            required=False, allow_null=True, allow_blank=True, max_length=2_000, help_text="Required to correct."
        )
        at_event_index = serializers.IntegerField(
            required=False,
            allow_null=True,
            help_text="The number of the event that the second part begins with. Required to split.",
        )

    @extend_schema_serializer(component_name="ShadowFeedbackResult")
    class Output(serializers.Serializer[Any]):
        @extend_schema_serializer(component_name="ShadowFeedbackDetail")
        class Result(serializers.Serializer[Any]):
            action = serializers.CharField()
            reason = serializers.CharField(required=False, help_text="Why it was rejected.")
            understanding = StepOutput(many=True)

        status = serializers.ChoiceField(choices=["feedback_applied", "feedback_rejected"])
        result = Result()

    @extend_schema(request=Input, responses=Output, operation_id="shadow_feedback")
    def post(self, request: Request) -> Response:
        """Put right what was understood; what makes no sense is rejected with the reason, and kept all the same."""
        data = _read(self.Input, request)
        answer = services.feedback_apply(
            organization=self.observer.organization,
            member=self.observer.member,
            session_id=data["session_id"],
            action=data["action"],
            step_index=data.get("step_index"),
            new_intent=data.get("new_intent"),
            at_event_index=data.get("at_event_index"),
        )
        return Response(answer)


class ShadowBuild(ObserverView):
    """``POST /api/v1/shadow/build``"""

    @extend_schema_serializer(component_name="ShadowBuild")
    class Input(Named):
        @extend_schema_serializer(component_name="ParameterSaid")
        class Parameter(serializers.Serializer[Any]):
            step = serializers.IntegerField()
            confirmed = serializers.BooleanField(default=True, help_text="Whether the value changes.")
            name = serializers.CharField(required=False, allow_blank=True, max_length=120)

        name = serializers.CharField(max_length=120)
        domain = serializers.CharField(max_length=60, default="generic")
        require_all_validated = serializers.BooleanField(default=False)
        parameters = Parameter(many=True, required=False)

    @extend_schema_serializer(component_name="ShadowBuilt")
    class Output(serializers.Serializer[Any]):
        status = serializers.ChoiceField(choices=["workflow_built", "cancelled"])
        workflow_ir = WorkflowOutput(required=False)

    @extend_schema(request=Input, responses=Output, operation_id="shadow_build")
    def post(self, request: Request) -> Response:
        """Make the workflow of the steps that stand, once at least one of them was validated."""
        data = _read(self.Input, request)
        answer = services.workflow_build(organization=self.observer.organization, member=self.observer.member, **data)
        return Response(answer)


class CompetencePersist(ObserverView):
    """``POST /api/v1/lea/competences/candidate/persist``"""

    @extend_schema_serializer(component_name="CompetencePersist")
    class Input(serializers.Serializer[Any]):
        """The documented shape; ``shadow.workflow_ir`` is what checks the workflow."""

        workflow_ir = WorkflowOutput()
        machine_id = serializers.CharField(max_length=LONGEST_ID)

    class Read(serializers.Serializer[Any]):
        workflow_ir = serializers.JSONField()
        machine_id = serializers.CharField(max_length=LONGEST_ID)

    @extend_schema_serializer(component_name="CompetencePersisted")
    class Output(serializers.Serializer[Any]):
        status = serializers.CharField(help_text="`persisted`")
        competence_id = serializers.UUIDField()
        path = serializers.CharField(help_text="The YAML file, within the data folder.")
        tour_id = serializers.UUIDField(allow_null=True)
        review_url = serializers.CharField(allow_null=True)

    @extend_schema(request=Input, responses={201: Output}, operation_id="competence_persist")
    def post(self, request: Request) -> Response:
        """Keep a built workflow as a candidate, and submit the tour that comes of it to review."""
        data = _read(self.Read, request)
        answer = services.competence_persist(
            organization=self.observer.organization, member=self.observer.member, **data
        )
        return Response(answer, status=201)


class TraceEvents(ObserverView):
    """``POST /api/v1/traces/stream/event``"""

    @extend_schema_serializer(component_name="TraceEvents")
    class Input(Named):
        """The documented shape; ``shadow.cleaning`` is what checks each event."""

        machine_id = serializers.CharField(max_length=LONGEST_ID)
        machine_name = serializers.CharField(max_length=LONGEST_MACHINE_NAME, required=False)
        locale = serializers.ChoiceField(choices=Organization.Locale.choices, required=False)
        event = EventInput(required=False)
        events = serializers.ListField(
            child=EventInput(), required=False, max_length=MOST_IN_A_BATCH, help_text="Instead of `event`."
        )

    class Read(Named):
        machine_id = serializers.CharField(max_length=LONGEST_ID)
        machine_name = serializers.CharField(
            max_length=LONGEST_MACHINE_NAME, required=False, allow_blank=True, default=""
        )
        locale = serializers.ChoiceField(choices=Organization.Locale.choices, required=False, default="")
        event = serializers.JSONField(required=False)
        events = serializers.ListField(child=serializers.JSONField(), required=False)

    @extend_schema_serializer(component_name="TraceAccepted")
    class Output(serializers.Serializer[Any]):
        @extend_schema_serializer(component_name="TraceDropped")
        class Dropped(serializers.Serializer[Any]):
            sequence = serializers.IntegerField(allow_null=True)
            reason = serializers.CharField()

        status = serializers.CharField(help_text="`accepted`")
        session_id = serializers.CharField()
        received = serializers.IntegerField(help_text="How many are new.")
        duplicates = serializers.IntegerField()
        dropped = Dropped(many=True)
        last_sequence = serializers.IntegerField()
        recording = serializers.BooleanField(help_text="Whether the session is being observed.")

    @extend_schema(request=Input, responses={202: Output}, operation_id="trace_create")
    def post(self, request: Request) -> Response:
        """Keep events, one or a batch. A session registers itself at its first event; the same event counts once."""
        data = _read(self.Read, request)
        allow(bucket=f"traces:{self.observer.organization.pk}", limit=BATCHES_PER_MINUTE)
        events = data.get("events", [])
        if "event" in data:
            events = [data["event"], *events]
        ingested = services.events_ingest(
            organization=self.observer.organization,
            member=self.observer.member,
            session_id=data["session_id"],
            machine_id=data["machine_id"],
            machine_name=data["machine_name"],
            user_agent=request.headers.get("User-Agent", ""),
            locale=data["locale"],
            events=events,
        )
        return Response(asdict(ingested), status=202)


class TraceMachines(ObserverView):
    """``GET /api/v1/traces/stream/machines``"""

    @extend_schema_serializer(component_name="TraceMachines")
    class Output(serializers.Serializer[Any]):
        @extend_schema_serializer(component_name="TraceMachine")
        class Machine(serializers.Serializer[Any]):
            machine_id = serializers.CharField()
            name = serializers.CharField()
            last_seen_at = serializers.DateTimeField()

        machines = Machine(many=True)

    @extend_schema(responses=Output, operation_id="trace_machines")
    def get(self, request: Request) -> Response:  # noqa: ARG002
        """Return the machines that events came from lately, the last one first."""
        found = selectors.machines(self.observer.organization, self.observer.member)
        return Response({"machines": found}, headers={"Cache-Control": "no-store"})


class TraceSessions(ObserverView):
    """``GET /api/v1/traces/stream/sessions``"""

    @extend_schema_serializer(component_name="TraceSessions")
    class Output(serializers.Serializer[Any]):
        @extend_schema_serializer(component_name="TraceSession")
        class Session(serializers.Serializer[Any]):
            session_id = serializers.CharField()
            machine_id = serializers.CharField()
            status = serializers.ChoiceField(choices=ObservationSession.Status.choices)
            recording = serializers.BooleanField()
            finalized = serializers.BooleanField(help_text="Whether nothing more is to be expected of it.")
            events_count = serializers.IntegerField()
            started_at = serializers.DateTimeField(allow_null=True)
            last_event_at = serializers.DateTimeField()

        sessions = Session(many=True)

    @extend_schema(parameters=[MACHINE], responses=Output, operation_id="trace_sessions")
    def get(self, request: Request) -> Response:
        """Return the sessions, the last active first."""
        machine_id = request.query_params.get("machine_id")
        found = selectors.sessions(self.observer.organization, machine_id, self.observer.member)
        return Response({"sessions": found}, headers={"Cache-Control": "no-store"})


def _read(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    return _read_from(serializer, request.data)


def _read_from(serializer: type[serializers.Serializer[Any]], given: Any) -> dict[str, Any]:
    data = serializer(data=given)
    data.is_valid(raise_exception=True)
    return dict(data.validated_data)
