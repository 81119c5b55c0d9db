"""What follows from a decision on a page-skill, and from an organization's retention."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from moderation.services import review_archive_replaced
from moderation.signals import decided, deciding
from moderation.states import Verb
from organizations.models import Organization
from organizations.signals import retention_due
from skills.index import index_reflect_status
from skills.models import PageScan, PageSkill, RecorderCode
from skills.selectors import live_version, versions_locked
from skills.signals import skill_replaced


def connect() -> None:
    """Subscribe at start-up."""
    deciding.connect(on_deciding, sender=PageSkill)
    decided.connect(on_decided, sender=PageSkill)
    retention_due.connect(on_retention_due, sender=Organization)


def on_deciding(*, subject: PageSkill, verb: Verb, **_kwargs: Any) -> None:
    """An approved skill takes the place of the one that is published for the same route.

    Before the approval, because the database allows one published skill a route. All versions of the route are
    locked, so that of two approved at once the second sees the first, and replaces it.
    """
    if verb != Verb.APPROVE:
        return
    replaced = live_version(versions_locked(subject), subject)
    if replaced is not None:
        review_archive_replaced(subject=replaced, reason=_("replaced by version %(v)d") % {"v": subject.version})
        skill_replaced.send(sender=PageSkill, skill=subject, replaced=replaced)


def on_decided(*, subject: PageSkill, **_kwargs: Any) -> None:
    """What is published, and only that, is found from other pages."""
    index_reflect_status(skill=subject)


def on_retention_due(*, before: datetime, **_kwargs: Any) -> None:
    """Scans that became a skill stay with it; the others, and old recording codes, go."""
    PageScan.objects.filter(created_at__lt=before, skill=None).delete()
    RecorderCode.objects.filter(expires_at__lt=before).delete()
