"""What each intent of a page says of itself: by stem and by concept, from its labels and from what stands around it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from engine.local.goals import element_label
from engine.local.lexicon import lexicon
from engine.local.question import Unit
from engine.local.states import state_of
from engine.local.text import STOP_WORDS, stems, words
from engine.types import Intent, Page

_NEAR = 0.5
_FIELD_WEIGHTS = {
    "label": 1.0,
    "goal": 0.9,
    "synonym": 0.6,
    "option": 0.8,
    "placeholder": 0.6,
    "name": 0.5,
    "column": 0.35,
    "group": 0.35,
    "form": 0.25,
    "heading": 0.2,
    "row": 0.1,
}
_ANY_PAGE = frozenset(("list", "page", "form", "field", "button"))
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
PART = 0.75
PREFIX = 8
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
            "reject",
            "forbid",
            "pause",
            "resume",
            "restore",
        )
    ),
}
_OPENED_ROW = ("description", "profile", "see", "more_info")
_TEMPLATE = frozenset(("list", "page"))
_IMPLICIT = 0.6
_OPENED = 0.8
# *Désactiver* is what one does with a box called *Actif*, and *bloquer* where there is no other.
_TURNED = 0.8
_DATES = frozenset(("date", "datetime-local", "month", "week", "time"))
_PRESSED = ("click", "submit")
NARROWING = ("search", "filter")
_SEARCHED = 0.75
_OPENS = 0.4
_NAMELESS_OPENS = 0.8
_OF_ITSELF = 0.7
_NEVER_CONFIRMS = frozenset(("log_out", "search", "filter", "reset", "cancel", "delete", "add", "preview", "previous"))
_LOOKING = frozenset(("open", "see", "list", "previous", "read_message"))
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
    prefixes: frozenset[str] = frozenset()
    commands: frozenset[str] = frozenset()
    name_units: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()
    options: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()
    searches: bool = False


@dataclass(slots=True)
class PageEvidence:
    """The evidence of a whole page; `subject` holds the concepts and stems of what the page is about, `vocabulary` the
    words and numbers of its labels."""

    name: str
    intents: tuple[IntentEvidence, ...]
    vocabulary: frozenset[str]
    subject_concepts: frozenset[str]
    subject_stems: frozenset[str]
    by_selector: dict[str, Intent]

    def fields_with(self, button: Intent) -> list[IntentEvidence]:
        """The fields in the form of a button."""
        form = button.element.form
        return [one for one in self.intents if one.intent.element.form == form and one.intent.action_type in _FIELDS]

    def narrows(self, intent: Intent) -> bool:
        """Tell whether the intent is the button of a form that filters a list."""
        if intent.action_type != "submit" or not intent.element.form:
            return False
        own = next(one for one in self.intents if one.intent == intent)
        return bool(own.commands & {*NARROWING}) and any(
            one.options or one.intent.element.type in _DATES for one in self.fields_with(intent)
        )

    def is_subject(self, unit: Unit) -> bool:
        """Tell whether a unit only names what the whole page is about."""
        if unit.kind not in ("thing", "word"):
            return False
        return bool(unit.concepts & self.subject_concepts) or all(part & self.subject_stems for part in unit.stems)


@lru_cache(maxsize=512)
def page_evidence(page: Page) -> PageEvidence:
    """Index a page's intents; kept for the pages asked about last."""
    evidence = tuple(_intent_evidence(intent) for intent in page.intents)
    _tell_openers(evidence)
    _tell_searched(evidence)
    _tell_last_page(evidence)
    vocabulary = {
        word
        for intent in page.intents
        for text in (intent.element.label, intent.element.placeholder, intent.user_goal, *intent.element.options)
        for word in words(text)
        if word not in STOP_WORDS and (len(word) > 3 or word.isdigit())
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


def _tell_openers(evidence: Sequence[IntentEvidence]) -> None:
    """What opens a menu or a panel speaks of what is inside: a bell, an envelope or a gear often have no name."""
    by_selector = {one.intent.selector: one for one in evidence}
    for inner in evidence:
        opener = by_selector.get(inner.intent.element.opener)
        if opener is None or opener is inner:
            continue
        share = _OPENS if any(char.isalpha() for char in opener.intent.element.label) else _NAMELESS_OPENS
        for known, own in ((opener.stems, inner.stems), (opener.concepts, inner.concepts)):
            for key, weight in own.items():
                if weight >= _OF_ITSELF:
                    known[key] = max(known.get(key, 0.0), share * weight)


def _tell_searched(evidence: Sequence[IntentEvidence]) -> None:
    """The fields beside a button that searches or filters are what one searches or filters by."""
    buttons = [one for one in evidence if one.intent.action_type in _PRESSED and one.commands & {*NARROWING}]
    for button in buttons:
        place = (button.intent.element.form, button.intent.element.heading)
        beside = [one for one in evidence if (one.intent.element.form, one.intent.element.heading) == place]
        fields = [one for one in beside if one.intent.action_type in ("input", "select")]
        button.searches = bool(fields) and any(place)
        for one in fields if any(place) else ():
            for concept in NARROWING:
                one.concepts[concept] = max(one.concepts.get(concept, 0.0), _SEARCHED)


def _tell_last_page(evidence: Sequence[IntentEvidence]) -> None:
    """The highest of several page numbers leads to the end of the list."""
    numbered: dict[str, list[IntentEvidence]] = defaultdict(list)
    for one in evidence:
        if one.intent.element.label.isdigit() and one.intent.action_type not in _FIELDS:
            numbered[one.intent.element.heading].append(one)
    for group in numbered.values():
        if len(group) > 1:
            last = max(group, key=lambda one: int(one.intent.element.label))
            last.concepts["last_page"] = 1.0


def _intent_evidence(intent: Intent) -> IntentEvidence:
    element = intent.element
    label = element_label(element) or intent.user_goal
    pressed = intent.action_type not in _FIELDS and element.role != "columnheader"
    by_stem: dict[str, float] = defaultdict(float)
    by_concept: dict[str, float] = defaultdict(float)
    for text, weight in _texts(intent, label):
        said = _without_template(words(text)) if text == intent.user_goal else words(text)
        numbers = text == label or text in element.options
        for stem in (one for word in said if _tells(word, numbers=numbers) for one in stems(word)):
            by_stem[stem] = max(by_stem[stem], weight)
        for concept, share in _spoken_of(said, pressed=pressed):
            by_concept[concept] = max(by_concept[concept], share * weight)
    for concept in lexicon().of_label(label):
        by_concept[concept] = max(by_concept[concept], _FIELD_WEIGHTS["label"])
    opens_row = bool(element.row) and intent.action_type == "navigate"
    acts = {s.concept.name for s in lexicon().spots(words(f"{label} . {intent.user_goal}")) if s.concept.is_action}
    leads_on = intent.action_type != "navigate" or opens_row or not acts - _LOOKING
    for concept in _IMPLIED[intent.action_type] if leads_on else ():
        by_concept[concept] = max(by_concept[concept], _IMPLICIT)
    for concept in _OPENED_ROW if opens_row else ():
        by_concept[concept] = max(by_concept[concept], _OPENED)
    typed = _TYPE_CONCEPTS.get(element.type)
    if typed and element.tag == "input":
        by_concept[typed] = max(by_concept[typed], 0.7)
    state = state_of(intent)
    for concept in state.ticked | state.unticked if state else ():
        by_concept[concept] = max(by_concept[concept], 1.0 if state and concept in state.proper else _TURNED)
    for concept, weight in list(by_concept.items()):
        for near in lexicon().near(concept):
            by_concept[near] = max(by_concept[near], weight * _NEAR)
    finishes = intent.action_type == "submit" and not acts & _NEVER_CONFIRMS
    acts |= {"confirm"} if finishes else set()
    own_name = intent.user_goal if element.row else label
    name_units = _name_units(own_name) or _sign_units(label)
    if state:
        name_units = tuple((own | state.proper if own else own, known) for own, known in name_units)
    if finishes:
        # A form's own button is what confirms it, whatever its verb.
        by_concept["confirm"] = 1.0
        name_units = tuple((own | {"confirm"} if own & acts else own, known) for own, known in name_units)
    options = tuple(unit for option in element.options for unit in _name_units(option))
    prefixes = frozenset(stem[:PREFIX] for stem in by_stem)
    return IntentEvidence(intent, dict(by_stem), dict(by_concept), prefixes, frozenset(acts), name_units, options)


def _sign_units(label: str) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    meant = frozenset(lexicon().of_label(label))
    return ((meant, frozenset()),) if meant else ()


def _tells(word: str, *, numbers: bool) -> bool:
    return word not in STOP_WORDS and (numbers or not word.isdigit())


def _spoken_of(said: Sequence[str], *, pressed: bool) -> Iterable[tuple[str, float]]:
    """The concepts of a text, wholly or by a part: an order on a button (*Supprimer la ligne*) speaks of both."""
    for spot in lexicon().spots(said):
        yield spot.concept.name, 1.0
        inner = lexicon().inner(said, spot)
        order = pressed and any(one.start == spot.start and one.concept.is_action for one in inner)
        for one in inner:
            yield one.concept.name, 1.0 if order else PART


def _without_template(said: Sequence[str]) -> list[str]:
    """A goal without the words that every goal of its kind has: *Open*, *Enter*, *Go to*, *an item of the list*."""
    template = {
        place
        for spot in lexicon().spots(said)
        if spot.concept.soft or spot.concept.name in _TEMPLATE
        for place in range(spot.start, spot.start + spot.length)
    }
    return [word for place, word in enumerate(said) if place not in template]


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
