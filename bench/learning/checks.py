"""What has to be true of every learnt page, whoever worded it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.guardrails import GOAL_LENGTH, TEXT_LENGTH
from engine.language import question_locale
from engine.types import ACTION_TYPES, Intent, Locale, Scan, ScanNode, SkillProposal

SCRIPT = Path(__file__).parent / "page" / "resolving.js"
_LONGEST_ID = 64
_MOST_SYNONYMS = 4
_ID = re.compile(r"[a-z0-9_]+")
_MARKUP = re.compile(r"<[/!?a-zA-Z]|\]\(|https?:|javascript:|[\x00-\x1f\u202a-\u202e\u2066-\u2069]")
# Names of the page, which may be in any language.
_QUOTED = re.compile(r"«[^»]*»|“[^”]*”")


def scan_of(answer: dict[str, Any]) -> Scan:
    """Read what `CircuyResolving.scan()` answers."""
    payload = answer["payload"]
    locale: Locale = "fr" if answer["language"].lower().startswith("fr") else "en"
    nodes = tuple(ScanNode.from_wire(node) for node in payload["nodes"])
    return Scan(payload["urlPattern"], payload["pageTitle"], nodes, locale)


def pairs_of(intents: Sequence[Intent], scan: Scan) -> list[tuple[str, str]]:
    """Each selector of the intents with the id of the node that it has to find; "" where the scan has no such node."""
    nodes = {node.selector: node.id for node in scan.nodes}
    return [
        (nodes.get(intent.selector, ""), selector)
        for intent in intents
        for selector in (intent.selector, intent.fallback_selector)
        if selector
    ]


def call_of(pairs: Sequence[tuple[str, str]]) -> str:
    """The expression that tells, in the page, which of the pairs are not resolved."""
    return f"CircuyResolving.unresolved({json.dumps(list(pairs))})"


def faults_of(proposal: SkillProposal, scan: Scan) -> list[str]:
    """Say what is wrong with a learnt page; nothing when it is sound."""
    ids = [intent.intent_id for intent in proposal.intents]
    faults = [] if len(ids) == len(set(ids)) else ["two intents have one id"]
    if not proposal.summary or len(proposal.summary) > 2 * TEXT_LENGTH or _MARKUP.search(proposal.summary):
        faults.append(f"summary: {proposal.summary!r}")
    known = {(node.selector, node.fallback_selector, node.fingerprint) for node in scan.nodes}
    for intent in proposal.intents:
        faults += [f"{intent.intent_id}: {fault}" for fault in _faults_in(intent, scan.locale)]
        if (intent.selector, intent.fallback_selector, intent.fingerprint) not in known:
            faults.append(f"{intent.intent_id}: not an element of the scan: {intent.selector}")
    return faults


def _faults_in(intent: Intent, locale: Locale) -> Iterator[str]:
    if not _ID.fullmatch(intent.intent_id) or len(intent.intent_id) > _LONGEST_ID:
        yield "its id"
    if intent.action_type not in ACTION_TYPES:
        yield f"its action: {intent.action_type}"
    goal = intent.user_goal
    if not any(map(str.isalnum, goal)) or len(goal) > GOAL_LENGTH or goal != goal.strip():
        yield f"its goal: {goal!r}"
    if question_locale(_QUOTED.sub("", goal), locale) != locale:
        yield f"its goal is in the other language: {goal!r}"
    if len(intent.synonyms) > _MOST_SYNONYMS or not all(intent.synonyms):
        yield f"its synonyms: {intent.synonyms}"
    for text in (goal, *intent.synonyms):
        if _MARKUP.search(text):
            yield f"markup: {text!r}"
