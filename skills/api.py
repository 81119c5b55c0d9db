"""The recorder's side of the API: sessions and scans."""

from __future__ import annotations

import uuid
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.response import Response

from organizations.api import TenantView, bearer, request_origin
from organizations.errors import ServiceError
from organizations.masks import mask_patterns
from organizations.models import Organization, SdkKey
from organizations.scoping import every_tenant, tenant_scope
from skills.models import PageScan
from skills.payload import FINGERPRINT, MAX_FINGERPRINT
from skills.recorder import (
    TOKEN_PREFIX,
    RecorderSession,
    recorder_code_exchange,
    recorder_token_read,
    recorder_token_renew,
)
from skills.selectors import scan_get
from skills.services import scan_accept


class A11yNode(serializers.Serializer[Any]):
    """One element of a scanned page, every text of it masked. Described here; checked by ``skills.payload``."""

    class Context(serializers.Serializer[Any]):
        heading = serializers.CharField(max_length=300, required=False)
        form = serializers.CharField(max_length=300, required=False)
        group = serializers.CharField(max_length=300, required=False)
        row = serializers.CharField(max_length=300, required=False, help_text="The name of its table row.")
        column = serializers.CharField(max_length=300, required=False, help_text="The header of its table column.")
        landmark = serializers.CharField(max_length=300, required=False, help_text="The part of the page it is in.")

    class State(serializers.Serializer[Any]):
        closed = serializers.BooleanField(required=False)
        opener = serializers.CharField(
            max_length=300, required=False, help_text="The selector of what reveals the element."
        )
        disabled = serializers.BooleanField(required=False)
        required = serializers.BooleanField(required=False)  # type: ignore[assignment] # the wire's word
        checked = serializers.BooleanField(required=False)
        selected = serializers.BooleanField(required=False)
        expanded = serializers.BooleanField(required=False)
        ariaHidden = serializers.BooleanField(  # noqa: N815
            required=False, help_text="Hidden from assistive technology, though people who see use it."
        )

    id = serializers.CharField(max_length=300)
    tag = serializers.CharField(max_length=300)
    type = serializers.CharField(max_length=300, required=False)
    label = serializers.CharField(max_length=300, required=False)  # type: ignore[assignment] # the wire's word
    placeholder = serializers.CharField(max_length=300, required=False)
    role = serializers.CharField(max_length=300, required=False)
    selector = serializers.CharField(
        max_length=300,
        help_text="A CSS selector; ` >>> ` enters an open shadow root or the document of a same-origin iframe.",
    )
    isInteractive = serializers.BooleanField()  # noqa: N815
    fallbackSelector = serializers.CharField(max_length=300, required=False)  # noqa: N815
    name = serializers.CharField(max_length=300, required=False)
    frame = serializers.CharField(
        max_length=300, required=False, help_text="The selector of the same-origin iframe that the element is in."
    )
    fingerprint = serializers.RegexField(
        FINGERPRINT,
        max_length=MAX_FINGERPRINT,
        required=False,
        help_text="What the scanner recognises the element by later. Opaque to the server.",
    )
    options = serializers.ListField(child=serializers.CharField(max_length=300), max_length=12, required=False)
    context = Context(required=False)  # type: ignore[assignment] # the wire's word
    state = State(required=False)


class RecorderAuthentication(BaseAuthentication):
    """Puts the ``RecorderSession`` of an ``rt_…`` token in ``request.auth``; the page must be one of the tenant's."""

    def authenticate(self, request: Request) -> tuple[Any, RecorderSession]:
        token = bearer(request)
        if not token.startswith(TOKEN_PREFIX):
            raise ServiceError(
                "recorder_token_required",
                _("Learning a page takes a recorder token: open “Learn a page” in the administration."),
                status=401,
            )
        with every_tenant():
            session = recorder_token_read(token)
        require_known_origin(request, session.organization)
        return AnonymousUser(), session

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        return "Bearer"


def require_known_origin(request: Request, organization: Organization) -> None:
    """Let the page that sends a request read its answer, if it is one of the organization's.

    Raises ``ServiceError`` (``origin_not_allowed``, 403).
    """
    origin = request_origin(request)
    with tenant_scope(organization.id):
        known = SdkKey.objects.filter(kind=SdkKey.Kind.PUBLISHABLE, revoked_at=None, allowed_origins__contains=[origin])
        if origin is None or not known.exists():
            raise ServiceError(
                "origin_not_allowed",
                _("Pages of %(origin)s are not among this organization's allowed origins.")
                % {"origin": origin or _("a request without an origin")},
                status=403,
            )
    request._request.cors_origin = origin  # type: ignore[attr-defined]


class RecorderSessions(TenantView):
    """``POST /v1/recorder/sessions``"""

    @extend_schema_serializer(component_name="RecorderCode")
    class Input(serializers.Serializer[Any]):
        code = serializers.CharField(max_length=100)

    @extend_schema_serializer(component_name="RecorderSession")
    class Output(serializers.Serializer[Any]):
        token = serializers.CharField()
        expires_in = serializers.IntegerField(help_text="Seconds.")
        organization = serializers.CharField()
        member = serializers.CharField()
        locale = serializers.ChoiceField(choices=Organization.Locale.choices)
        masks = serializers.ListField(
            child=serializers.CharField(),
            help_text="Patterns of the organization's own, which the recorder hides beside personal data.",
        )

    @extend_schema(request=Input, responses={201: Output}, operation_id="recorder_session_create")
    def post(self, request: Request) -> Response:
        """Exchange a one-time code for a recorder token that lasts half an hour."""
        data = self.Input(data=request.data)
        data.is_valid(raise_exception=True)
        session = recorder_code_exchange(organization=self.caller.organization, code=data.validated_data["code"])
        answer = {
            "token": session.token,
            "expires_in": session.expires_in,
            "organization": session.organization.name,
            "member": str(session.member),
            "locale": session.organization.locale,
            "masks": mask_patterns(session.organization),
        }
        return Response(answer, status=201)


class RecorderView(TenantView):
    """A view for a recorder's token."""

    authentication_classes = [RecorderAuthentication]

    @property
    def session(self) -> RecorderSession:
        """The member's recording session."""
        session: RecorderSession = cast("Any", self.request.auth)
        return session


class RecorderRenewal(RecorderView):
    """``POST /v1/recorder/renew``"""

    @extend_schema_serializer(component_name="RecorderRenewal")
    class Output(serializers.Serializer[Any]):
        token = serializers.CharField()
        expires_in = serializers.IntegerField(help_text="Seconds.")

    @extend_schema(request=None, responses=Output, operation_id="recorder_renew")
    def post(self, request: Request) -> Response:  # noqa: ARG002
        """Exchange a recorder token that is still good for one that lasts half an hour from now.

        No token outlives its one-time code's use by more than eight hours.
        """
        renewed = recorder_token_renew(self.session)
        return Response({"token": renewed.token, "expires_in": renewed.expires_in})


class Scans(RecorderView):
    """``POST /v1/scans``"""

    @extend_schema_serializer(component_name="PageScan")
    class Input(serializers.Serializer[Any]):
        """The documented shape; ``skills.payload`` is what checks the nodes."""

        urlPattern = serializers.CharField(max_length=300)  # noqa: N815
        pageTitle = serializers.CharField(max_length=300)  # noqa: N815
        nodes = A11yNode(many=True)
        truncated = serializers.BooleanField(required=False, help_text="The page held more than may be sent.")
        name = serializers.CharField(max_length=255, required=False)
        locale = serializers.ChoiceField(choices=Organization.Locale.choices, required=False)

    @extend_schema_serializer(component_name="ScanAccepted")
    class Output(serializers.Serializer[Any]):
        scan_id = serializers.UUIDField()

    @extend_schema(request=Input, responses={202: Output}, operation_id="scan_create")
    def post(self, request: Request) -> Response:
        """Accept a scan; a worker learns it."""
        session = self.session
        body = request.data if isinstance(request.data, dict) else {}
        name, locale = body.get("name", ""), body.get("locale", session.organization.locale)
        if not isinstance(name, str) or len(name) > 255:
            raise ServiceError(
                "invalid_scan", _("This is not a page scan."), status=422, fields={"name": _("a text is expected")}
            )
        if locale not in Organization.Locale.values:
            raise ServiceError(
                "invalid_scan",
                _("This is not a page scan."),
                status=422,
                fields={"locale": _("“fr” or “en” is expected")},
            )
        scan = scan_accept(
            organization=session.organization, actor=session.member, data=request.data, name=name, locale=locale
        )
        return Response({"scan_id": scan.pk}, status=202, headers={"Location": reverse("scan", args=[scan.pk])})


class Scan(RecorderView):
    """``GET /v1/scans/{id}``"""

    @extend_schema_serializer(component_name="ScanStatus")
    class Output(serializers.Serializer[Any]):
        @extend_schema_serializer(component_name="LearnedSkill")
        class Skill(serializers.Serializer[Any]):
            id = serializers.UUIDField()
            name = serializers.CharField()
            intents = serializers.IntegerField(help_text="How many actions were learnt.")
            review_url = serializers.CharField()

        scan_id = serializers.UUIDField()
        status = serializers.ChoiceField(choices=PageScan.State.choices)
        skill = Skill(allow_null=True)
        message = serializers.CharField(required=False)

    @extend_schema(responses=Output, operation_id="scan_retrieve")
    def get(self, request: Request, scan_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Say how far the learning of a scan is."""
        scan = scan_get(organization=self.session.organization, scan_id=scan_id)
        skill = getattr(scan, "skill", None)
        answer: dict[str, Any] = {"scan_id": scan.pk, "status": scan.state, "skill": None}
        if skill is not None:
            answer["skill"] = {
                "id": skill.pk,
                "name": skill.name,
                "intents": len(skill.actions_json["intents"]),
                "review_url": settings.PUBLIC_URL.rstrip("/")
                + reverse("admin:skills_pageskill_review", args=[skill.pk]),
            }
        if scan.failure:
            answer["message"] = scan.failure
        return Response(answer)
