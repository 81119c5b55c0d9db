"""The recorder's addresses, under /v1/."""

from django.urls import path

from skills import api

urlpatterns = [
    path("recorder/sessions", api.RecorderSessions.as_view(), name="recorder-sessions"),
    path("recorder/renew", api.RecorderRenewal.as_view(), name="recorder-renew"),
    path("scans", api.Scans.as_view(), name="scans"),
    path("scans/<uuid:scan_id>", api.Scan.as_view(), name="scan"),
]
