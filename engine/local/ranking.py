"""How well each intent of a page answers the evidence in a question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.local.evidence import FIELD_COMMANDS, NARROWING, PART, PREFIX, IntentEvidence, PageEvidence
from engine.local.goals import element_label
from engine.local.lexicon import lexicon
from engine.local.question import Question, Unit
from engine.types import Intent

STRONG = 0.45
_DERIVED = 0.6
_KIND_WEIGHTS = {"thing": 1.0, "command": 0.8, "vague": 0.35, "soft": 0.12, "word": 0.6, "elsewhere": 1.0}
_SUBJECT_WEIGHT = 0.25
_EMPTY_SEARCH = 0.6
# A menu of the whole site is meant less often than the page that is open.
_IN_MENU = 0.85
_IN_CLOSED_MENU = 0.75
# Said in the page's own words it is surer than by a concept that two wordings share.
_MEANT = 0.92


@dataclass(frozen=True, slots=True)
class Scored:
    """An intent's score for some units, with how well it matched each of them (0 to 1)."""

    evidence: IntentEvidence
    score: float
    matches: tuple[float, ...]


def rank(units: Sequence[Unit], question: Question, evidence: PageEvidence) -> list[Scored]:
    """Score every intent for the units; the best first, ties in document order."""
    table = [[match(unit, intent) for unit in units] for intent in evidence.intents]
    weights = [_weight(unit, index, table, evidence) for index, unit in enumerate(units)]
    commands = frozenset(c for unit in question.units if unit.kind in ("command", "vague") for c in unit.concepts)
    asked = _Asked.of(units, evidence)
    names_more = any(not unit.concepts & {*NARROWING, "submit_search"} for unit in asked.things)
    near = frozenset(other for command in commands for other in lexicon().near(command))
    scored: list[Scored] = []
    for intent, row in zip(evidence.intents, table, strict=True):
        found = sum(one * weight for one, weight in zip(row, weights, strict=True))
        fit = _precision(intent, asked) * _agreement(intent, commands, near, evidence) if found else 0.0
        fit *= _place(intent.intent)
        if intent.searches and names_more:
            # Pressing *Search* comes after saying what for.
            fit *= _EMPTY_SEARCH
        scored.append(Scored(intent, found * fit, tuple(row)))
    return sorted(scored, key=lambda s: (-s.score, s.evidence.intent.element.position))


def _place(intent: Intent) -> float:
    if intent.element.closed and not intent.element.opener:
        return _IN_CLOSED_MENU
    if intent.element.landmark != "navigation":
        return 1.0
    return _IN_CLOSED_MENU if intent.element.closed else _IN_MENU


def match(unit: Unit, intent: IntentEvidence) -> float:
    """How surely an intent speaks of a unit, from 0 to 1."""
    best = max((intent.concepts.get(concept, 0.0) for concept in unit.concepts), default=0.0)
    best = max(best, PART * max((intent.concepts.get(concept, 0.0) for concept in unit.parts), default=0.0))
    known, prefixes = intent.stems, intent.prefixes
    by_stems = min(max((_stem_match(stem, known, prefixes) for stem in part), default=0.0) for part in unit.stems)
    return max(_MEANT * best, by_stems)


def _stem_match(stem: str, known: dict[str, float], prefixes: frozenset[str]) -> float:
    exact = known.get(stem, 0.0)
    if exact or len(stem) < PREFIX or stem[:PREFIX] not in prefixes:
        return exact
    start = stem[:PREFIX]
    derived = (w for other, w in known.items() if other.startswith(start) and _shares_most(stem[3:], other[3:]))
    return _DERIVED * max(derived, default=0.0)


def _shares_most(left: str, right: str) -> bool:
    shared = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        shared += 1
    return shared >= 5 and shared >= 0.65 * max(len(left), len(right))


def _weight(unit: Unit, index: int, table: Sequence[Sequence[float]], evidence: PageEvidence) -> float:
    having = sum(row[index] >= STRONG for row in table)
    rarity = math.log(1 + (len(table) + 1) / (having + 1)) / math.log(2 + len(table))
    weight = _KIND_WEIGHTS[unit.kind] * unit.sureness * (0.4 + 0.6 * rarity)
    return weight * _SUBJECT_WEIGHT if evidence.is_subject(unit) else weight


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question speaks of, with what is almost the same and what the page is about."""

    concepts: frozenset[str]
    stems: frozenset[str]
    things: tuple[Unit, ...]

    @classmethod
    def of(cls, units: Sequence[Unit], evidence: PageEvidence) -> _Asked:
        concepts = frozenset(c for unit in units for c in unit.concepts | unit.parts) | evidence.subject_concepts
        near = frozenset(other for concept in concepts for other in lexicon().near(concept))
        known = frozenset(s for unit in units for part in unit.stems for s in part) | evidence.subject_stems
        return cls(concepts | near, known, tuple(unit for unit in units if unit.kind in ("thing", "word")))


def _precision(intent: IntentEvidence, asked: _Asked) -> float:
    """Prefer the intent whose own name the question explains; the page's subject explains itself."""
    if not intent.name_units:
        return 0.6
    if any(_names(unit, own) for unit in asked.things for own in intent.options):
        return 1.0
    explained = sum(bool(own_c & asked.concepts or own_s & asked.stems) for own_c, own_s in intent.name_units)
    return 0.6 + 0.4 * explained / len(intent.name_units)


def _names(unit: Unit, own: tuple[frozenset[str], frozenset[str]]) -> bool:
    concepts, known = own
    return bool(unit.concepts & concepts) or all(part & known for part in unit.stems)


def _agreement(intent: IntentEvidence, commands: frozenset[str], near: frozenset[str], evidence: PageEvidence) -> float:
    """Weigh whether the element can do what the question wants done."""
    action = intent.intent.action_type
    if action == "navigate" and element_label(intent.intent.element).lower() == evidence.name.lower():
        return 0.3
    if action in FIELD_COMMANDS:
        return 1.0 if not commands or commands & FIELD_COMMANDS[action] else 0.5
    if not commands:
        return 0.85 if action != "navigate" else 0.75
    if not intent.commands:
        return 0.7
    if intent.commands & commands:
        return 1.15
    return 0.8 if intent.commands & near else 0.4
