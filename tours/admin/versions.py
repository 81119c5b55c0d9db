"""Two versions of a tour side by side, and the way back to an older one."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from moderation.states import EDITABLE
from organizations.admin_base import may, page, signed_in
from organizations.errors import ServiceError
from organizations.models import Role
from tours.admin.review import PLACEMENT_LABELS
from tours.models import Tour, TourVersion
from tours.services import version_restore
from tours.versions import target_names, versions_compare


def versions_view(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """Show what is different between two versions, those of the address or the last two; POST brings one back."""
    tour = _find(pk)
    if tour is None or not may(request, Role.VIEWER, tour.organization_id):
        raise Http404
    if request.method == "POST":
        return _restore(request, tour)
    return _show(request, tour)


def _find(pk: uuid.UUID) -> Tour | None:
    related = ("organization", "page_skill", "current_version", "published_version")
    return Tour.objects.select_related(*related).filter(pk=pk).first()


def _show(request: HttpRequest, tour: Tour, error: ServiceError | None = None) -> HttpResponse:
    versions = list(TourVersion.objects.filter(tour=tour).select_related("author"))
    if not versions:
        raise Http404
    by_number = {version.number: version for version in versions}
    after = _chosen(request, "to", by_number, tour.current_version or versions[0])
    earlier = [version for version in versions if version.number < after.number]
    live = tour.published_version
    otherwise = live if live is not None and live.number != after.number else (earlier or versions)[0]
    before = _chosen(request, "from", by_number, otherwise)
    context: dict[str, Any] = {
        "title": _("Compare the versions"),
        "tour": tour,
        "versions": versions,
        "before": before,
        "after": after,
        "pickers": [("from", before), ("to", after)],
        "changes": versions_compare(before, after, target_names(tour)),
        "placements": PLACEMENT_LABELS,
        "restorable": _restorable(request, tour, before, after),
        "error": error,
    }
    return page(request, "admin/tours/tour/versions.html", context, status=error.status if error else 200)


def _chosen(request: HttpRequest, name: str, by_number: dict[int, TourVersion], otherwise: TourVersion) -> TourVersion:
    typed = request.GET.get(name, "")
    number = int(typed) if typed.isdecimal() and len(typed) < 10 else 0
    return by_number.get(number, otherwise)


def _restorable(request: HttpRequest, tour: Tour, *shown: TourVersion) -> list[TourVersion]:
    """Return the versions on the page that this member may bring back: none of them is the one at work."""
    if tour.status not in EDITABLE or not may(request, Role.AUTHOR, tour.organization_id):
        return []
    distinct = {version.pk: version for version in shown if version.digest != tour.digest}
    return list(distinct.values())


def _restore(request: HttpRequest, tour: Tour) -> HttpResponse:
    typed = request.POST.get("number", "")
    number = int(typed) if typed.isdecimal() and len(typed) < 10 else 0
    try:
        version = version_restore(
            tour=tour, actor=signed_in(request), seen_digest=request.POST.get("seen_digest", ""), number=number
        )
    except ServiceError as error:
        # The service may have met another state than the one this page began with.
        return _show(request, _find(tour.pk) or tour, error)
    if version is None:
        messages.info(request, _("Nothing was changed."))
    else:
        messages.success(
            request,
            _("Version %(old)d is back, as version %(new)d: it has to be approved.")
            % {"old": number, "new": version.number},
        )
    return HttpResponseRedirect(reverse("admin:tours_tour_review", args=[tour.pk]))
