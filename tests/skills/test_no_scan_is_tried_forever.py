"""A scan is learnt, or says why it was not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from organizations.models import Membership
from skills import services
from skills.claims import MAX_ATTEMPTS, claim_lasts
from skills.models import PageScan, PageSkill
from skills.services import scan_accept, scan_learn, stale_scans
from tests.fixtures import LOCAL, Tenant, invoice_scan


def accepted(tenant: Tenant, **changes) -> PageScan:
    return scan_accept(
        organization=tenant.organization, actor=tenant.author, data=invoice_scan(**changes), name="", locale="fr"
    )


def worker_is_killed(scan: PageScan) -> None:
    assert services._scan_claim(scan.pk) is not None
    PageScan.objects.filter(pk=scan.pk).update(claimed_at=timezone.now() - claim_lasts() - timedelta(seconds=1))


def test_what_the_engine_breaks_on_is_said_on_the_scan(oree, monkeypatch):
    def breaks(*_args, **_kwargs):
        raise RecursionError

    monkeypatch.setattr(services, "propose_skill", breaks)
    scan = accepted(oree)
    assert scan_learn(scan_id=scan.pk, config=LOCAL) is None
    scan.refresh_from_db()
    assert scan.state == PageScan.State.FAILED
    assert scan.failure


def test_a_scan_that_ends_its_workers_is_given_up(oree):
    scan = accepted(oree)
    for _ in range(MAX_ATTEMPTS):
        worker_is_killed(scan)
    assert scan_learn(scan_id=scan.pk, config=LOCAL) is None
    scan.refresh_from_db()
    assert scan.state == PageScan.State.FAILED


def test_a_scan_whose_recorder_may_no_longer_write_is_given_up_too(oree):
    scan = accepted(oree)
    Membership.objects.filter(user=oree.author).delete()
    for _ in range(MAX_ATTEMPTS):
        with pytest.raises(Exception, match=r"."):
            scan_learn(scan_id=scan.pk, config=LOCAL)
        PageScan.objects.filter(pk=scan.pk).update(claimed_at=None)
    assert scan_learn(scan_id=scan.pk, config=LOCAL) is None
    scan.refresh_from_db()
    assert (scan.state, PageSkill.objects.count()) == (PageScan.State.FAILED, 0)


def test_a_scan_in_a_workers_hands_is_not_taken_by_another(oree):
    scan = accepted(oree)
    assert services._scan_claim(scan.pk) is not None
    assert scan_learn(scan_id=scan.pk, config=LOCAL) is None
    scan.refresh_from_db()
    assert scan.state == PageScan.State.RECEIVED


def test_the_sweeper_finds_what_nobody_learnt_and_what_a_worker_left(oree):
    scan = accepted(oree)
    assert stale_scans() == []
    PageScan.objects.filter(pk=scan.pk).update(created_at=timezone.now() - timedelta(minutes=5))
    assert stale_scans() == [scan.pk]
    assert services._scan_claim(scan.pk) is not None
    assert stale_scans() == []
    PageScan.objects.filter(pk=scan.pk).update(claimed_at=timezone.now() - claim_lasts() - timedelta(seconds=1))
    assert stale_scans() == [scan.pk]


def test_a_title_that_masks_make_longer_is_kept_within_its_column(oree):
    scan = accepted(oree, pageTitle=("a@b.co " * 43)[:300].strip())
    scan.refresh_from_db()
    assert "@" not in scan.page_title
    assert len(scan.page_title) == 300
