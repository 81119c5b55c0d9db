"""Learning, in a worker."""

from __future__ import annotations

import uuid
from datetime import timedelta

from celery import shared_task
from django.utils import timezone, translation

from organizations.scoping import every_tenant, tenant_scope
from skills.config import engine_config
from skills.models import PageScan
from skills.services import scan_learn

# A scan still unlearnt after this long was lost by a broker or a worker.
STALE_AFTER = timedelta(minutes=2)


@shared_task
def learn_page(scan_id: str) -> None:
    """Make a page-skill of one scan."""
    with every_tenant():
        scan = PageScan.objects.select_related("organization").filter(pk=scan_id).first()
    if scan is None:
        return
    with tenant_scope(scan.organization_id), translation.override(scan.locale):
        scan_learn(scan_id=uuid.UUID(scan_id), config=engine_config(scan.organization))


@shared_task
def requeue_stale_scans() -> None:
    """Learn what a dead broker or worker left behind."""
    with every_tenant():
        stale = list(
            PageScan.objects.filter(
                state=PageScan.State.RECEIVED, created_at__lt=timezone.now() - STALE_AFTER
            ).values_list("pk", flat=True)[:100]
        )
    for scan_id in stale:
        learn_page.delay(str(scan_id))
