"""“Try it on the page”: from a tour to its page, open in the reviewer's browser with the version under review."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from organizations.admin_base import may, page, require, signed_in
from organizations.errors import ServiceError
from organizations.models import Role
from skills.routes import matches, path_clean
from tours.admin.review import origin_of, page_url_of, questions_of
from tours.models import Tour
from tours.preview import FRAGMENT, TOKEN_LIFETIME, preview_token_create


def preview_view(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """Lead to the tour's page; when nobody can tell which one that is, ask for it.

    The answer to that is a link and not a redirect: `form-action 'self'` forbids a form to lead to another origin.
    """
    tour = Tour.objects.select_related("page_skill", "current_version__organization").filter(pk=pk).first()
    if tour is None or tour.current_version is None or not may(request, Role.VIEWER, tour.organization_id):
        raise Http404
    require(request, Role.AUTHOR, tour.organization_id)
    fragment = FRAGMENT + preview_token_create(version=tour.current_version, actor=signed_in(request))
    known = page_url_of(tour, questions_of(tour))
    if known:
        return HttpResponseRedirect(known + fragment)
    return _ask(request, tour, fragment)


def _ask(request: HttpRequest, tour: Tour, fragment: str) -> HttpResponse:
    origin = origin_of(tour)
    typed = request.GET.get("page", "").strip()[:300]
    path, wrong = _path_typed(typed, tour.first_route) if typed and origin else ("", "")
    context: dict[str, Any] = {
        "title": _("Try it on the page"),
        "tour": tour,
        "origin": origin,
        "may_add_origin": may(request, Role.ADMIN, tour.organization_id),
        "typed": typed,
        "wrong": wrong,
        "address": origin + path if path else "",
        "link": origin + path + fragment if path else "",
        "minutes": int(TOKEN_LIFETIME.total_seconds() // 60),
    }
    return page(request, "admin/tours/tour/preview.html", context, status=422 if wrong else 200)


def _path_typed(typed: str, pattern: str) -> tuple[str, str]:
    """Return the path of an address as somebody copied it, or what is wrong with it."""
    try:
        path = path_clean(urlsplit(typed).path if "://" in typed else typed)
    except (ServiceError, ValueError):
        path = ""
    if not path or not matches(pattern, path) or "*" in path:
        return "", _("This is not one of the pages of this tour: their addresses are like %(pattern)s.") % {
            "pattern": pattern
        }
    return path, ""
