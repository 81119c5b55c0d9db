"""Downloads of what the insight pages show, for reviewers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.urls import path
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from organizations.admin_base import organizations_where
from organizations.models import Role
from tours.admin.insight_choice import Choice
from tours.insight.exporting import health_rows, question_rows, table, unanswered_rows

TABLES = {"questions": question_rows, "tours": health_rows, "unanswered": unanswered_rows}


def export_urls(admin_view: Callable[[Any], Any]) -> list[Any]:
    """Return the addresses of the downloads."""
    return [path("insight/<slug:name>.csv", admin_view(require_GET(export_view)), name="insight_export")]


def export_view(request: HttpRequest, name: str) -> StreamingHttpResponse:
    """Send one of ``TABLES`` for the chosen period, of the organizations in which the member reviews.

    403 where they do not review in any that was asked for.
    """
    if name not in TABLES:
        raise Http404
    choice = Choice.of(request)
    organizations = [one for one in organizations_where(request, Role.REVIEWER) if one in choice.organizations]
    if not organizations:
        raise PermissionDenied
    locale = get_language() or "en"
    rows = TABLES[name](organizations, choice.period, locale)
    file = f"circuy-{name}-{choice.period.today:%Y-%m-%d}.csv"
    return StreamingHttpResponse(
        table(rows, locale),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{file}"', "Cache-Control": "no-store"},
    )
