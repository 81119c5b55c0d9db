"""Chores of the platform."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from organizations.models import Organization
from organizations.scoping import tenant_scope
from organizations.signals import retention_due


@shared_task
def purge_expired() -> None:
    """Ask every room to delete what is older than its organization wants to keep."""
    for organization in Organization.objects.all():
        with tenant_scope(organization.id):
            retention_due.send(
                sender=Organization,
                organization=organization,
                before=timezone.now() - timedelta(days=organization.retention_days),
            )
