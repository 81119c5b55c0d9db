"""Demonstrations in the administration: what was observed, and what was learnt of it. Looked at, not edited."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from organizations.admin_base import TenantModelAdmin, badge, may, moment, page, require, signed_in
from organizations.errors import ServiceError
from organizations.models import Role
from shadow.admin_export import FORMS, competence_document, download, tour_view
from shadow.admin_import import import_view
from shadow.building import LONGEST_NAME
from shadow.competences import file_name
from shadow.models import Competence, Feedback, ObservationSession
from shadow.services import session_delete, session_learn
from shadow.understanding import steps_of
from shadow.workflow_ir import WorkflowIR

SESSION_TONES = {
    ObservationSession.Status.ACTIVE: "quiet",
    ObservationSession.Status.RECORDING: "bad",
    ObservationSession.Status.STOPPED: "info",
    ObservationSession.Status.BUILT: "good",
    ObservationSession.Status.CANCELLED: "quiet",
}
FEEDBACK_SHOWN = 100


def called(session: ObservationSession) -> str:
    """Return what people call a session by: its id says nothing to them."""
    began = date_format(localtime(session.started_at or session.created_at), "SHORT_DATETIME_FORMAT")
    return gettext("Demonstration of %(when)s") % {"when": began}


@admin.register(ObservationSession)
class ObservationSessionAdmin(TenantModelAdmin):
    list_title = _("Demonstrations")
    list_display = [
        "what",
        "status_label",
        "member",
        "machine",
        "events_count",
        moment("last_event_at", _("Last")),
    ]
    list_filter = ["status"]
    add_role = Role.AUTHOR
    add_label = _("Import a recording")
    search_fields = ["session_id", "machine__name", "machine__machine_id"]
    search_help_text = _("Search in sessions and machines")
    list_select_related = ["machine", "member"]

    @admin.display(description=_("Demonstration"), ordering="created_at")
    def what(self, session: ObservationSession) -> str:
        return called(session)

    @admin.display(description=_("Status"), ordering="status")
    def status_label(self, session: ObservationSession) -> SafeString:
        return status_badge(session)

    def get_urls(self) -> list[Any]:
        delete = self.admin_site.admin_view(require_POST(self.forget_view))
        learn = self.admin_site.admin_view(require_POST(self.learn_view))
        return [
            path("<uuid:pk>/forget/", delete, name="shadow_observationsession_forget"),
            path("<uuid:pk>/learn/", learn, name="shadow_observationsession_learn"),
            *super().get_urls(),
        ]

    def add_view(self, request: HttpRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Import a recording of another tool."""
        return import_view(request, self.opts)

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show what was understood, and what was said of it."""
        session = cast(ObservationSession, self.get_object(request, object_id))
        said = Feedback.objects.filter(session=session).select_related("by").order_by("-id")
        context = {
            "title": called(session),
            "session": session,
            "status": status_badge(session),
            "steps": steps_of(session),
            "feedback": said[:FEEDBACK_SHOWN],
            "competences": Competence.objects.filter(session=session),
            "may_delete": self._may_delete(request, session),
            "may_learn": self._may_learn(request, session),
            "longest_name": LONGEST_NAME,
            "opts": self.opts,
        }
        return page(request, "admin/shadow/observationsession/change.html", context)

    def forget_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Delete a session with all that was observed in it."""
        session = cast(ObservationSession, self.get_object(request, str(pk)))
        require(request, Role.AUTHOR if session.member_id == request.user.pk else Role.ADMIN, session.organization_id)
        session_delete(session=session, actor=signed_in(request))
        messages.success(request, gettext("The demonstration and its events were deleted."))
        return HttpResponseRedirect(reverse("admin:shadow_observationsession_changelist"))

    def learn_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Take the steps as they are, under a name, and lead to the review of the guide that comes of it."""
        session = cast(ObservationSession, self.get_object(request, str(pk)))
        require(request, Role.AUTHOR, session.organization_id)
        try:
            kept = session_learn(session=session, member=signed_in(request), name=request.POST.get("name", ""))
        except ServiceError as error:
            messages.error(request, " ".join([error.detail, *error.fields.values()]))
            return HttpResponseRedirect(reverse("admin:shadow_observationsession_change", args=[session.pk]))
        messages.success(request, gettext("Learnt: the guide waits for its review."))
        if kept["tour_id"] is None:
            return HttpResponseRedirect(reverse("admin:shadow_competence_change", args=[kept["competence_id"]]))
        return HttpResponseRedirect(reverse("admin:tours_tour_review", args=[kept["tour_id"]]))

    def _may_learn(self, request: HttpRequest, session: ObservationSession) -> bool:
        is_own = session.member_id in (None, request.user.pk)
        is_over = session.status == ObservationSession.Status.STOPPED
        return is_own and is_over and may(request, Role.AUTHOR, session.organization_id)

    def _may_delete(self, request: HttpRequest, session: ObservationSession) -> bool:
        needed = Role.AUTHOR if session.member_id == request.user.pk else Role.ADMIN
        return may(request, needed, session.organization_id)


@admin.register(Competence)
class CompetenceAdmin(TenantModelAdmin):
    list_display = ["name", "status_label", "guide", "domain", "member", moment("created_at", _("Learnt"))]
    list_filter = ["status", "domain"]
    search_fields = ["name", "domain"]
    search_help_text = _("Search in names and domains")
    list_select_related = ["tour", "member"]

    @admin.display(description=_("Status"), ordering="status")
    def status_label(self, competence: Competence) -> SafeString:
        return competence_badge(competence)

    @admin.display(description=_("Tour"))
    def guide(self, competence: Competence) -> SafeString | str:
        if competence.tour is None:
            return "–"
        url = reverse("admin:tours_tour_review", args=[competence.tour.pk])
        return format_html('<a href="{}">{}</a>', url, competence.tour.get_status_display())

    def get_urls(self) -> list[Any]:
        yaml = self.admin_site.admin_view(self.yaml_view)
        export = self.admin_site.admin_view(self.export_view)
        return [
            path("<uuid:pk>/yaml/", yaml, name="shadow_competence_yaml"),
            path("<uuid:pk>/export/<str:form>/", export, name="shadow_competence_export"),
            path("tour/<uuid:pk>/export/<str:form>/", self.admin_site.admin_view(tour_view), name="shadow_tour_export"),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show a competence's steps, what changes from time to time, and its tour."""
        competence = cast(Competence, self.get_object(request, object_id))
        context = {
            "title": competence.name,
            "competence": competence,
            "status": competence_badge(competence),
            "workflow": WorkflowIR.read(competence.workflow_ir),
            "forms": FORMS,
            "opts": self.opts,
        }
        return page(request, "admin/shadow/competence/change.html", context)

    def yaml_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Give the YAML file."""
        competence = cast(Competence, self.get_object(request, str(pk)))
        named = {"Content-Disposition": f'attachment; filename="{file_name(competence)}"'}
        return HttpResponse(competence.yaml_text, content_type="application/yaml; charset=utf-8", headers=named)

    def export_view(self, request: HttpRequest, pk: Any, form: str) -> HttpResponse:
        """Give the task in a form for replays, for other code or for paper."""
        competence = cast(Competence, self.get_object(request, str(pk)))
        return download(competence.organization, competence_document(competence), form)


def status_badge(session: ObservationSession) -> SafeString:
    """Return where a session stands."""
    return badge(SESSION_TONES[ObservationSession.Status(session.status)], session.get_status_display())


def competence_badge(competence: Competence) -> SafeString:
    """Return where a competence stands."""
    tone = "good" if competence.status == Competence.Status.APPROVED else "info"
    return badge(tone, competence.get_status_display())
