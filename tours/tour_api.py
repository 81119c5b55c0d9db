"""One tour: to run it, to try a version of it on the page, to point a step of it at another element."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from moderation.states import EDITABLE
from organizations.api import TenantView
from organizations.masks import mask_patterns
from organizations.models import Organization
from skills.api import A11yNode
from tours.answering.presenting import STATUS_PUBLISHED, tour_payload
from tours.api import VISITOR_HEADERS, TourOutput
from tours.models import LIVE_STATUSES, Tour, TourVersion
from tours.preview import PreviewSession, preview_read, preview_token_create
from tours.review import review_url
from tours.selectors import version_visible_to
from tours.services import step_reattach

PREVIEW = OpenApiParameter(
    "preview", str, description="A token from the tour's review page: returns the version that it was made for."
)


@extend_schema_serializer(component_name="Tour")
class TourDetailOutput(TourOutput):
    """A tour, and what trying it takes when it was asked for with a preview token."""

    @extend_schema_serializer(component_name="TourPreview")
    class Preview(serializers.Serializer[Any]):
        token = serializers.CharField(help_text="Opens this version for what is left of half an hour.")
        version = serializers.IntegerField(help_text="The number of the version.")
        locale = serializers.ChoiceField(choices=Organization.Locale.choices, help_text="Of the organization.")
        editable = serializers.BooleanField(help_text="Whether a step of this version can be pointed elsewhere.")
        review_url = serializers.CharField()
        masks = serializers.ListField(
            child=serializers.CharField(), help_text="Patterns of the organization's own, hidden beside personal data."
        )

    preview = Preview(required=False)


class TourDetail(TenantView):
    """``GET /v1/tours/{id}``"""

    @extend_schema(parameters=[PREVIEW, *VISITOR_HEADERS], responses=TourDetailOutput, operation_id="tour_retrieve")
    def get(self, request: Request, tour_id: uuid.UUID) -> Response:
        """Return one tour: published, or given to this end user; with a preview token, the version that it opens."""
        token = request.query_params.get("preview", "")
        if token:
            return _tried(preview_read(token, organization=self.caller.organization, tour_id=tour_id))
        version = version_visible_to(tour_id, self.known_end_user(request))
        return Response(_payload(version.tour, version))


class StepTarget(TenantView):
    """``POST /v1/tours/{id}/steps/{index}/target``"""

    @extend_schema_serializer(component_name="StepTarget")
    class Input(serializers.Serializer[Any]):
        """The documented shape; ``skills.payload`` is what checks the node."""

        preview = serializers.CharField(max_length=600, help_text="The token of the version that is on the page.")
        route = serializers.CharField(max_length=300, help_text="location.pathname")
        node = A11yNode()

    class Read(serializers.Serializer[Any]):
        preview = serializers.CharField(max_length=600)
        route = serializers.CharField(max_length=300)
        node = serializers.JSONField()

    @extend_schema(request=Input, responses=TourDetailOutput, operation_id="step_target_create")
    def post(self, request: Request, tour_id: uuid.UUID, index: int) -> Response:
        """Point a step, counted from 0, at another element, in a new version under review; return it, to be tried.

        What is published stays so. Refused (409) when somebody saved or decided meanwhile.
        """
        data = self.Read(data=request.data)
        data.is_valid(raise_exception=True)
        told = data.validated_data
        session = preview_read(told["preview"], organization=self.caller.organization, tour_id=tour_id)
        tour = session.tour
        version = step_reattach(
            tour=tour,
            actor=session.member,
            seen_digest=session.version.digest,
            index=index,
            node=told["node"],
            route=told["route"],
        )
        if version is None:
            return _tried(session)
        token = preview_token_create(version=version, actor=session.member)
        return _tried(PreviewSession(token, session.organization, session.member, version))


def _tried(session: PreviewSession) -> Response:
    tour, version = session.tour, session.version
    preview = {
        "token": session.token,
        "version": version.number,
        "locale": session.organization.locale,
        "editable": tour.status in EDITABLE and tour.digest == version.digest,
        "review_url": settings.PUBLIC_URL.rstrip("/") + review_url(tour),
        "masks": mask_patterns(session.organization),
    }
    return Response({**_payload(tour, version), "preview": preview}, headers={"Cache-Control": "no-store"})


def _payload(tour: Tour, version: TourVersion) -> dict[str, Any]:
    """A tour that is asked for by its id may be meant for another page than the one it is asked from."""
    published = tour.status in LIVE_STATUSES and tour.published_version_id == version.pk
    source = STATUS_PUBLISHED if published else "history"
    return tour_payload(tour, version, source=source, published=published, route=tour.first_route)
