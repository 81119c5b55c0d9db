"""Shapes of the wire that are described here; ``shadow.cleaning`` and ``shadow.workflow_ir`` check them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from shadow.cleaning import CAUSES, KINDS, MAX_OPTIONS, MAX_TEXT, MAX_URL, UNSEEN
from shadow.workflow_ir import WorkflowIR


@extend_schema_serializer(component_name="ObservedTarget")
class TargetInput(serializers.Serializer[Any]):
    """The element that something happened to, every text of it masked."""

    tag = serializers.CharField(max_length=60, required=False)
    role = serializers.CharField(max_length=60, required=False)
    name = serializers.CharField(max_length=MAX_TEXT, required=False, help_text="Its accessible name.")
    type = serializers.CharField(max_length=60, required=False)
    selector = serializers.CharField(max_length=1_000, required=False)
    fallbackSelector = serializers.CharField(max_length=1_000, required=False)  # noqa: N815
    fingerprint = serializers.CharField(max_length=1_000, required=False)
    text = serializers.CharField(max_length=MAX_TEXT, required=False)
    row = serializers.CharField(max_length=MAX_TEXT, required=False)
    heading = serializers.CharField(max_length=MAX_TEXT, required=False)
    group = serializers.CharField(max_length=MAX_TEXT, required=False)
    form = serializers.CharField(max_length=MAX_TEXT, required=False)
    landmark = serializers.CharField(max_length=MAX_TEXT, required=False)
    interactive = serializers.BooleanField(required=False)
    matches = serializers.IntegerField(required=False, help_text="How many elements share its role and name.")


@extend_schema_serializer(component_name="ObservedEvent")
class EventInput(serializers.Serializer[Any]):
    """Something that happened in a page. Unknown keys are ignored."""

    sequence = serializers.IntegerField(min_value=0, help_text="The client's order; unique in the session.")
    kind = serializers.ChoiceField(choices=sorted(KINDS))
    at = serializers.FloatField(help_text="Seconds since 1970.")
    url = serializers.CharField(max_length=MAX_URL, required=False, help_text="Without values of its query.")
    title = serializers.CharField(max_length=MAX_TEXT, required=False)
    frame = serializers.CharField(max_length=MAX_TEXT, required=False, help_text="The same-origin iframe it is in.")
    trusted = serializers.BooleanField(required=False, help_text="Whether a person did it; a script's are left out.")
    target = TargetInput(required=False)
    value = serializers.CharField(max_length=MAX_TEXT, required=False)
    secret = serializers.BooleanField(required=False, help_text="Whether its element ever held a secret.")
    option = serializers.CharField(max_length=MAX_TEXT, required=False)
    options = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TEXT), max_length=MAX_OPTIONS, required=False
    )
    checked = serializers.BooleanField(required=False)
    key = serializers.CharField(max_length=40, required=False, help_text="Never one that writes a character.")
    detail = serializers.IntegerField(required=False)
    cause = serializers.ChoiceField(choices=sorted(CAUSES), required=False)
    from_url = serializers.CharField(max_length=MAX_URL, required=False)
    files = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TEXT), max_length=MAX_OPTIONS, required=False
    )
    reason = serializers.ChoiceField(choices=sorted(UNSEEN), required=False)
    undone = serializers.ListField(child=serializers.IntegerField(), required=False)


def _within_openapi(schema: Any) -> Any:
    """Return a JSON Schema in the words of OpenAPI 3.0; what references refer to stands in their place."""
    definitions = schema.get("$defs", {})

    def put(value: Any) -> Any:
        if isinstance(value, list):
            return [put(one) for one in value]
        if not isinstance(value, dict):
            return value
        if "$ref" in value:
            named = definitions[value["$ref"].rsplit("/", 1)[-1]]
            return put({**named, **{key: one for key, one in value.items() if key != "$ref"}})
        if {"type": "null"} in value.get("anyOf", ()):
            other = next(one for one in value["anyOf"] if one != {"type": "null"})
            return put({**other, **{key: one for key, one in value.items() if key != "anyOf"}, "nullable": True})
        if "const" in value:
            return put({**{key: one for key, one in value.items() if key != "const"}, "enum": [value["const"]]})
        return {key: put(one) for key, one in value.items() if key != "$defs"}

    return put(schema)


@extend_schema_field(_within_openapi(WorkflowIR.model_json_schema()))
class WorkflowOutput(serializers.JSONField):
    """A workflow, described by its JSON Schema."""
