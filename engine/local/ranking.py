"""How well each intent of a page answers the evidence in a question."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from engine.local.goals import element_label
from engine.local.lexicon import lexicon
from engine.local.question import Question, Unit
from engine.local.text import STOP_WORDS, stems, words
from engine.types import Intent, Page

STRONG = 0.5
_NEAR = 0.5
_DERIVED = 0.6
_FIELD_WEIGHTS = {
    "label": 1.0,
    "goal": 0.9,
    "synonym": 0.9,
    "option": 0.8,
    "placeholder": 0.6,
    "name": 0.5,
    "column": 0.35,
    "group": 0.35,
    "form": 0.25,
    "heading": 0.2,
    "row": 0.1,
}
_KIND_WEIGHTS = {"thing": 1.0, "command": 0.8, "vague": 0.35, "soft": 0.12, "word": 0.6, "elsewhere": 1.0}
_ANY_PAGE = frozenset(("list", "page", "form", "field", "button"))
_SUBJECT_WEIGHT = 0.25
_TYPE_CONCEPTS = {
    "email": "email",
    "tel": "phone",
    "date": "date",
    "datetime-local": "date",
    "time": "time",
    "search": "search",
    "file": "file",
    "password": "password",
    "url": "link",
    "color": "color",
}
FIELD_COMMANDS = {
    "input": frozenset(
        (
            "search",
            "filter",
            "upload",
            "import",
            "rename",
            "comment",
            "reply",
            "schedule",
            "postpone",
            "apply",
            "rate",
            "invite",
            "customize",
            "calculate",
            "charge",
            "report_problem",
            "sign",
        )
    ),
    "select": frozenset(("filter", "search", "customize", "mark_as", "convert", "compare", "move", "schedule")),
    "check": frozenset(
        (
            "enable",
            "disable",
            "subscribe",
            "unsubscribe",
            "publish",
            "unpublish",
            "lock",
            "unlock",
            "select_all",
            "approve",
            "send",
            "filter",
            "log_in",
            "share",
            "archive",
            "delete",
            "verify",
        )
    ),
}
_OPENED_ROW = ("description", "profile")
_IMPLIED = {
    "input": ("fill", "add", "change", "apply"),
    "select": ("choose", "change", "add"),
    "check": ("tick", "choose", "change"),
    "navigate": ("open", "see", "previous", "list"),
    "click": (),
    "submit": (),
}
_FIELDS = frozenset(FIELD_COMMANDS)


@dataclass(slots=True)
class IntentEvidence:
    """What an intent says of itself: weight by stem and by concept, and the units of its own name."""

    intent: Intent
    stems: dict[str, float] = field(default_factory=dict)
    concepts: dict[str, float] = field(default_factory=dict)
    commands: frozenset[str] = frozenset()
    name_units: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()
    options: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()


@dataclass(slots=True)
class PageEvidence:
    """The evidence of a whole page; `subject` holds the concepts and stems of what the page is about."""

    name: str
    intents: tuple[IntentEvidence, ...]
    vocabulary: frozenset[str]
    subject_concepts: frozenset[str]
    subject_stems: frozenset[str]
    by_selector: dict[str, Intent]

    def is_subject(self, unit: Unit) -> bool:
        """Tell whether a unit only names what the whole page is about."""
        if unit.kind not in ("thing", "word"):
            return False
        return bool(unit.concepts & self.subject_concepts) or all(part & self.subject_stems for part in unit.stems)


@dataclass(frozen=True, slots=True)
class Scored:
    """An intent's score for some units, with how well it matched each of them (0 to 1)."""

    evidence: IntentEvidence
    score: float
    matches: tuple[float, ...]


@lru_cache(maxsize=512)
def page_evidence(page: Page) -> PageEvidence:
    """Index a page's intents; kept for the pages asked about last."""
    evidence = tuple(_intent_evidence(intent) for intent in page.intents)
    vocabulary = {
        word
        for intent in page.intents
        for text in (intent.element.label, intent.element.placeholder, intent.user_goal, *intent.element.options)
        for word in words(text)
        if word not in STOP_WORDS and len(word) > 3
    }
    common = Counter(intent.element.heading for intent in page.intents)
    heading, times = common.most_common(1)[0] if common else ("", 0)
    subject = f"{page.name} {heading}" if times > 0.5 * len(page.intents) else page.name
    things = {s.concept.name for s in lexicon().spots(words(subject)) if not s.concept.is_action}
    subject_stems = {stem for word in words(subject) if word not in STOP_WORDS for stem in stems(word)}
    return PageEvidence(
        name=page.name,
        intents=evidence,
        vocabulary=frozenset(vocabulary),
        subject_concepts=frozenset(things) | _ANY_PAGE,
        subject_stems=frozenset(subject_stems),
        by_selector={intent.selector: intent for intent in page.intents},
    )


def rank(units: Sequence[Unit], question: Question, evidence: PageEvidence) -> list[Scored]:
    """Score every intent for the units; the best first, ties in document order."""
    table = [[match(unit, intent) for unit in units] for intent in evidence.intents]
    weights = [_weight(unit, index, table, evidence) for index, unit in enumerate(units)]
    commands = frozenset(c for unit in question.units if unit.kind in ("command", "vague") for c in unit.concepts)
    scored: list[Scored] = []
    for intent, row in zip(evidence.intents, table, strict=True):
        found = sum(one * weight for one, weight in zip(row, weights, strict=True))
        fit = _precision(intent, units, evidence) * _agreement(intent, commands, evidence) if found else 0.0
        scored.append(Scored(intent, found * fit, tuple(row)))
    return sorted(scored, key=lambda s: (-s.score, s.evidence.intent.element.position))


def match(unit: Unit, intent: IntentEvidence) -> float:
    """How surely an intent speaks of a unit, from 0 to 1."""
    best = max((intent.concepts.get(concept, 0.0) for concept in unit.concepts), default=0.0)
    by_stems = min(max((_stem_match(stem, intent.stems) for stem in part), default=0.0) for part in unit.stems)
    return max(best, by_stems)


def _stem_match(stem: str, known: dict[str, float]) -> float:
    exact = known.get(stem, 0.0)
    if exact or len(stem) < 8:
        return exact
    derived = (w for other, w in known.items() if other[:8] == stem[:8] and _shares_most(stem[3:], other[3:]))
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
    weight = _KIND_WEIGHTS[unit.kind] * (0.4 + 0.6 * rarity)
    return weight * _SUBJECT_WEIGHT if evidence.is_subject(unit) else weight


def _precision(intent: IntentEvidence, units: Sequence[Unit], evidence: PageEvidence) -> float:
    """Prefer the intent whose own name the question explains; the page's subject explains itself."""
    if not intent.name_units:
        return 0.6
    asked_concepts = frozenset(c for unit in units for c in unit.concepts) | evidence.subject_concepts
    asked_concepts |= frozenset(near for concept in asked_concepts for near in lexicon().near(concept))
    if any(_names(unit, own) for unit in units if unit.kind in ("thing", "word") for own in intent.options):
        return 1.0
    asked_stems = frozenset(s for unit in units for part in unit.stems for s in part) | evidence.subject_stems
    explained = sum(bool(own_c & asked_concepts or own_s & asked_stems) for own_c, own_s in intent.name_units)
    return 0.55 + 0.45 * explained / len(intent.name_units)


def _names(unit: Unit, own: tuple[frozenset[str], frozenset[str]]) -> bool:
    concepts, known = own
    return bool(unit.concepts & concepts) or all(part & known for part in unit.stems)


def _agreement(intent: IntentEvidence, commands: frozenset[str], evidence: PageEvidence) -> float:
    """Weigh whether the element can do what the question wants done."""
    action = intent.intent.action_type
    near = frozenset(other for command in commands for other in lexicon().near(command))
    if action == "navigate" and element_label(intent.intent.element).lower() == evidence.name.lower():
        return 0.3
    if action in _FIELDS:
        return 1.0 if not commands or commands & FIELD_COMMANDS[action] else 0.5
    if not commands:
        return 0.85 if action != "navigate" else 0.75
    if not intent.commands:
        return 0.7
    if intent.commands & commands:
        return 1.15
    return 0.8 if intent.commands & near else 0.4


def _intent_evidence(intent: Intent) -> IntentEvidence:
    element = intent.element
    label = element_label(element) or intent.user_goal
    by_stem: dict[str, float] = defaultdict(float)
    by_concept: dict[str, float] = defaultdict(float)
    for text, weight in _texts(intent, label):
        said = words(text)
        for word in said:
            if word not in STOP_WORDS and not word.isdigit():
                for stem in stems(word):
                    by_stem[stem] = max(by_stem[stem], weight)
        for spot in lexicon().spots(said):
            by_concept[spot.concept.name] = max(by_concept[spot.concept.name], weight)
    opens_row = bool(element.row) and intent.action_type == "navigate"
    for concept in (*_IMPLIED[intent.action_type], *(_OPENED_ROW if opens_row else ())):
        by_concept[concept] = max(by_concept[concept], 0.6)
    typed = _TYPE_CONCEPTS.get(element.type)
    if typed and element.tag == "input":
        by_concept[typed] = max(by_concept[typed], 0.7)
    for concept, weight in list(by_concept.items()):
        for near in lexicon().near(concept):
            by_concept[near] = max(by_concept[near], weight * _NEAR)
    acts = {s.concept.name for s in lexicon().spots(words(f"{label} . {intent.user_goal}")) if s.concept.is_action}
    acts |= {"confirm"} if intent.action_type == "submit" else set()
    own_name = intent.user_goal if element.row else label
    name_units = _name_units(own_name)
    if intent.action_type == "submit":
        # A form's own button is what confirms it, whatever its verb.
        by_concept["confirm"] = 1.0
        name_units = tuple((own | {"confirm"} if own & acts else own, known) for own, known in name_units)
    options = tuple(unit for option in element.options for unit in _name_units(option))
    return IntentEvidence(intent, dict(by_stem), dict(by_concept), frozenset(acts), name_units, options)


def _texts(intent: Intent, label: str) -> Iterable[tuple[str, float]]:
    element, weights = intent.element, _FIELD_WEIGHTS
    yield label, weights["label"]
    yield intent.user_goal, weights["goal"]
    yield from ((text, weights["synonym"]) for text in intent.synonyms)
    yield from ((text, weights["option"]) for text in element.options)
    yield element.placeholder, weights["placeholder"]
    yield element.name.replace("_", " ").replace("-", " "), weights["name"]
    yield element.column, weights["column"]
    yield element.group, weights["group"]
    yield element.form, weights["form"]
    yield element.heading, weights["heading"]
    yield element.row, weights["row"]


def _name_units(label: str) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    said = words(label)
    units: list[tuple[frozenset[str], frozenset[str]]] = []
    spots = lexicon().spots(said)
    place = 0
    while place < len(said):
        here = [spot for spot in spots if spot.start == place]
        length = here[0].length if here else 1
        part = [word for word in said[place : place + length] if word not in STOP_WORDS and not word.isdigit()]
        if part and part != ["%"]:
            units.append((frozenset(s.concept.name for s in here), frozenset(x for word in part for x in stems(word))))
        place += length
    return tuple(units)
