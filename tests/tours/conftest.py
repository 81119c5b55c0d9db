"""Asking, as the worker and the web process do it together."""

from __future__ import annotations

from typing import Any

import pytest

from organizations.models import EndUser
from tests.fixtures import LOCAL, QUESTION, Tenant
from tours.answering.making import question_answer
from tours.models import Question


class Asker:
    """Asks questions of one organization's page and lets the engine answer at once."""

    def __init__(self, tenant: Tenant) -> None:
        self.tenant = tenant

    def __call__(self, end_user: EndUser | None = None, text: str = QUESTION, **changes: Any) -> Question:
        question = self.tenant.asked(text, end_user, **changes)
        question_answer(question_id=question.pk, config=LOCAL)
        return Question.objects.select_related("tour", "tour_version", "page_skill").get(pk=question.pk)


@pytest.fixture
def ask(oree: Tenant) -> Asker:
    """Ask a question on the organization's learnt page."""
    oree.learn()
    return Asker(oree)
