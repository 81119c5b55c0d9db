"""The inbox."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from moderation.selectors import MANY, inbox, out_of_date
from organizations.admin_base import page


def inbox_view(request: HttpRequest) -> HttpResponse:
    """Show what waits for a review, most demanded first."""
    items = inbox(limit=MANY)
    context = {
        "title": _("To review"),
        "items": items[: MANY - 1],
        "has_more": len(items) == MANY,
        "out_of_date": out_of_date(),
    }
    return page(request, "admin/moderation/inbox.html", context)
