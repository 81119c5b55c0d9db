"""Downloads of what was learnt, and of tours: for replays, for other code, and for paper."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from organizations.admin_base import may
from organizations.models import Organization, Role, SdkKey
from organizations.script_tag import origin_for_pages
from shadow.exporting import Document, chrome_recording, guide_html, of_tour, of_workflow, shepherd_tour
from shadow.models import Competence
from tours.models import Tour

# Where a recording is replayed when no key of the organization names an address.
NOWHERE = "https://example.org"


@dataclass(frozen=True, slots=True)
class Form:
    """One way of writing a task down; ``write`` is given the address of the application, too."""

    label: Any
    suffix: str
    content_type: str
    write: Callable[[Document, str], str]


FORMS = {
    "guide": Form(_("Step-by-step guide to print"), ".html", "text/html", lambda document, _base: guide_html(document)),
    "chrome": Form(_("Chrome recording, for replays"), ".json", "application/json", chrome_recording),
    "shepherd": Form(
        _("Shepherd.js tour"), ".shepherd.json", "application/json", lambda document, _base: shepherd_tour(document)
    ),
}


def competence_document(competence: Competence) -> Document:
    """Return a competence as it is written down."""
    return of_workflow(competence.workflow_ir, made_on=_today(competence.workflow_ir["locale"]))


def tour_view(request: HttpRequest, pk: uuid.UUID, form: str) -> HttpResponse:
    """Give the live version of a tour, else the one under review, in one of the forms."""
    related = ("page_skill", "published_version", "current_version", "organization")
    tour = Tour.objects.select_related(*related).filter(pk=pk).first()
    version = (tour.published_version or tour.current_version) if tour is not None else None
    if tour is None or version is None or not may(request, Role.VIEWER, tour.organization_id):
        raise Http404
    made_on = _today(tour.locale)
    document = of_tour(version.title, tour.locale, version.steps, route=tour.first_route, made_on=made_on)
    return download(tour.organization, document, form)


def download(organization: Organization, document: Document, form: str) -> HttpResponse:
    """Return a task written down as a file, or answer 404 for a form that there is not."""
    if form not in FORMS:
        raise Http404
    chosen = FORMS[form]
    written = chosen.write(document, _application_of(organization))
    name = (slugify(document.title)[:60].strip("-") or "guide") + chosen.suffix
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(written, content_type=f"{chosen.content_type}; charset=utf-8", headers=named)


def _application_of(organization: Organization) -> str:
    keys = SdkKey.objects.filter(organization=organization, kind=SdkKey.Kind.PUBLISHABLE, revoked_at=None)
    return origin_for_pages(list(keys.order_by("created_at"))) or NOWHERE


def _today(locale: str) -> str:
    with override(locale):
        return date_format(timezone.localdate(), "DATE_FORMAT")
