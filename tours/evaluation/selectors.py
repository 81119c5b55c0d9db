"""Reads of reference questions and measures, for the administration and the command line."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, F, Max, OuterRef, Subquery, Window
from django.db.models.functions import Coalesce, RowNumber
from django.utils import timezone
from django.utils.translation import gettext as _

from moderation.states import Status
from organizations.models import Organization, TokenUse
from skills.models import PageSkill
from tours.models import EvaluationResult, EvaluationRun, Question, ReferenceQuestion, Tour

Outcome = EvaluationResult.Outcome
# As many as the review page shows: nobody keeps words that they have not seen.
WORDINGS_KEPT = 8
_MEASURED = (EvaluationRun.State.DONE, EvaluationRun.State.STOPPED)
# What was not asked, or not answered by whom it was asked of, says nothing about the provider.
_NOT_JUDGED = frozenset({Outcome.WAITING, Outcome.UNANSWERED, Outcome.NOT_ASKED})


@dataclass(frozen=True, slots=True)
class Wording:
    """Words in which something was asked."""

    text: str
    normalized: str
    locale: str


@dataclass(slots=True)
class Score:
    """How one provider did on one page's questions, in counts; what was not asked of it is left out.

    ``top1`` and ``top3`` are of the ``single`` ones; ``false_refusals`` of the single ones and the plans.
    """

    asked: int = 0
    right: int = 0
    single: int = 0
    top1: int = 0
    top3: int = 0
    plans: int = 0
    plans_exact: int = 0
    absent: int = 0
    absent_refused: int = 0
    false_refusals: int = 0
    unasked: int = 0
    misses: list[EvaluationResult] = field(default_factory=list)
    # Against the measure before, on the questions that both asked; None when there is nothing to compare with.
    more_right: int | None = None

    @property
    def answerable(self) -> int:
        """Return how many of the questions have an answer."""
        return self.single + self.plans

    @property
    def share(self) -> float:
        """Return the share of right answers, from 0 to 1; 0 over no question."""
        return self.right / self.asked if self.asked else 0.0

    @property
    def percent(self) -> int:
        return round(100 * self.share)

    def add(self, result: EvaluationResult) -> None:
        """Count one result; its reference question has to be loaded."""
        outcome = Outcome(result.outcome)
        if outcome in _NOT_JUDGED:
            self.unasked += 1
            return
        right = outcome == Outcome.RIGHT
        self.asked += 1
        self.right += right
        kind = result.reference.kind
        if kind == "single":
            self.single += 1
            self.top1 += result.rank == 1
            self.top3 += 1 <= result.rank <= 3
        elif kind == "plan":
            self.plans += 1
            self.plans_exact += right
        else:
            self.absent += 1
            self.absent_refused += right
        self.false_refusals += outcome == Outcome.REFUSED
        if not right:
            self.misses.append(result)


PageKey = tuple[uuid.UUID, str]
RunKey = tuple[uuid.UUID, str]


@dataclass(slots=True)
class Measure:
    """A measure, how each page did in it, and what came of each question."""

    run: EvaluationRun
    scores: dict[PageKey, Score]
    results: dict[uuid.UUID, EvaluationResult]

    @property
    def overall(self) -> Score:
        """Return the score over all pages."""
        total = Score()
        for score in self.scores.values():
            total.asked += score.asked
            total.right += score.right
            total.unasked += score.unasked
            if score.more_right is not None:
                total.more_right = (total.more_right or 0) + score.more_right
        return total


@dataclass(slots=True)
class ReferencePage:
    """A page with its reference questions; ``skill`` is its published version, else its newest."""

    organization_id: uuid.UUID
    route_pattern: str
    skill: PageSkill
    references: list[ReferenceQuestion]

    @property
    def key(self) -> PageKey:
        return self.organization_id, self.route_pattern

    @property
    def is_live(self) -> bool:
        return self.skill.status == Status.PUBLISHED

    @property
    def goals(self) -> dict[str, str]:
        """Return what each intent of the published version is for, by its id."""
        return {intent["intent_id"]: intent["user_goal"] for intent in self.skill.actions_json["intents"]}

    def is_gone(self, reference: ReferenceQuestion) -> bool:
        """Tell whether the page no longer has an element of a right answer, or is published no more."""
        return not self.is_live or not set(reference.intent_ids) <= self.goals.keys()

    @property
    def gone(self) -> int:
        """Return how many questions have an answer that is not on the published page any more."""
        return sum(map(self.is_gone, self.references))


def wordings_of(tour: Tour) -> list[Wording]:
    """Return the words in which a tour was asked for, most askers first; the same words once a language."""
    rows = (
        Question.objects.filter(tour=tour)
        .exclude(normalized="")
        .order_by()
        .values("normalized", "locale")
        .annotate(words=Max("text"), askers=Count("end_user", distinct=True), last=Max("asked_at"))
        .order_by("-askers", "-last")[:WORDINGS_KEPT]
    )
    return [Wording(row["words"], row["normalized"], row["locale"]) for row in rows]


def references_of(skill: PageSkill) -> list[ReferenceQuestion]:
    """Return the reference questions of a page-skill's page, the oldest first."""
    own = ReferenceQuestion.objects.filter(organization=skill.organization_id, route_pattern=skill.route_pattern)
    return list(own.order_by("pk"))


def reference_pages() -> list[ReferencePage]:
    """Return the pages of the current scope that have reference questions, in order of their names. Two queries."""
    by_page: dict[PageKey, list[ReferenceQuestion]] = defaultdict(list)
    for row in ReferenceQuestion.objects.order_by("pk"):
        by_page[row.organization_id, row.route_pattern].append(row)
    skills = _skills_now({pattern for _organization, pattern in by_page})
    pages = [ReferencePage(*key, skills[key], rows) for key, rows in by_page.items() if key in skills]
    return sorted(pages, key=lambda page: (page.skill.name.casefold(), page.route_pattern))


def latest_measures(page: ReferencePage | None = None) -> dict[RunKey, Measure]:
    """Return the last measure of each organization and provider, with the trend against the one before. Two queries.

    With a ``page``, of its organization and of its questions alone.
    """
    runs = EvaluationRun.objects.filter(state__in=_MEASURED)
    place = Window(RowNumber(), partition_by=[F("organization"), F("provider")], order_by=F("id").desc())
    if page is not None:
        runs = runs.filter(organization=page.organization_id)
    last_two = list(runs.select_related("started_by").annotate(place=place).filter(place__lte=2).order_by("-id"))
    found = EvaluationResult.objects.filter(run__in=last_two).select_related("reference").order_by("reference")
    results: dict[uuid.UUID, list[EvaluationResult]] = defaultdict(list)
    for result in found if page is None else found.filter(reference__in=page.references):
        results[result.run_id].append(result)
    measures: dict[RunKey, Measure] = {}
    for run in last_two:
        key = (run.organization_id, run.provider)
        if key in measures:
            _compare(measures[key], results[measures[key].run.pk], results[run.pk])
        else:
            by_question = {result.reference_id: result for result in results[run.pk]}
            measures[key] = Measure(run, _by_page(results[run.pk]), by_question)
    return measures


def newest_runs() -> dict[RunKey, EvaluationRun]:
    """Return the newest measure of each organization and provider, whatever came of it, in one query.

    Each has ``asked``: how many of its questions were asked so far.
    """
    done = EvaluationResult.objects.filter(run=OuterRef("pk")).exclude(outcome=Outcome.WAITING)
    asked = done.order_by().values("run").annotate(n=Count("pk")).values("n")
    newest = (
        EvaluationRun.objects.annotate(asked=Coalesce(Subquery(asked), 0))
        .order_by("organization", "provider", "-id")
        .distinct("organization", "provider")
    )
    return {(run.organization_id, run.provider): run for run in newest}


def providers_of(organization: Organization) -> list[tuple[str, str]]:
    """Return what can be measured, with its name: the local engine, and the organization's model when one is set."""
    local = (Organization.Provider.LOCAL.value, _("Local engine"))
    if organization.llm_provider == Organization.Provider.LOCAL or not organization.llm_model:
        return [local]
    return [local, (Organization.Provider.OPENAI.value, organization.llm_model)]


def tokens_left(organizations: Iterable[Organization]) -> dict[uuid.UUID, int]:
    """Return how many of this month's tokens each organization has left. One query."""
    asked = list(organizations)
    month = timezone.localdate().replace(day=1)
    uses = TokenUse.objects.filter(organization__in=asked, month=month)
    used = {use.organization_id: use.prompt_tokens + use.completion_tokens for use in uses}
    return {one.pk: max(0, one.monthly_token_budget - used.get(one.pk, 0)) for one in asked}


def goals_text(intent_ids: Sequence[str], goals: Mapping[str, str]) -> str:
    """Return what intents are for, in order; an id stands for itself where the page no longer has it."""
    return " → ".join(goals.get(intent_id, intent_id) for intent_id in intent_ids)


def _skills_now(patterns: set[str]) -> dict[PageKey, PageSkill]:
    """Return what is learnt of each page: its published version, else its newest."""
    now: dict[PageKey, PageSkill] = {}
    for skill in PageSkill.objects.filter(route_pattern__in=patterns).order_by("version", "pk"):
        key = (skill.organization_id, skill.route_pattern)
        if key not in now or now[key].status != Status.PUBLISHED:
            now[key] = skill
    return now


def _by_page(results: Iterable[EvaluationResult]) -> dict[PageKey, Score]:
    scores: dict[PageKey, Score] = defaultdict(Score)
    for result in results:
        scores[_page_of(result)].add(result)
    return dict(scores)


def _compare(measure: Measure, now: Iterable[EvaluationResult], before: Iterable[EvaluationResult]) -> None:
    """Tell of each page how many more answers are right than in the measure before, on what both asked."""
    earlier = {result.reference_id: result.outcome for result in before if result.outcome not in _NOT_JUDGED}
    for result in now:
        if result.outcome in _NOT_JUDGED or result.reference_id not in earlier:
            continue
        score = measure.scores[_page_of(result)]
        gained = (result.outcome == Outcome.RIGHT) - (earlier[result.reference_id] == Outcome.RIGHT)
        score.more_right = (score.more_right or 0) + gained


def _page_of(result: EvaluationResult) -> PageKey:
    return result.organization_id, result.reference.route_pattern
