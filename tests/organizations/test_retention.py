"""What is older than an organization wants to keep goes, room by room, tenant by tenant."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from organizations.models import Organization
from organizations.scoping import tenant_scope
from organizations.signals import retention_due
from organizations.tasks import purge_expired
from tests.fixtures import QUESTION, Tenant
from tours.answering.asking import question_ask
from tours.models import Question


def old_question(tenant: Tenant, *, days: int) -> Question:
    with tenant_scope(tenant.organization.id):
        question = question_ask(
            organization=tenant.organization,
            end_user=tenant.visitor(),
            text=QUESTION,
            route="/nulle/part",
            page_title="",
            locale="fr",
        )
        Question.objects.filter(pk=question.pk).update(asked_at=timezone.now() - timedelta(days=days))
        return question


def is_kept(question: Question) -> bool:
    with tenant_scope(question.organization_id):
        return Question.objects.filter(pk=question.pk).exists()


def test_each_organization_keeps_for_as_long_as_it_wants(oree, stranger):
    oree.organization.retention_days = 30
    oree.organization.save()
    old, recent, theirs = old_question(oree, days=40), old_question(oree, days=20), old_question(stranger, days=40)
    purge_expired()
    assert (is_kept(old), is_kept(recent), is_kept(theirs)) == (False, True, True)


@pytest.fixture
def a_room_that_breaks() -> Iterator[None]:
    def broken(**_words: Any) -> None:
        raise RuntimeError("disk full")

    retention_due.connect(broken, sender=Organization, weak=False, dispatch_uid="broken")
    yield
    retention_due.disconnect(sender=Organization, dispatch_uid="broken")


def test_a_room_that_cannot_delete_keeps_no_other_from_it(oree, stranger, a_room_that_breaks, caplog):
    mine, theirs = old_question(oree, days=400), old_question(stranger, days=400)
    purge_expired()
    assert (is_kept(mine), is_kept(theirs)) == (False, False)
    assert "disk full" in caplog.text
