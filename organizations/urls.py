"""The organization's own address in the API, under /v1/."""

from django.urls import path

from organizations import widget_api

urlpatterns = [path("widget", widget_api.Widget.as_view(), name="widget")]
