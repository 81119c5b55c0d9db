"""Chores of the platform."""

from __future__ import annotations

import logging
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from organizations.models import Organization
from organizations.scoping import tenant_scope
from organizations.signals import retention_due

log = logging.getLogger(__name__)


@shared_task
def purge_expired() -> None:
    """Ask every room to delete what is older than its organization wants to keep; one failure stops no other."""
    for organization in Organization.objects.all():
        with tenant_scope(organization.id):
            answers = retention_due.send_robust(
                sender=Organization,
                organization=organization,
                before=timezone.now() - timedelta(days=organization.retention_days),
            )
        for receiver, answer in answers:
            if isinstance(answer, Exception):
                log.error("%s kept what %s no longer wants", receiver, organization.slug, exc_info=answer)
