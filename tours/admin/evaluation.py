"""The pages on which an organization sees how often the engine is right, and writes down what right is."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from organizations.admin_base import may, memberships, page, require, signed_in
from organizations.errors import ServiceError
from organizations.models import Organization, Role
from skills.models import PageSkill
from tours.admin.evaluation_form import add_view
from tours.admin.questions import FELL_BACK
from tours.evaluation.references import reference_delete, reference_keep_absent, references_keep_from_tour
from tours.evaluation.runs import evaluation_start
from tours.evaluation.selectors import (
    Measure,
    ReferencePage,
    Score,
    goals_text,
    latest_measures,
    newest_runs,
    providers_of,
    reference_pages,
    tokens_left,
)
from tours.models import EvaluationResult, EvaluationRun, Question, ReferenceQuestion, Tour

MISSES_SHOWN = 5
State = EvaluationRun.State
Outcome = EvaluationResult.Outcome


@dataclass(frozen=True, slots=True)
class Engine:
    """What can be measured: its last measure, and the newest run, which may be under way or have failed."""

    provider: str
    label: str
    measure: Measure | None
    newest: EvaluationRun | None

    @property
    def is_local(self) -> bool:
        return self.provider == Organization.Provider.LOCAL

    @property
    def is_running(self) -> bool:
        return self.newest is not None and self.newest.state == State.RUNNING

    @property
    def has_failed(self) -> bool:
        return self.newest is not None and self.newest.state == State.FAILED


@dataclass(frozen=True, slots=True)
class Line:
    """One engine's score on one page; ``is_old`` when the page was published again since."""

    engine: Engine
    score: Score
    is_old: bool


@dataclass(frozen=True, slots=True)
class Miss:
    """A question that was not answered right: what one engine did instead."""

    reference: ReferenceQuestion
    engine: Engine
    instead: str
    expected: str
    url: str


@dataclass(frozen=True, slots=True)
class PageCard:
    """A page with its scores and the first of what was missed."""

    page: ReferencePage
    lines: list[Line]
    misses: list[Miss]
    more_misses: int
    url: str


@dataclass(frozen=True, slots=True)
class Section:
    """One organization's part of the page."""

    organization: Organization
    engines: list[Engine]
    cards: list[PageCard]
    may_write: bool
    tokens_left: int

    @property
    def total(self) -> int:
        return sum(len(card.page.references) for card in self.cards)

    @property
    def is_running(self) -> bool:
        return any(engine.is_running for engine in self.engines)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one engine made of a question when it was last measured."""

    engine: Engine
    result: EvaluationResult | None
    tone: str
    instead: str


@dataclass(frozen=True, slots=True)
class Row:
    """A reference question on its page's list."""

    reference: ReferenceQuestion
    expected: str
    is_gone: bool
    answers: list[Answer]

    @property
    def needs_a_look(self) -> bool:
        return self.is_gone or any(answer.tone == "bad" for answer in self.answers)


def evaluation_urls(admin_view: Callable[[Any], Any]) -> list[Any]:
    """Return the addresses of these pages."""
    return [
        path("evaluation/", admin_view(evaluation_view), name="evaluation"),
        path("evaluation/add/", admin_view(add_view), name="evaluation_add"),
        path("evaluation/measure/", admin_view(require_POST(measure_view)), name="evaluation_measure"),
        path("evaluation/pages/<uuid:pk>/", admin_view(page_view), name="evaluation_page"),
        path("evaluation/questions/<uuid:pk>/", admin_view(require_POST(delete_view)), name="evaluation_delete"),
        path("evaluation/tours/<uuid:pk>/", admin_view(require_POST(keep_view)), name="evaluation_keep"),
        path("evaluation/asked/<uuid:pk>/", admin_view(require_POST(absent_view)), name="evaluation_absent"),
    ]


def evaluation_view(request: HttpRequest) -> HttpResponse:
    """Show each page's score, by engine, and what was missed."""
    pages, measures, newest = reference_pages(), latest_measures(), newest_runs()
    organizations = [row.organization for row in memberships(request)]
    left = tokens_left(organizations)
    sections = []
    for organization in organizations:
        engines = _engines(organization, measures, newest)
        cards = [_card(one, engines) for one in pages if one.organization_id == organization.pk]
        may_write = may(request, Role.REVIEWER, organization.pk)
        sections.append(Section(organization, engines, cards, may_write, left[organization.pk]))
    context = {
        "title": _("Evaluation"),
        "sections": sections,
        "has_references": bool(pages),
        "has_pages": bool(pages) or PageSkill.objects.exists(),
        "may_write": any(section.may_write for section in sections),
    }
    return page(request, "admin/evaluation/overview.html", context)


def page_view(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """Show one page's questions: what is right, and what each engine answered."""
    skill = PageSkill.objects.select_related("organization").filter(pk=pk).first()
    if skill is None or not may(request, Role.VIEWER, skill.organization_id):
        raise Http404
    shown = next((one for one in reference_pages() if one.key == (skill.organization_id, skill.route_pattern)), None)
    rows: list[Row] = []
    lines: list[Line] = []
    if shown is not None:
        engines = _engines(skill.organization, latest_measures(shown), newest_runs())
        rows = [_row(one, shown, engines) for one in shown.references]
        lines = _lines(shown, engines)
    context = {
        "title": (shown.skill if shown else skill).name,
        "skill": shown.skill if shown else skill,
        "shown": shown,
        "lines": lines,
        "to_look_at": [row for row in rows if row.needs_a_look],
        "others": [row for row in rows if not row.needs_a_look],
        "may_write": may(request, Role.REVIEWER, skill.organization_id),
    }
    return page(request, "admin/evaluation/page.html", context)


def measure_view(request: HttpRequest) -> HttpResponse:
    """Start a measure."""
    wanted = request.POST.get("organization", "")
    organization = next((row.organization for row in memberships(request) if str(row.organization_id) == wanted), None)
    if organization is None:
        raise Http404
    require(request, Role.REVIEWER, organization.pk)
    try:
        evaluation_start(organization=organization, actor=signed_in(request), provider=request.POST.get("provider", ""))
    except ServiceError as error:
        messages.error(request, error.detail)
    return HttpResponseRedirect(reverse("admin:evaluation"))


def delete_view(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """Delete a reference question."""
    reference = ReferenceQuestion.objects.select_related("organization").filter(pk=pk).first()
    if reference is None:
        raise Http404
    require(request, Role.REVIEWER, reference.organization_id)
    own = PageSkill.objects.filter(organization=reference.organization_id, route_pattern=reference.route_pattern)
    skill = own.order_by("-version", "-pk").first()
    reference_delete(reference=reference, actor=signed_in(request))
    messages.success(request, _("Deleted: this question counts in no measure any more."))
    back = reverse("admin:evaluation_page", args=[skill.pk]) if skill else reverse("admin:evaluation")
    return HttpResponseRedirect(back)


def keep_view(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """Keep a reviewed tour's questions, with its elements as the right answer."""
    related = ("organization", "page_skill", "published_version")
    tour = Tour.objects.select_related(*related).filter(pk=pk).first()
    if tour is None:
        raise Http404
    require(request, Role.REVIEWER, tour.organization_id)
    try:
        kept = references_keep_from_tour(tour=tour, actor=signed_in(request))
    except ServiceError as error:
        messages.error(request, error.detail)
    else:
        said = ngettext("%(n)d question kept as a reference.", "%(n)d questions kept as references.", kept.kept) % {
            "n": kept.kept
        }
        messages.success(request, said if kept.kept else _("These questions were kept already."))
    return HttpResponseRedirect(reverse("admin:tours_tour_review", args=[tour.pk]))


def absent_view(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """Keep a question without an answer as one that its page has no answer to."""
    question = Question.objects.select_related("organization", "page_skill").filter(pk=pk).first()
    if question is None:
        raise Http404
    require(request, Role.REVIEWER, question.organization_id)
    try:
        reference_keep_absent(question=question, actor=signed_in(request))
    except ServiceError as error:
        messages.error(request, error.detail)
    else:
        messages.success(request, _("Kept: the right answer to this question is that nothing on its page fits."))
    return HttpResponseRedirect(_back_to_the_list(request))


def _back_to_the_list(request: HttpRequest) -> str:
    """Return the list's address with the filters it had, which its own form says."""
    filters = request.GET.urlencode()
    return reverse("admin:tours_question_changelist") + (f"?{filters}" if filters else "")


def _engines(
    organization: Organization,
    measures: dict[tuple[uuid.UUID, str], Measure],
    newest: dict[tuple[uuid.UUID, str], EvaluationRun],
) -> list[Engine]:
    return [
        Engine(provider, label, measures.get((organization.pk, provider)), newest.get((organization.pk, provider)))
        for provider, label in providers_of(organization)
    ]


def _card(shown: ReferencePage, engines: list[Engine]) -> PageCard:
    lines = _lines(shown, engines)
    url = reverse("admin:evaluation_page", args=[shown.skill.pk])
    misses = [
        Miss(
            result.reference,
            line.engine,
            instead_of(result, shown),
            goals_text(result.reference.intent_ids, shown.goals),
            f"{url}#q-{result.reference_id}",
        )
        for line in lines
        for result in line.score.misses
    ]
    return PageCard(shown, lines, misses[:MISSES_SHOWN], max(0, len(misses) - MISSES_SHOWN), url)


def _lines(shown: ReferencePage, engines: list[Engine]) -> list[Line]:
    published = shown.skill.reviewed_at
    lines = []
    for engine in engines:
        score = engine.measure.scores.get(shown.key) if engine.measure else None
        if engine.measure is not None and score is not None:
            is_old = published is not None and engine.measure.run.started_at < published
            lines.append(Line(engine, score, is_old))
    return lines


def _row(reference: ReferenceQuestion, shown: ReferencePage, engines: list[Engine]) -> Row:
    expected = goals_text(reference.intent_ids, shown.goals)
    return Row(reference, expected, shown.is_gone(reference), [_answer(reference, shown, engine) for engine in engines])


def _answer(reference: ReferenceQuestion, shown: ReferencePage, engine: Engine) -> Answer:
    result = engine.measure.results.get(reference.pk) if engine.measure else None
    if result is None:
        return Answer(engine, None, "quiet", "")
    tones = {Outcome.RIGHT: "good", Outcome.UNANSWERED: "warn", Outcome.NOT_ASKED: "quiet"}
    return Answer(engine, result, tones.get(Outcome(result.outcome), "bad"), instead_of(result, shown))


def instead_of(result: EvaluationResult, shown: ReferencePage) -> str:
    """Return what was answered where something else was right, or why nothing was; empty when it was right."""
    outcome = Outcome(result.outcome)
    if outcome == Outcome.RIGHT:
        return ""
    if outcome == Outcome.UNANSWERED:
        return str(FELL_BACK.get(result.fell_back, outcome.label))
    if result.answer_ids:
        return goals_text(result.answer_ids, shown.goals)
    return str(outcome.label)
