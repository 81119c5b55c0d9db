"""Learning, in a worker."""

from __future__ import annotations

import uuid

from celery import shared_task
from django.utils import translation

from organizations.scoping import every_tenant, tenant_scope
from skills.config import engine_config
from skills.index import index_renew, stale_indexes
from skills.models import PageScan, PageSkill
from skills.services import scan_learn, stale_scans

SENT_AGAIN_EVERY_S = 120
RENEWED_EVERY_S = 300


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
        stale = stale_scans()
    for scan_id in stale:
        # It expires before the next but one: a queue that nobody empties does not grow.
        learn_page.apply_async((str(scan_id),), expires=SENT_AGAIN_EVERY_S)


@shared_task
def renew_index(skill_id: str) -> None:
    """Index one page-skill with the model that reads now."""
    with every_tenant():
        skill = PageSkill.objects.filter(pk=skill_id).first()
    if skill is not None:
        with tenant_scope(skill.organization_id):
            index_renew(skill_id=skill.pk)


@shared_task
def renew_stale_indexes() -> None:
    """Bring up to date what was indexed without a model, with another one, or before its last training."""
    with every_tenant():
        stale = stale_indexes()
    for skill_id in stale:
        # It expires before the next round: a queue that nobody empties does not grow.
        renew_index.apply_async((str(skill_id),), expires=RENEWED_EVERY_S)
