"""Addresses of demonstrations, under /api/v1/."""

from django.urls import path

from shadow import api

urlpatterns = [
    path("shadow/start", api.ShadowStart.as_view(), name="shadow-start"),
    path("shadow/stop", api.ShadowStop.as_view(), name="shadow-stop"),
    path("shadow/feedback", api.ShadowFeedback.as_view(), name="shadow-feedback"),
    path("shadow/build", api.ShadowBuild.as_view(), name="shadow-build"),
    path("shadow/<str:session_id>/understanding", api.ShadowUnderstanding.as_view(), name="shadow-understanding"),
    path("traces/stream/event", api.TraceEvents.as_view(), name="trace-event"),
    path("traces/stream/machines", api.TraceMachines.as_view(), name="trace-machines"),
    path("traces/stream/sessions", api.TraceSessions.as_view(), name="trace-sessions"),
    path("lea/competences/candidate/persist", api.CompetencePersist.as_view(), name="competence-persist"),
]
