"""The inbox."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from moderation.selectors import inbox, inbox_count
from organizations.admin_base import page

SHOWN = 100


def inbox_view(request: HttpRequest) -> HttpResponse:
    """Show what waits for a review, most demanded first."""
    items = inbox(limit=SHOWN)
    context = {
        "title": _("To review"),
        "items": items,
        "waiting": len(items) if len(items) < SHOWN else inbox_count(),
    }
    return page(request, "admin/moderation/inbox.html", context)
