"""Reads of learnt pages."""

from __future__ import annotations

import uuid
from collections import OrderedDict
from dataclasses import replace
from datetime import datetime
from threading import Lock

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from engine.types import Page
from moderation.states import Status
from organizations.errors import not_found
from organizations.lexicon import WordGroups, house_words
from organizations.models import Organization
from skills.index import page_with_vectors
from skills.models import PageScan, PageSkill
from skills.routes import matches, prefixes, specificity


def skills_for_path(path: str) -> list[PageSkill]:
    """Return the published skills of the current organization that match a clean path, most specific first."""
    candidates = PageSkill.objects.filter(status=Status.PUBLISHED, static_prefix__in=prefixes(path))
    candidates = candidates.select_related("organization")
    fitting = [skill for skill in candidates if matches(skill.route_pattern, path)]
    return sorted(fitting, key=lambda skill: specificity(skill.route_pattern), reverse=True)


def versions_locked(skill: PageSkill) -> QuerySet[PageSkill]:
    """Return all versions of a page-skill's page, locked until the transaction ends.

    Of two versions approved at once the second then sees the first. No key is touched: what refers to them goes on.
    """
    versions = PageSkill.objects.filter(organization=skill.organization_id, route_pattern=skill.route_pattern)
    list(versions.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))
    return versions


def live_version(versions: QuerySet[PageSkill], skill: PageSkill) -> PageSkill | None:
    """Return the version that is published in another's place, which it replaces when it is approved."""
    return versions.filter(status=Status.PUBLISHED).exclude(pk=skill.pk).first()


def engine_page(skill: PageSkill) -> Page:
    """Return a page-skill as the engine reads it, with the vectors that were kept of its texts and the words of its
    organization.

    The same value for the same version and words, as long as this process has not read a hundred others since.
    """
    return _pages.get(skill)


class _Pages:
    """The last pages that were read in this process. A digest names what a page-skill says, the organization's words
    and when its vectors were made stand beside it: none grows old."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[uuid.UUID, str, datetime | None, WordGroups], Page] = OrderedDict()
        self._lock = Lock()

    def get(self, skill: PageSkill) -> Page:
        words = house_words(skill.organization)
        key = (skill.pk, skill.digest, skill.indexed_at, words)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        page = replace(page_with_vectors(skill), house_words=words)
        with self._lock:
            self._kept[key] = page
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return page


_pages = _Pages(most=100)


def scan_get(*, organization: Organization, scan_id: uuid.UUID) -> PageScan:
    """Return a scan of this organization, or raise ``ServiceError`` (``not_found``, 404)."""
    scan = PageScan.objects.select_related("skill").filter(pk=scan_id, organization=organization).first()
    if scan is None:
        raise not_found(_("There is no such scan."))
    return scan
