"""Learning pages: accepting a scan, turning it into a page-skill, editing that skill."""

from __future__ import annotations

import logging
import uuid
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import orjson
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.masking import mask
from engine.service import propose_skill
from engine.types import ACTION_TYPES, EngineConfig, Locale, Scan, ScanNode, SkillProposal
from moderation.registry import content_digest
from moderation.services import review_record_edit, review_submit
from moderation.states import EDITABLE, Status
from organizations.errors import ServiceError
from organizations.masks import mask_rules
from organizations.models import Organization, Role, User
from organizations.permissions import require_role
from organizations.workers import send_after_commit
from skills.claims import MAX_ATTEMPTS, claim, unclaimed
from skills.config import engine_afforded, engine_locale
from skills.index import index_build, vectors_prepare
from skills.merging import learnt
from skills.models import PageScan, PageSkill
from skills.pages import page_of
from skills.payload import MAX_TEXT, scan_payload_clean
from skills.routes import pattern_clean, static_prefix

log = logging.getLogger(__name__)

# The specification's intent, §3.2.
SPEC_INTENT_KEYS = ("intent_id", "user_goal", "selector", "fallback_selector", "action_type")
# A scan that nobody claimed for this long was never delivered.
LOST_AFTER = timedelta(minutes=1)


@transaction.atomic
def scan_accept(
    *,
    organization: Organization,
    actor: User | None,
    data: Any,
    name: str,
    locale: Locale,
    source: PageScan.Source = PageScan.Source.RECORDER,
) -> PageScan:
    """Store a scan and have it learnt. Returns at once; the learning happens in a worker after commit.

    ``actor`` is None only for the platform itself. Raises ``ServiceError`` as ``scan_payload_clean`` does.
    """
    if actor is not None:
        require_role(actor, organization, Role.AUTHOR)
    masks = mask_rules(organization)
    payload = scan_payload_clean(data, masks)
    scan = PageScan.objects.create(
        organization=organization,
        url_pattern=payload["urlPattern"],
        # Masks may be longer than what they hide.
        page_title=payload["pageTitle"][:300],
        name=mask(name.strip(), masks)[:255] or payload["pageTitle"][:255],
        locale=locale,
        payload=payload,
        content_hash=content_digest(payload),
        size=len(orjson.dumps(payload)),
        truncated=payload.get("truncated", False),
        source=source,
        recorded_by=actor,
    )
    send_after_commit(partial(_enqueue, scan.pk))
    return scan


def scan_learn(*, scan_id: uuid.UUID, config: EngineConfig) -> PageSkill | None:
    """Make a page-skill of a scan and put it in the inbox.

    Runs in a worker, possibly twice: the scan is claimed by one conditional update, and its state changes by
    another in the transaction that saves the skill, so only one run leaves one. Returns None when there was
    nothing to do, or when nothing was learnt: why stays readable on the scan, and no scan is tried for ever.
    """
    scan = _scan_claim(scan_id)
    if scan is None:
        return None
    if scan.attempts > MAX_ATTEMPTS:
        log.error("scan %s is given up: its worker ended %d times", scan.pk, MAX_ATTEMPTS)
        _scan_fail(scan, _("This page could not be learnt: something went wrong on our side."))
        return None
    try:
        afforded = engine_afforded(scan.organization, config, "learn")
        proposal = propose_skill(_engine_scan(scan), locale=engine_locale(scan.locale), config=afforded.config)
    except Exception:
        log.exception("the engine broke on scan %s", scan.pk)
        _scan_fail(scan, _("This page could not be learnt: something went wrong on our side."))
        return None
    afforded.settle(proposal.usage)
    if afforded.refused:
        proposal = replace(proposal, fell_back=afforded.refused)
    if not proposal.intents:
        _scan_fail(scan, _("Nothing that a user can act on was understood on this page."))
        return None
    if proposal.dropped:
        log.warning("scan %s: %d proposed intents had no element in the scan", scan.pk, proposal.dropped)
    vectors = vectors_prepare(page_of(_skill_from_proposal(scan, proposal)))
    with transaction.atomic():
        if not PageScan.objects.filter(pk=scan.pk, state=PageScan.State.RECEIVED).update(state=PageScan.State.LEARNED):
            return None
        # Anew: somebody may have edited the page meanwhile, and what they wrote stays.
        skill = _skill_from_proposal(scan, proposal)
        skill.save(force_insert=True)
        index_build(skill=skill, vectors=vectors)
        review_submit(subject=skill, actor=scan.recorded_by)
        return skill


def skill_edit(
    *,
    skill: PageSkill,
    actor: User,
    seen_digest: str,
    name: str,
    route_pattern: str,
    summary: str,
    intents: list[dict[str, str]],
) -> PageSkill:
    """Save a reviewer's changes as a new version under review; return the row that holds it.

    A published skill stays live: its edit becomes a new row. Raises ``ServiceError``: ``invalid_skill``
    (422), ``changed_since`` or ``already_decided`` (409), ``forbidden``/``not_found``.
    """
    require_role(actor, skill.organization, Role.AUTHOR)
    if skill.status not in EDITABLE:
        raise ServiceError("already_decided", _("This page-skill can no longer be edited."), status=409)
    pattern = pattern_clean(route_pattern)
    actions: dict[str, Any] = {"summary": summary.strip(), "intents": _intents_clean(intents)}
    digest = _skill_digest(name.strip(), pattern, actions)
    changes = {
        "name": name.strip(),
        "route_pattern": pattern,
        "static_prefix": static_prefix(pattern),
        "summary": summary.strip(),
        "actions_json": actions,
        "fingerprints_json": _fingerprints_kept(skill, actions["intents"]),
    }
    if not changes["name"] or not changes["summary"]:
        raise ServiceError("invalid_skill", _("A page-skill needs a name and a summary."), status=422)
    if skill.status == Status.PUBLISHED and digest == skill.digest:
        return skill
    successor = PageSkill(
        organization=skill.organization,
        elements_json=skill.elements_json,
        proposed_json=skill.proposed_json,
        locale=skill.locale,
        version=skill.version + 1,
        digest=digest,
        **changes,
    )
    vectors = vectors_prepare(page_of(successor))
    with transaction.atomic():
        if skill.status == Status.PUBLISHED:
            if skill.digest != seen_digest:
                raise ServiceError("changed_since", _("It changed since you opened it."), status=409)
            successor.save(force_insert=True)
            index_build(skill=successor, vectors=vectors)
            review_submit(subject=successor, actor=actor)
            return successor
        if review_record_edit(subject=skill, actor=actor, seen_digest=seen_digest, digest=digest, changes=changes):
            index_build(skill=skill, vectors=vectors)
        return skill


def _engine_scan(scan: PageScan) -> Scan:
    return Scan(
        url_pattern=scan.url_pattern,
        page_title=scan.page_title,
        nodes=tuple(ScanNode.from_wire(node) for node in scan.payload["nodes"]),
        locale=engine_locale(scan.locale),
        name=scan.name,
    )


def _skill_from_proposal(scan: PageScan, proposal: SkillProposal) -> PageSkill:
    """Return the version that a scan makes of its page, not saved."""
    made = learnt(scan, proposal)
    actions = {"summary": made.summary, "intents": made.intents}
    return PageSkill(
        organization=scan.organization,
        name=made.name,
        route_pattern=made.route_pattern,
        static_prefix=static_prefix(made.route_pattern),
        summary=made.summary,
        actions_json=actions,
        elements_json=made.elements,
        fingerprints_json=made.fingerprints,
        proposed_json=made.proposed,
        locale=scan.locale,
        scan=scan,
        version=made.version,
        digest=_skill_digest(made.name, made.route_pattern, actions),
    )


def _fingerprints_kept(skill: PageSkill, intents: list[dict[str, str]]) -> dict[str, str]:
    """Return the fingerprints of the elements that the edited actions still point at."""
    used = {intent["selector"] for intent in intents}
    return {selector: known for selector, known in skill.fingerprints_json.items() if selector in used}


def _skill_digest(name: str, route_pattern: str, actions: dict[str, Any]) -> str:
    return content_digest({"name": name, "route_pattern": route_pattern, "actions": actions})


def _intents_clean(intents: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return intents in the specification's shape, or refuse them naming what is wrong."""
    wrong: dict[str, str] = {}
    seen: set[str] = set()
    clean: list[dict[str, str]] = []
    for index, intent in enumerate(intents):
        row = {key: str(intent.get(key, "")).strip() for key in SPEC_INTENT_KEYS}
        for key in ("intent_id", "user_goal", "selector"):
            if not row[key]:
                wrong[f"intents[{index}].{key}"] = _("this cannot be empty")
        for key, value in row.items():
            if len(value) > MAX_TEXT:
                wrong[f"intents[{index}].{key}"] = _("at most %(max)d characters are accepted") % {"max": MAX_TEXT}
        if row["intent_id"] in seen:
            wrong[f"intents[{index}].intent_id"] = _("another action already has this id")
        if row["action_type"] not in ACTION_TYPES:
            wrong[f"intents[{index}].action_type"] = _("unknown kind of action")
        seen.add(row["intent_id"])
        clean.append(row)
    if not clean:
        wrong["intents"] = _("at least one action is needed")
    if wrong:
        raise ServiceError("invalid_skill", _("This page-skill cannot be saved."), status=422, fields=wrong)
    return clean


def stale_scans(limit: int = 100) -> list[uuid.UUID]:
    """Return the ids of scans in the current scope that a dead broker or worker left unlearnt."""
    received = PageScan.objects.filter(state=PageScan.State.RECEIVED, created_at__lt=timezone.now() - LOST_AFTER)
    return list(unclaimed(received).order_by("created_at").values_list("pk", flat=True)[:limit])


def _scan_claim(scan_id: uuid.UUID) -> PageScan | None:
    if not claim(PageScan.objects.filter(pk=scan_id, state=PageScan.State.RECEIVED)):
        return None
    return PageScan.objects.select_related("organization", "recorded_by").get(pk=scan_id)


def _scan_fail(scan: PageScan, why: str) -> None:
    PageScan.objects.filter(pk=scan.pk, state=PageScan.State.RECEIVED).update(state=PageScan.State.FAILED, failure=why)


def _enqueue(scan_id: uuid.UUID) -> None:
    # Imported late: the task module imports this one.
    from skills.tasks import learn_page

    learn_page.delay(str(scan_id))
