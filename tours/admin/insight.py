"""The pages on which an organization sees what is asked, how tours do, and what nobody could answer yet."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from moderation.models import Decision
from moderation.states import Verb
from organizations.admin_base import may, organizations_where, page
from organizations.models import Organization, Role
from tours.admin.insight_charts import legend, questions_chart, seconds, times_chart, when
from tours.admin.insight_choice import Choice
from tours.admin.insight_export import export_urls
from tours.insight.charts import Part, meter
from tours.insight.health import StepHealth, TourHealth, health_of
from tours.insight.selectors import KINDS, Ranked, asked_often, buckets, ranked_tours, totals, waiting
from tours.insight.unanswered import UnansweredPage, unanswered_groups, unanswered_pages
from tours.models import Question, Tour

PAGES_SHOWN = 6


@dataclass(frozen=True, slots=True)
class FunnelRow:
    """One step of a funnel: how many got there, drawn beside those who began."""

    step: StepHealth
    percent: int
    bar: SafeString
    missed_percent: int
    found_otherwise: int


@dataclass(frozen=True, slots=True)
class TourRow:
    """A tour in a list, with what share of those who began it came to its end."""

    ranked: Ranked
    bar: SafeString


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page with questions that nothing answered."""

    page: UnansweredPage
    bar: SafeString
    query: str


def insight_urls(admin_view: Callable[[Any], Any]) -> list[Any]:
    """Return the addresses of these pages."""
    return [
        path("insight/", admin_view(overview_view), name="insight"),
        path("insight/questions/", admin_view(unanswered_view), name="insight_unanswered"),
        path("insight/tours/<uuid:pk>/", admin_view(tour_view), name="insight_tour"),
        *export_urls(admin_view),
    ]


def overview_view(request: HttpRequest) -> HttpResponse:
    """Show an organization's questions and tours over a period."""
    choice = Choice.of(request)
    ids, period = choice.ids, choice.period
    figures, days = totals(ids, period), buckets(ids, period)
    most_run, ill = ranked_tours(ids, period)
    pages = unanswered_pages(choice.organizations, period.since, limit=PAGES_SHOWN)
    most_askers = max((one.askers for one in pages), default=0)
    context = {
        "title": _("Overview"),
        "choice": choice,
        "figures": figures,
        "median": seconds(figures.median_ms),
        "slow": seconds(figures.slow_ms),
        "waiting": waiting(ids),
        "has_questions": bool(figures.asked or figures.before)
        or Question.objects.filter(organization__in=ids).exists(),
        "legend": legend(),
        "questions_chart": questions_chart(period, days, figures),
        "times_chart": times_chart(period, days, figures),
        "rows": [
            (when(period, one.day), [one.counts[kind] for kind in KINDS], seconds(one.median_ms), seconds(one.slow_ms))
            for one in days
        ],
        "asked_often": asked_often(ids, period),
        "most_run": [TourRow(one, _completed_bar(one.health)) for one in most_run],
        "ill": ill,
        "pages": [
            PageRow(one, meter([Part("nothing", one.askers)], most_askers, height=8), _groups_query(choice, one))
            for one in pages
        ],
        "may_export": bool(_exportable(request, choice)),
    }
    return page(request, "admin/insight/overview.html", context)


def unanswered_view(request: HttpRequest) -> HttpResponse:
    """Show the pages that left questions without an answer, or, of one of them, what was asked."""
    choice = Choice.of(request, "page")
    pattern = request.GET.get("page", "")[:512]
    pages = unanswered_pages(choice.organizations, choice.period.since, pattern=pattern)
    shown = pages[0] if pattern and len(pages) == 1 else None
    most_askers = max((one.askers for one in pages), default=0)
    context = {
        "title": _("Questions without an answer"),
        "choice": choice,
        "pattern": pattern,
        "shown": shown,
        "pages": [
            PageRow(one, meter([Part("nothing", one.askers)], most_askers, height=8), _groups_query(choice, one))
            for one in pages
        ],
        "groups": unanswered_groups(shown.organization, shown.pattern, choice.period.since) if shown else [],
        "may_show": shown is not None and may(request, Role.AUTHOR, shown.organization.pk),
        "may_export": bool(_exportable(request, choice)),
    }
    return page(request, "admin/insight/unanswered.html", context)


def tour_view(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """Show how far people get through one tour, and what they do not find on the way."""
    related = ("organization", "page_skill", "published_version", "current_version")
    tour = Tour.objects.select_related(*related).filter(pk=pk).first()
    if tour is None or not may(request, Role.VIEWER, tour.organization_id):
        raise Http404
    choice = Choice.of(request)
    health = health_of([tour], choice.period.since)[tour.pk]
    context = {
        "title": tour.title,
        "tour": tour,
        "choice": choice,
        "health": health,
        "funnel": funnel(health),
        "finished_bar": meter([Part("done", health.completed)], health.began),
        "counts_from": tour.published_at if tour.published_at and tour.published_at > choice.period.since else None,
        "out_of_date": _why_out_of_date(tour),
    }
    return page(request, "admin/insight/tour.html", context)


def funnel(health: TourHealth) -> list[FunnelRow]:
    """Return a tour's steps as a funnel: of those who began, who got there, and who went no further."""
    return [
        FunnelRow(
            step,
            round(100 * step.reached / health.began) if health.began else 0,
            meter([Part("reached", step.reached - step.left), Part("left", step.left)], health.began),
            round(100 * step.missed_share),
            step.fallback + step.healed,
        )
        for step in health.steps
    ]


def _completed_bar(health: TourHealth) -> SafeString:
    return meter([Part("done", health.completed)], health.began, height=8)


def _groups_query(choice: Choice, one: UnansweredPage) -> str:
    several = len(choice.own) > 1
    return choice.changed(page=one.pattern, **({"organization": str(one.organization.pk)} if several else {}))


def _exportable(request: HttpRequest, choice: Choice) -> list[Organization]:
    return [one for one in organizations_where(request, Role.REVIEWER) if one in choice.organizations]


def _why_out_of_date(tour: Tour) -> str:
    expired = Decision.objects.filter(kind="tour", subject_id=tour.pk, verb=Verb.EXPIRE).first()
    return expired.reason if expired is not None and tour.published_version_id is None else ""
