"""Tables for spreadsheets, read and written piece by piece: a million rows take no more memory than a thousand."""

from __future__ import annotations

import csv
import uuid
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any

from django.utils import translation
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from organizations.models import Organization
from organizations.scoping import tenant_scope
from tours.insight.health import health_of
from tours.insight.periods import Period
from tours.insight.selectors import questions_in
from tours.insight.unanswered import unanswered_groups, unanswered_pages
from tours.models import Tour

# Excel reads a file as UTF-8 only when it begins with this.
BYTE_ORDER_MARK = "\ufeff"
# What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_AT_ONCE = 500

Row = Sequence[Any]


def table(rows: Iterable[Row], locale: str) -> Iterator[str]:
    """Yield a table as CSV: with semicolons in French, where Excel takes a comma for a decimal point."""
    buffer = StringIO()
    writer = csv.writer(buffer, delimiter=";" if locale.startswith("fr") else ",")
    yield BYTE_ORDER_MARK
    for row in rows:
        writer.writerow([cell(value) for value in row])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def cell(value: Any) -> Any:
    """Return a value as a cell; a text that a spreadsheet would run as a formula gets an apostrophe before it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return value


def question_rows(organizations: Sequence[Organization], period: Period, locale: str) -> Iterator[Row]:
    """Yield every question of a period, in the order they were asked."""
    ids = [organization.pk for organization in organizations]
    with translation.override(locale):
        yield [
            _("Asked"), _("Question"), _("Page"), _("Page title"), _("Outcome"), _("Tour"), _("Asked by"),
            _("Language"), _("Time, in ms"), _("Engine"), _("Organization"),
        ]  # fmt: skip
    last: uuid.UUID | None = None
    while True:
        # Each piece opens the scope and the language anew: whoever reads the stream does so outside of any request.
        with tenant_scope(*ids), translation.override(locale):
            asked = questions_in(ids, period.since).select_related("tour", "end_user", "organization").order_by("pk")
            batch = list(asked.filter(pk__gt=last)[:_AT_ONCE] if last else asked[:_AT_ONCE])
            rows = [
                [
                    f"{localtime(one.asked_at):%Y-%m-%d %H:%M:%S}",
                    one.text,
                    one.route,
                    one.page_title,
                    str(one.get_outcome_display()),
                    one.tour.title if one.tour else "",
                    str(one.end_user),
                    one.locale,
                    one.latency_ms,
                    one.provider,
                    one.organization.name,
                ]
                for one in batch
            ]
        yield from rows
        if len(batch) < _AT_ONCE:
            return
        last = batch[-1].pk


def health_rows(organizations: Sequence[Organization], period: Period, locale: str) -> Iterator[Row]:
    """Yield a line a step of every tour that is or was live, with the tour's own figures on each."""
    ids = [organization.pk for organization in organizations]
    with translation.override(locale):
        yield [
            _("Tour"), _("Status"), _("Page"), _("Health"), _("Remark"), _("People"), _("Began the live version"),
            _("Completed"), _("Thumbs up"), _("Thumbs down"), _("Step"), _("Title of the step"), _("Got there"),
            _("Went no further"), _("Not found"), _("Found by the second selector"), _("Found again"),
            _("Organization"),
        ]  # fmt: skip
    last: uuid.UUID | None = None
    while True:
        with tenant_scope(*ids), translation.override(locale):
            published = Tour.objects.filter(organization__in=ids, published_at__isnull=False).select_related(
                "organization", "page_skill", "published_version", "current_version"
            )
            found = published.order_by("pk")
            tours = list(found.filter(pk__gt=last)[:_AT_ONCE] if last else found[:_AT_ONCE])
            health = health_of(tours, period.since)
            rows = [
                [
                    tour.title,
                    str(tour.get_status_display()),
                    tour.first_route,
                    str(one.label),
                    one.complaint,
                    one.people,
                    one.began,
                    one.completed,
                    one.up,
                    one.down,
                    step.number,
                    step.title,
                    step.reached,
                    step.left,
                    step.missed,
                    step.fallback,
                    step.healed,
                    tour.organization.name,
                ]
                for tour in tours
                for one in (health[tour.pk],)
                for step in one.steps
            ]
        yield from rows
        if len(tours) < _AT_ONCE:
            return
        last = tours[-1].pk


def unanswered_rows(organizations: Sequence[Organization], period: Period, locale: str) -> Iterator[Row]:
    """Yield the questions that found no answer, grouped by page and likeness, the page of most people first."""
    ids = [organization.pk for organization in organizations]
    with tenant_scope(*ids), translation.override(locale):
        headings = [
            _("Page"), _("Address"), _("Question"), _("Other wordings"), _("People"), _("Times asked"),
            _("Last asked"), _("Organization"),
        ]  # fmt: skip
        pages = unanswered_pages(organizations, period.since)
    yield headings
    for one in pages:
        with tenant_scope(*ids), translation.override(locale):
            groups = unanswered_groups(one.organization, one.pattern, period.since)
        for group in groups:
            yield [
                one.name,
                one.pattern,
                group.text,
                " | ".join(group.others),
                group.askers,
                group.asked,
                f"{localtime(group.last):%Y-%m-%d %H:%M:%S}",
                one.organization.name,
            ]
