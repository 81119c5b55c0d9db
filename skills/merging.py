"""A page learnt again: what reviewers wrote stays, what the page shows now comes in, what is gone drops out.

What the scan alone makes of a page is kept beside what the page-skill says (``PageSkill.proposed_json``). Whatever
differs was written by a person: a wording, an action that is missing, one that no scan proposed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Max

from engine.types import ElementContext, Intent, SkillProposal
from moderation.states import Status
from skills.matching import same_actions
from skills.models import PageScan, PageSkill

_WAITING = (Status.DRAFT, Status.PENDING_REVIEW, Status.CHANGES_REQUESTED)
_OVER = (Status.REJECTED, Status.ARCHIVED)


@dataclass(frozen=True, slots=True)
class Learnt:
    """The content of a new version of a page, and what its scan alone would say (``proposed``)."""

    name: str
    route_pattern: str
    summary: str
    intents: list[dict[str, str]]
    elements: dict[str, Any]
    fingerprints: dict[str, str]
    proposed: dict[str, Any]
    version: int


def learnt(scan: PageScan, proposal: SkillProposal) -> Learnt:
    """Return what a scan makes of its page, given what is known of it.

    An action keeps its ``intent_id`` when it is the same one beyond doubt (``skills.matching``). What a reviewer
    changed on it stays, an action that a reviewer removed stays away, and one that was added stays as long as the scan
    holds its element. Words stay in the language they were written in: a page learnt in another one is worded anew.
    """
    route = _route_of(scan.url_pattern)
    versions = _versions_that_count(route)
    last = versions[-1] if versions and versions[-1].locale == scan.locale else None
    known = _Known()
    for version in versions:
        known.add(version)
    fresh = _with_known_ids(proposal.intents, known)
    worded_by, summary = f"{proposal.provider} {proposal.model} {proposal.prompt_version}", proposal.summary
    before = last.proposed_json.get("worded_by", "") if last else ""
    # A model words the same thing otherwise each time, and the rules only stand in for it: neither is news.
    if last and before.startswith("openai") and (proposal.fell_back or before == worded_by):
        worded_by = before
        fresh = [_said_as_before(intent, known.proposed.get(intent.intent_id)) for intent in fresh]
        if {intent.intent_id for intent in fresh} == {row["intent_id"] for row in last.proposed_json["intents"]}:
            summary = last.proposed_json["summary"]
    there = _addresses(scan)
    rows = [
        _merged(spec_intent(intent), known, there, with_words=last is not None)
        for intent in fresh
        if not known.is_removed(intent.intent_id)
    ]
    own = {intent.intent_id for intent in fresh}
    rows += [row for row in known.added() if row["intent_id"] not in own and row["selector"] in there]
    return Learnt(
        name=_written(last, "name", scan.name),
        route_pattern=route,
        summary=_written(last, "summary", summary),
        # Nobody can look at a page without actions: one whose last ones were removed shows them again.
        intents=rows or [spec_intent(intent) for intent in fresh],
        elements={row["intent_id"]: known.elements.get(row["intent_id"], {}) for row in rows}
        | {
            intent.intent_id: {"element": intent.element.to_json(), "synonyms": list(intent.synonyms)}
            for intent in fresh
        },
        fingerprints={row["selector"]: mark for row in rows if (mark := there.get(row["selector"]))},
        proposed={
            "name": scan.name,
            "route_pattern": scan.url_pattern,
            "summary": summary,
            "worded_by": worded_by,
            "intents": [{**spec_intent(intent), "fingerprint": intent.fingerprint} for intent in fresh],
        },
        version=_next_version(route),
    )


def spec_intent(intent: Intent) -> dict[str, str]:
    """Return the specification's intent, §3.2."""
    return {
        "intent_id": intent.intent_id,
        "user_goal": intent.user_goal,
        "selector": intent.selector,
        "fallback_selector": intent.fallback_selector,
        "action_type": intent.action_type,
    }


@dataclass(slots=True)
class _Known:
    """What is known of a page, by intent id: as scans had it, and as it stands. Later versions have the last word."""

    proposed: dict[str, Intent] = field(default_factory=dict)
    rows: dict[str, dict[str, str]] = field(default_factory=dict)
    elements: dict[str, Any] = field(default_factory=dict)

    def add(self, skill: PageSkill) -> None:
        self.elements |= skill.elements_json
        for intent_id in skill.elements_json:
            self.rows.pop(intent_id, None)
        self.rows |= {row["intent_id"]: row for row in skill.actions_json["intents"]}
        for row in skill.proposed_json.get("intents", ()):
            self.proposed[row["intent_id"]] = _intent(row, self.elements)

    def is_removed(self, intent_id: str) -> bool:
        return intent_id in self.proposed and intent_id not in self.rows

    def added(self) -> list[dict[str, str]]:
        """Return the actions that no scan proposed."""
        return [row for intent_id, row in self.rows.items() if intent_id not in self.proposed]

    def intents(self) -> list[Intent]:
        return [*self.proposed.values(), *(_intent(row, self.elements) for row in self.added())]


def _intent(row: Mapping[str, Any], elements: Mapping[str, Any]) -> Intent:
    known = elements.get(row["intent_id"], {})
    return Intent(
        intent_id=row["intent_id"],
        user_goal=row["user_goal"],
        selector=row["selector"],
        fallback_selector=row["fallback_selector"],
        action_type=row["action_type"],
        element=ElementContext.from_json(known.get("element", {})),
        synonyms=tuple(known.get("synonyms", ())),
        fingerprint=row.get("fingerprint", ""),
    )


def _with_known_ids(intents: Sequence[Intent], known: _Known) -> list[Intent]:
    """Give actions the ids that they had; no new one takes the id of another, even of one that is gone."""
    pairs = same_actions(intents, known.intents())
    taken = {*known.proposed, *known.rows}
    named = []
    for intent in intents:
        intent_id = pairs.get(intent.intent_id) or _free(intent.intent_id, taken)
        taken.add(intent_id)
        named.append(replace(intent, intent_id=intent_id))
    return named


def _free(intent_id: str, taken: set[str]) -> str:
    number, free = 2, intent_id
    while free in taken:
        free = f"{intent_id}_{number}"
        number += 1
    return free


def _said_as_before(intent: Intent, before: Intent | None) -> Intent:
    """Keep the words that were found for an element that says what it said."""
    if before is None or _says(intent.element) != _says(before.element):
        return intent
    return replace(intent, user_goal=before.user_goal, synonyms=before.synonyms)


def _says(element: ElementContext) -> ElementContext:
    return replace(element, position=0, closed=False, opener="")


def _merged(fresh: dict[str, str], known: _Known, there: Mapping[str, str], *, with_words: bool) -> dict[str, str]:
    """Return an action of the scan with what a person wrote over it."""
    row, proposed = known.rows.get(fresh["intent_id"]), known.proposed.get(fresh["intent_id"])
    if row is None:
        return fresh
    before = spec_intent(proposed) if proposed else {"selector": row["selector"], "fallback_selector": ""}
    written = {key: text for key, text in row.items() if text != before.get(key)}
    if not with_words:
        written.pop("user_goal", None)
    if written.get("selector") not in there:
        written.pop("selector", None)
    return fresh | written


def _written(last: PageSkill | None, key: str, fresh: str) -> str:
    """Return a text of the page-skill that a person wrote, else what the scan makes of it now."""
    if last is None:
        return fresh
    stands: str = getattr(last, key)
    return fresh if stands == last.proposed_json.get(key) else stands


def _addresses(scan: PageScan) -> dict[str, str]:
    """Return the fingerprint of the element behind each selector of a scan ("" for none)."""
    return {
        node[key]: node.get("fingerprint", "")
        for key in ("fallbackSelector", "selector")
        for node in scan.payload["nodes"]
        if node.get(key)
    }


def _route_of(url_pattern: str) -> str:
    """Return the pattern under which a scan's page is known: a reviewer may have given it another one."""
    skills = PageSkill.objects.exclude(status__in=_OVER)
    if skills.filter(route_pattern=url_pattern).exists():
        return url_pattern
    renamed = skills.filter(proposed_json__route_pattern=url_pattern).order_by("-id").first()
    return renamed.route_pattern if renamed else url_pattern


def _versions_that_count(route: str) -> list[PageSkill]:
    """Return the versions that a new one builds on, oldest first: the live one, and those that may replace it.

    Of a page that has neither, the last one that nobody rejected.
    """
    versions = PageSkill.objects.filter(route_pattern=route)
    live = versions.filter(status=Status.PUBLISHED).first()
    waiting = versions.filter(status__in=_WAITING, **({"pk__gt": live.pk} if live else {})).order_by("pk")
    found = [*([live] if live else []), *waiting]
    return found or list(versions.exclude(status=Status.REJECTED).order_by("-version", "-pk")[:1])


def _next_version(route: str) -> int:
    highest: int | None = PageSkill.objects.filter(route_pattern=route).aggregate(highest=Max("version"))["highest"]
    return (highest or 0) + 1
