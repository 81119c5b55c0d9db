"""Answering, in a worker."""

from __future__ import annotations

import uuid

from celery import shared_task
from django.utils import translation

from organizations.scoping import every_tenant, tenant_scope
from skills.config import engine_config
from tours.answering import waiting
from tours.answering.making import question_answer, stale_questions
from tours.models import Question

SENT_AGAIN_EVERY_S = 60


@shared_task
def answer_question(question_id: str) -> None:
    """Answer one question and tell whoever waits for it."""
    with every_tenant():
        question = Question.objects.select_related("organization").filter(pk=question_id).first()
    if question is None:
        return
    with tenant_scope(question.organization_id), translation.override(question.locale):
        answered = question_answer(question_id=uuid.UUID(question_id), config=engine_config(question.organization))
    if answered:
        waiting.ring(question.pk)


@shared_task
def requeue_stale_questions() -> None:
    """Answer what a dead broker or worker left behind."""
    with every_tenant():
        stale = stale_questions()
    for question_id in stale:
        # It expires before the next but one: a queue that nobody empties does not grow.
        answer_question.apply_async((str(question_id),), expires=SENT_AGAIN_EVERY_S)
