"""What the widget asks before it shows itself."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Any

import orjson
from django.utils.cache import get_conditional_response
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from organizations.api import TenantView
from organizations.models import Organization
from organizations.widget import widget_settings

FRESH_FOR_S = 300


class Widget(TenantView):
    """``GET /v1/widget``"""

    @extend_schema_serializer(component_name="WidgetSettings")
    class Output(serializers.Serializer[Any]):
        accent = serializers.CharField(help_text="`#rrggbb`; white text on it is readable.")
        side = serializers.ChoiceField(choices=Organization.Side.choices)
        offset_x = serializers.IntegerField(help_text="CSS pixels from that side.")
        offset_y = serializers.IntegerField(help_text="CSS pixels from the bottom.")
        label = serializers.CharField(  # type: ignore[assignment] # DRF's own Field.label is an attribute of instances
            help_text="A word beside the launcher's icon; may be empty."
        )
        hidden_on = serializers.ListField(
            child=serializers.CharField(), help_text="Paths; `*` is one part, `**` at the end all that follow."
        )
        events_percent = serializers.IntegerField(help_text="The share of visits that report what happens in tours.")

    @extend_schema(responses=Output, operation_id="widget_retrieve")
    def get(self, request: Request) -> Any:
        """Tell how the widget looks and where it stands. Answers 304 to a matching ``If-None-Match``."""
        settings = asdict(widget_settings(self.caller.organization))
        etag = f'"{hashlib.sha256(orjson.dumps(settings)).hexdigest()[:32]}"'
        headers = {"ETag": etag, "Cache-Control": f"private, max-age={FRESH_FOR_S}"}
        return get_conditional_response(request._request, etag=etag, response=Response(settings, headers=headers))
