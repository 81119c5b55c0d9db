"""Measures: every reference question of an organization asked of one provider, by a worker, a slice at a time."""

from __future__ import annotations

import logging
import time
import uuid
from datetime import datetime, timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.types import EngineConfig, Page
from moderation.states import Status
from organizations.errors import ServiceError
from organizations.models import Organization, Role, User
from organizations.permissions import require_role
from organizations.workers import send_after_commit
from skills.claims import MAX_ATTEMPTS, claim, unclaimed
from skills.config import engine_afforded, engine_config
from skills.models import PageSkill
from skills.selectors import engine_page
from tours.evaluation.judging import Verdict, judge_surely
from tours.evaluation.selectors import providers_of
from tours.models import EvaluationResult, EvaluationRun, ReferenceQuestion

log = logging.getLogger(__name__)

Outcome = EvaluationResult.Outcome
State = EvaluationRun.State
# A run that nobody claimed for this long was never delivered.
LOST_AFTER = timedelta(minutes=1)
# After so long a worker leaves the rest to the next task: pages that wait to be learnt come in between.
SLICE_S = 30.0


@transaction.atomic
def evaluation_start(
    *, organization: Organization, actor: User | None, provider: str, send: bool = True
) -> EvaluationRun:
    """Start a measure: one result a question, all waiting, and a worker told after commit.

    ``actor`` is None on the command line, which goes on by itself and says ``send=False``. Raises ``ServiceError``:
    ``no_references`` or ``unknown_provider`` (422), ``already_measuring`` (409), ``forbidden``/``not_found``.
    """
    if actor is not None:
        require_role(actor, organization, Role.REVIEWER)
    if provider not in dict(providers_of(organization)):
        raise ServiceError("unknown_provider", _("This organization has no such engine."), status=422)
    references = list(ReferenceQuestion.objects.filter(organization=organization).order_by("route_pattern", "pk"))
    if not references:
        raise ServiceError("no_references", _("There is no reference question to ask yet."), status=422)
    is_local = provider == Organization.Provider.LOCAL
    try:
        with transaction.atomic():
            run = EvaluationRun.objects.create(
                organization=organization,
                provider=provider,
                model="" if is_local else organization.llm_model,
                total=len(references),
                started_by=actor,
            )
    except IntegrityError as error:
        raise ServiceError("already_measuring", _("This is being measured already."), status=409) from error
    EvaluationResult.objects.bulk_create(
        EvaluationResult(organization=organization, run=run, reference=reference) for reference in references
    )
    if send:
        send_after_commit(partial(_enqueue, run.pk))
    return run


def evaluation_continue(*, run_id: uuid.UUID, slice_s: float = SLICE_S) -> bool:
    """Ask the questions of a measure that wait, for ``slice_s`` seconds; return whether some are left for later.

    Runs in a worker, possibly twice: the run is claimed by one conditional update, and the claim renewed with each
    answer, so that a second worker takes over only where the first one died. What its workers did not survive
    ``MAX_ATTEMPTS`` times fails.
    """
    if not claim(EvaluationRun.objects.filter(pk=run_id, state=State.RUNNING)):
        return False
    run = EvaluationRun.objects.select_related("organization").get(pk=run_id)
    if run.attempts > MAX_ATTEMPTS:
        log.error("evaluation %s is given up: its worker ended %d times", run.pk, MAX_ATTEMPTS)
        _finish(run, State.FAILED)
        return False
    waiting = EvaluationResult.objects.filter(run=run, outcome=Outcome.WAITING).select_related("reference")
    pages = _Pages()
    config = _config(run)
    ends = time.monotonic() + slice_s
    for result in waiting.order_by("pk"):
        if time.monotonic() > ends:
            _let_go(run)
            return True
        verdict = _asked(run, result.reference, pages.of(result.reference), config)
        if verdict is None:
            EvaluationResult.objects.filter(run=run, outcome=Outcome.WAITING).update(outcome=Outcome.NOT_ASKED)
            _finish(run, State.STOPPED)
            return False
        if not _note(run, result, verdict):
            return False
    _finish(run, State.DONE)
    return False


def stale_runs(limit: int = 20) -> list[uuid.UUID]:
    """Return the ids of measures in the current scope that a dead broker or worker left unfinished."""
    running = EvaluationRun.objects.filter(state=State.RUNNING, started_at__lt=timezone.now() - LOST_AFTER)
    return list(unclaimed(running).order_by("started_at").values_list("pk", flat=True)[:limit])


def evaluations_purge(*, before: datetime) -> None:
    """Delete the measures of the current scope that were started before a moment."""
    EvaluationRun.objects.filter(started_at__lt=before).exclude(state=State.RUNNING).delete()


class _Pages:
    """The published pages of a run's questions, each read once."""

    def __init__(self) -> None:
        self._known: dict[str, Page | None] = {}

    def of(self, reference: ReferenceQuestion) -> Page | None:
        pattern = reference.route_pattern
        if pattern not in self._known:
            own = PageSkill.objects.filter(organization=reference.organization_id, route_pattern=pattern)
            skill = own.filter(status=Status.PUBLISHED).first()
            self._known[pattern] = engine_page(skill) if skill else None
        return self._known[pattern]


def _config(run: EvaluationRun) -> EngineConfig:
    if run.provider == Organization.Provider.LOCAL:
        return EngineConfig(provider="local")
    return engine_config(run.organization)


def _asked(run: EvaluationRun, reference: ReferenceQuestion, page: Page | None, config: EngineConfig) -> Verdict | None:
    """Ask one question within the month's tokens; None when they are spent."""
    afforded = engine_afforded(run.organization, config, "answer")
    if afforded.refused:
        return None
    verdict = judge_surely(reference, page, afforded.config)
    afforded.settle(verdict.usage)
    return verdict


@transaction.atomic
def _note(run: EvaluationRun, result: EvaluationResult, verdict: Verdict) -> bool:
    """Write down an answer and renew the claim; return False when another worker has taken the run over."""
    now = timezone.now()
    mine = EvaluationRun.objects.filter(pk=run.pk, state=State.RUNNING, claimed_at=run.claimed_at)
    if not mine.update(
        claimed_at=now,
        attempts=1,
        prompt_tokens=F("prompt_tokens") + verdict.usage.prompt_tokens,
        completion_tokens=F("completion_tokens") + verdict.usage.completion_tokens,
    ):
        return False
    run.claimed_at = now
    EvaluationResult.objects.filter(pk=result.pk, outcome=Outcome.WAITING).update(
        outcome=verdict.outcome,
        rank=verdict.rank,
        answer_ids=list(verdict.answer_ids),
        fell_back=verdict.fell_back[:40],
    )
    return True


def _let_go(run: EvaluationRun) -> None:
    """Leave the rest to whoever comes next, who starts with a clean slate."""
    EvaluationRun.objects.filter(pk=run.pk, state=State.RUNNING, claimed_at=run.claimed_at).update(
        claimed_at=None, attempts=0
    )


def _finish(run: EvaluationRun, state: EvaluationRun.State) -> None:
    right = EvaluationResult.objects.filter(run=run, outcome=Outcome.RIGHT).count()
    EvaluationRun.objects.filter(pk=run.pk, state=State.RUNNING, claimed_at=run.claimed_at).update(
        state=state, right=right, finished_at=timezone.now()
    )


def _enqueue(run_id: uuid.UUID) -> None:
    # Imported late: the task module imports this one.
    from tours.tasks import measure

    measure.delay(str(run_id))
