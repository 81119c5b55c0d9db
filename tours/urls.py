"""The end user's addresses, under /v1/."""

from django.urls import path

from tours import api, tour_api

urlpatterns = [
    path("ai/ask", api.Ask.as_view(), name="ask"),
    path("ai/questions/<uuid:question_id>", api.QuestionAnswer.as_view(), name="question"),
    path("tours", api.Tours.as_view(), name="tours"),
    path("tours/<uuid:tour_id>", tour_api.TourDetail.as_view(), name="tour"),
    path("tours/<uuid:tour_id>/steps/<int:index>/target", tour_api.StepTarget.as_view(), name="step-target"),
    path("events", api.Events.as_view(), name="events"),
]
