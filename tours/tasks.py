"""Answering and measuring, in a worker."""

from __future__ import annotations

import uuid

from celery import shared_task
from django.utils import translation

from organizations.scoping import every_tenant, tenant_scope
from skills.config import engine_config
from tours.answering import waiting
from tours.answering.making import question_answer, stale_questions
from tours.evaluation.runs import evaluation_continue, stale_runs
from tours.insight.stale import failing_tours, organizations_with_misses, tour_expire_failing
from tours.models import EvaluationRun, Question

SENT_AGAIN_EVERY_S = 60


@shared_task
def answer_question(question_id: str) -> None:
    """Answer one question and tell whoever waits for its answer."""
    with every_tenant():
        question = Question.objects.select_related("organization").filter(pk=question_id).first()
    if question is None:
        return
    with tenant_scope(question.organization_id), translation.override(question.locale):
        answered = question_answer(question_id=uuid.UUID(question_id), config=engine_config(question.organization))
    for answered_id in answered:
        waiting.ring(answered_id)


@shared_task
def requeue_stale_questions() -> None:
    """Answer what a dead broker or worker left behind."""
    with every_tenant():
        stale = stale_questions()
    for question_id in stale:
        # It expires before the next but one: a queue that nobody empties does not grow.
        answer_question.apply_async((str(question_id),), expires=SENT_AGAIN_EVERY_S)


@shared_task
def measure(run_id: str) -> None:
    """Ask some of a measure's questions, and leave the others to the next task."""
    with every_tenant():
        run = EvaluationRun.objects.select_related("organization").filter(pk=run_id).first()
    if run is None:
        return
    with tenant_scope(run.organization_id), translation.override(run.organization.locale):
        some_are_left = evaluation_continue(run_id=run.pk)
    if some_are_left:
        measure.delay(run_id)


@shared_task
def requeue_stale_runs() -> None:
    """Go on with the measures that a dead broker or worker left behind."""
    with every_tenant():
        stale = stale_runs()
    for run_id in stale:
        # It expires before the next but one: a queue that nobody empties does not grow.
        measure.apply_async((str(run_id),), expires=SENT_AGAIN_EVERY_S)


@shared_task
def expire_failing_tours() -> None:
    """Take live tours out of use that too many people do not find, each in words of its organization's language."""
    with every_tenant():
        organizations = organizations_with_misses()
    for organization in organizations:
        with tenant_scope(organization.pk), translation.override(organization.locale):
            for tour in failing_tours():
                tour_expire_failing(tour_id=tour.pk)
