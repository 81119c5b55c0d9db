"""Reads of learnt pages."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from engine.types import ElementContext, Intent, Page
from moderation.states import Status
from organizations.errors import not_found
from organizations.models import Organization
from skills.config import engine_locale
from skills.models import PageScan, PageSkill
from skills.routes import matches, prefixes, specificity


def skills_for_path(path: str) -> list[PageSkill]:
    """Return the published skills of the current organization that match a clean path, most specific first."""
    candidates = PageSkill.objects.filter(status=Status.PUBLISHED, static_prefix__in=prefixes(path))
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
    """Return a page-skill as the engine reads it: the spec's intents, each with what the scan knew of its element."""
    intents = []
    for intent in skill.actions_json["intents"]:
        known = skill.elements_json.get(intent["intent_id"], {})
        intents.append(
            Intent(
                intent_id=intent["intent_id"],
                user_goal=intent["user_goal"],
                selector=intent["selector"],
                fallback_selector=intent["fallback_selector"],
                action_type=intent["action_type"],
                element=ElementContext.from_json(known.get("element", {})),
                synonyms=tuple(known.get("synonyms", ())),
                fingerprint=skill.fingerprints_json.get(intent["selector"], ""),
            )
        )
    return Page(
        name=skill.name,
        summary=skill.summary,
        route_pattern=skill.route_pattern,
        locale=engine_locale(skill.locale),
        intents=tuple(intents),
    )


def scan_get(*, organization: Organization, scan_id: uuid.UUID) -> PageScan:
    """Return a scan of this organization, or raise ``ServiceError`` (``not_found``, 404)."""
    scan = PageScan.objects.select_related("skill").filter(pk=scan_id, organization=organization).first()
    if scan is None:
        raise not_found(_("There is no such scan."))
    return scan
