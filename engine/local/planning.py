"""From a ranking to the ordered steps that reach the goal, or to the honest answer that nothing here does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.local.agreement import FINISHING, commands_of, confidence_of, named_option, object_agreement
from engine.local.evidence import PageEvidence, page_evidence
from engine.local.fusion import confidence, deciding_features, fits
from engine.local.goals import is_bound
from engine.local.meaning import Nearness, nearness
from engine.local.question import Clause, Question, Unit, read_question
from engine.local.ranking import STRONG, Scored, match, rank
from engine.types import Intent, Page, Plan, RankedIntent

ENOUGH = 0.36
SURE_BY_WORDS = 0.5
_NOT_UNLIKELY = 0.25
_PLAIN_UNITS, _PLAIN_WORDS, _PLAIN_SAID = 3, 2, 5
_MOST_STEPS = 6
_CANDIDATES = 3
_OPENERS = 3
_CREATING = frozenset(("create", "sign_up", "invite"))
_FIELDS = ("input", "select", "check")
_PRESSED = ("submit", "click")
_NARROWING = frozenset(("filter", "search"))
_DATES = frozenset(("date", "datetime-local", "month", "week", "time"))
_NEARLY = 0.8
_SURE = 0.6


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan with its intents in order, and for lists the option that the question names."""

    intents: tuple[Intent, ...]
    confidence: float
    choices: dict[str, str]
    main: Intent | None

    @property
    def plan(self) -> Plan:
        return Plan(
            tuple(intent.intent_id for intent in self.intents), self.confidence, tuple(sorted(self.choices.values()))
        )


NOTHING = Draft((), 0.0, {}, None)


class Weighed(NamedTuple):
    """An intent that may stand in the middle of a plan: as the words see it, and how well it fits in all. `place` is
    its number among the page's intents."""

    scored: Scored
    by_words: float
    fit: float
    place: int


@dataclass(frozen=True, slots=True)
class Weighing:
    """All intents of a page for one question, the best first; `near` is None where words alone decide."""

    ranked: tuple[Weighed, ...]
    near: Nearness | None

    @property
    def candidates(self) -> Iterator[Weighed]:
        """What may stand in the middle of the plan: the best ranked, and what the words alone would choose."""
        yield from self.ranked[:_CANDIDATES]
        if self.near is not None:
            yield from self.by_words

    @property
    def by_words(self) -> list[Weighed]:
        """The best by words alone."""
        named = (one for one in self.ranked if one.by_words > 0)
        return sorted(named, key=lambda one: (-one.by_words, one.place))[:_CANDIDATES]


def rank_intents(question: str, page: Page) -> list[RankedIntent]:
    """Order all intents of the page by how well they fit; those that share nothing with the question score 0."""
    evidence = page_evidence(page)
    read = read_question(question, evidence.vocabulary)
    ranked = weigh(question, read, page, evidence).ranked
    return [RankedIntent(one.scored.evidence.intent, round(one.fit, 4)) for one in ranked]


def draft_plan(question: str, page: Page, *, avoid: Collection[tuple[str, ...]] = ()) -> Draft:
    """Find the steps for a question, or `NOTHING`. A plan in `avoid` gives way to the next best that holds."""
    evidence = page_evidence(page)
    read = read_question(question, evidence.vocabulary)
    if not read.units:
        return NOTHING
    weighing = weigh(question, read, page, evidence)
    least = 0.0
    for main in weighing.candidates:
        if main.fit <= least:
            continue
        intents = steps_around(main.scored, read, evidence)
        sure = sureness(main, intents, read, weighing, evidence)
        if sure < ENOUGH:
            continue
        ordered = with_openers(intents, page)[:_MOST_STEPS]
        if tuple(intent.intent_id for intent in ordered) in avoid:
            # Refused by a person. What takes its place must be nearly as good: better no answer than another wrong one.
            least = max(least, _NEARLY * main.fit)
            continue
        choices = {intent.intent_id: option for intent in ordered if (option := named_option(intent, read, evidence))}
        return Draft(tuple(ordered), round(sure, 4), choices, _heart(ordered, main.scored.evidence.intent, evidence))
    return NOTHING


def weigh(question: str, read: Question, page: Page, evidence: PageEvidence) -> Weighing:
    """Rank the page's intents by words, and by meaning too where a model reads the question."""
    by_words = words_of(read, evidence)
    scores = [score for _, score in by_words]
    near = nearness(question, page) if read.units else None
    fit = scores if near is None else fits(page, scores, near)
    weighed = [
        Weighed(scored, score, float(one), place)
        for place, ((scored, score), one) in enumerate(zip(by_words, fit, strict=True))
    ]
    ranked = sorted(weighed, key=lambda one: (-one.fit, one.place))
    if near is not None:
        first = next(iter(Weighing(tuple(ranked), near).by_words), None)
        if first is not None and _share_alone(first.scored, read, evidence) >= SURE_BY_WORDS:
            # What the page says in so many words needs no guess at what else may be meant.
            ranked = [first._replace(fit=ranked[0].fit), *(one for one in ranked if one.place != first.place)]
    return Weighing(tuple(ranked), near)


def _share_alone(main: Scored, read: Question, evidence: PageEvidence) -> float:
    return share_of(main, steps_around(main, read, evidence), read, evidence)


def sureness(
    main: Weighed, intents: Sequence[Intent], read: Question, weighing: Weighing, evidence: PageEvidence
) -> float:
    """How sure it is, from 0 to 1, that these steps are what the question asks for."""
    share = share_of(main.scored, intents, read, evidence)
    if weighing.near is None or share >= SURE_BY_WORDS or (share >= ENOUGH and _is_plain(read)):
        return share
    if _is_plain(read) or any(_is_foreign(unit, evidence) for unit in read.units):
        return 0.0
    words = [(one.scored, one.by_words) for one in sorted(weighing.ranked, key=lambda one: one.place)]
    meant = confidence(deciding(words, main.fit, read, weighing.near, evidence))
    if share >= ENOUGH and main in weighing.by_words:
        return share if meant >= _NOT_UNLIKELY else 0.0
    return meant * object_agreement(read, main.scored, evidence)


def _is_plain(read: Question) -> bool:
    """Tell whether a question is so short and so well known, word for word, that it means what it says: *supprimer une
    ligne*. What else it may mean is then no question for vectors."""
    return (
        len(read.units) <= _PLAIN_UNITS
        and all(unit.kind != "word" and len(unit.text.split()) <= _PLAIN_WORDS for unit in read.units)
        and len(read.said) <= _PLAIN_SAID
    )


def _is_foreign(unit: Unit, evidence: PageEvidence) -> bool:
    """Tell whether a unit is something that business pages do not do, nor this one."""
    return unit.kind == "elsewhere" and all(match(unit, one) < STRONG for one in evidence.intents)


def deciding(
    words: Sequence[tuple[Scored, float]], fit: float, read: Question, near: Nearness, evidence: PageEvidence
) -> tuple[float, ...]:
    """What decides whether a question has its answer on the page, for `engine.local.fusion`."""
    best = max(words, key=lambda one: one[1])[0]
    telling = [unit for unit in read.units if unit.kind in ("thing", "command") and not evidence.is_subject(unit)]
    unmet = sum(all(match(unit, one) < STRONG for one in evidence.intents) for unit in telling)
    share = _share_alone(best, read, evidence)
    return deciding_features([one.intent for one in evidence.intents], near, share=share, unmet=unmet, fit=fit)


def share_of(main: Scored, intents: Sequence[Intent], read: Question, evidence: PageEvidence) -> float:
    """How much of what the question says these steps account for, from 0 to 1."""
    return confidence_of(read, intents, evidence) * object_agreement(read, main, evidence)


def words_of(question: Question, evidence: PageEvidence) -> list[tuple[Scored, float]]:
    """The intents in the page's order with their scores by words: judged by the question's first clause, but knowing
    the rest of it."""
    whole = {s.evidence.intent.intent_id: s for s in rank(question.units, question, evidence)}
    scores = {one: scored.score for one, scored in whole.items()}
    if len(question.clauses) > 1:
        for first in rank(question.clauses[0].units, question, evidence):
            one = first.evidence.intent.intent_id
            scores[one] = (2 * first.score + scores[one]) / 3
    return [(whole[one.intent.intent_id], scores[one.intent.intent_id]) for one in evidence.intents]


def _heart(steps: Sequence[Intent], main: Intent, evidence: PageEvidence) -> Intent:
    """The intent that a plan is named after: of several filters, the button that applies them."""
    fields = [intent for intent in steps if intent.action_type in _FIELDS]
    return steps[-1] if len(fields) > 1 and evidence.narrows(steps[-1]) else main


def steps_around(main: Scored, question: Question, evidence: PageEvidence) -> list[Intent]:
    """The steps that go with an intent: the fields before its button, the button after its fields."""
    intent = main.evidence.intent
    narrowing = evidence.narrows(intent)
    chosen = _filters_named(intent, question, evidence) if narrowing else _whole_range(intent, evidence)
    if len(chosen) > 1:
        return chosen
    finishing = intent.action_type in _PRESSED and bool(main.evidence.commands & FINISHING)
    button = _finishing_button(question, chosen, evidence)
    if button:
        chosen.append(button)
    for clause in question.clauses[1:]:
        if clause.joint == "attached" and not finishing:
            continue
        chosen += _served_by(clause, chosen, question, evidence)
    if finishing and len(chosen) == 1:
        chosen = [*_fields_said(main, question, evidence), *chosen]
    creating = main.evidence.commands & _CREATING & commands_of(question)
    if creating and chosen == [intent] and intent.action_type == "submit" and intent.element.form:
        chosen = [*_required_with(intent, evidence), intent]
    if chosen == [intent]:
        chosen = _with_its_field(intent, evidence) or _with_what_it_opens(intent, question, evidence)
    sequential = any(clause.joint == "sequence" for clause in question.clauses[1:]) and not finishing
    return chosen if sequential else sorted(chosen, key=_in_order)


def _filters_named(button: Intent, question: Question, evidence: PageEvidence) -> list[Intent]:
    """*Filtrer par date*: the filters that the question names, then their button."""
    things = [unit for unit in question.units if unit.kind == "thing" and not evidence.is_subject(unit)]
    named = [
        one.intent
        for one in evidence.fields_with(button)
        if one.intent.element.type != "search" and any(match(unit, one) >= STRONG for unit in things)
    ]
    return [*sorted(named, key=_in_order)[: _MOST_STEPS - 1], button]


def _whole_range(field: Intent, evidence: PageEvidence) -> list[Intent]:
    """One end of a range in a form of filters stands for both ends and the button that applies them."""
    if field.action_type not in _FIELDS or not is_bound(field.element):
        return [field]
    button = next(
        (
            one.intent
            for one in evidence.intents
            if one.intent.element.form == field.element.form and evidence.narrows(one.intent)
        ),
        None,
    )
    ends = [
        one.intent
        for one in evidence.intents
        if is_bound(one.intent.element)
        and (one.intent.element.form, one.intent.element.group) == (field.element.form, field.element.group)
    ]
    return [*sorted(ends, key=_in_order), button] if button and len(ends) == 2 else [field]


def _with_its_field(button: Intent, evidence: PageEvidence) -> list[Intent]:
    """A form of one field and one button: *Mettre à jour le statut* does nothing before the status is chosen."""
    if button.action_type != "submit":
        return []
    fields = [one.intent for one in evidence.fields_with(button)]
    return [*fields, button] if len(fields) == 1 and _only_button_of(fields[0], evidence) == button else []


def _with_what_it_opens(opener: Intent, question: Question, evidence: PageEvidence) -> list[Intent]:
    """What carries out a command may wait behind the control that only opens it: go on to the end."""
    own = next(one for one in evidence.intents if one.intent == opener)
    inside = [one.intent for one in evidence.intents if one.intent.element.opener == opener.selector]
    buttons = [intent for intent in inside if intent.action_type == "submit"]
    if len(buttons) != 1 or not own.commands & commands_of(question, vague=False):
        return [opener]
    needed = [intent for intent in inside if intent.action_type in _FIELDS and intent.element.required]
    return [opener, *sorted(needed, key=_in_order)[: _MOST_STEPS - 2], buttons[0]]


def _fields_said(button: Scored, question: Question, evidence: PageEvidence) -> list[Intent]:
    """The fields around a button that the question speaks of beside it: *écrire à Paul et que ça parte*."""
    element = button.evidence.intent.element
    place = element.form or element.heading
    telling = [unit for unit in question.units if unit.kind in ("thing", "command") and not evidence.is_subject(unit)]
    others = [unit for unit in telling if match(unit, button.evidence) < STRONG]
    fields = [
        one.intent
        for one in evidence.intents
        if place
        and (one.intent.element.form or one.intent.element.heading) == place
        and one.intent.action_type in _FIELDS
        and not one.intent.element.row
        and any(match(unit, one) >= _SURE for unit in others)
    ]
    return sorted(fields, key=_in_order)[: _MOST_STEPS - 1]


def _served_by(clause: Clause, chosen: Sequence[Intent], question: Question, evidence: PageEvidence) -> list[Intent]:
    """The intent that a further clause asks for, when the clause brings evidence of its own."""
    own = [unit for unit in clause.units if unit.kind != "soft" and not evidence.is_subject(unit)]
    if not own:
        return []
    best = rank(own, question, evidence)[0]
    intent = best.evidence.intent
    if max(best.matches) < 0.75 or intent in chosen:
        return []
    if intent.element.landmark == "navigation" and chosen[0].element.landmark != "navigation":
        return []
    if intent.action_type == "navigate" and any(one.action_type in _PRESSED for one in chosen):
        alternatives = [s for s in rank(own, question, evidence) if s.evidence.intent.action_type in _FIELDS]
        return [alternatives[0].evidence.intent] if alternatives and max(alternatives[0].matches) >= 0.75 else []
    return [intent]


def _finishing_button(question: Question, chosen: Sequence[Intent], evidence: PageEvidence) -> Intent | None:
    """The button that carries out the question's command after its fields, in the same form."""
    if any(intent.action_type not in _FIELDS for intent in chosen):
        return None
    if len(chosen) == 1 and (only := _button_that_applies(chosen[0], evidence)):
        return only
    commands = commands_of(question, vague=False)
    forms = {intent.element.form for intent in chosen if intent.element.form}
    for candidate in evidence.intents:
        intent = candidate.intent
        if intent.action_type in _PRESSED and intent.element.form in forms and candidate.commands & commands:
            own = [concepts for concepts, _ in candidate.name_units if not concepts & candidate.commands]
            asked = {c for unit in question.units for c in unit.concepts}
            if all(concepts & asked for concepts in own):
                return intent
    return None


def _button_that_applies(field: Intent, evidence: PageEvidence) -> Intent | None:
    """The button without which a choice in a list changes nothing: its form's only one, or that of the filters."""
    if field.action_type != "select":
        return None
    together = (one.intent for one in evidence.intents if one.intent.element.form == field.element.form)
    return _only_button_of(field, evidence) or next((one for one in together if evidence.narrows(one)), None)


def _only_button_of(field: Intent, evidence: PageEvidence) -> Intent | None:
    """The button of a form that holds this one field: choosing *Livrée* changes nothing until it is pressed."""
    if not field.element.form:
        return None
    together = [e.intent for e in evidence.intents if e.intent.element.form == field.element.form]
    buttons = [intent for intent in together if intent.action_type in _PRESSED]
    return buttons[0] if len(buttons) == 1 and len(together) == 2 else None


def _required_with(button: Intent, evidence: PageEvidence) -> list[Intent]:
    fields = [one.intent for one in evidence.fields_with(button) if one.intent.element.required]
    return sorted(fields, key=_in_order)[: _MOST_STEPS - 1]


def _in_order(intent: Intent) -> tuple[bool, int]:
    return (intent.action_type not in _FIELDS, intent.element.position)


def with_openers(intents: Sequence[Intent], page: Page) -> list[Intent]:
    """Put before each hidden element what reveals it."""
    by_selector = page_evidence(page).by_selector
    ordered: list[Intent] = []
    for intent in intents:
        chain: list[Intent] = []
        shown = intent
        while shown.element.closed and len(chain) < _OPENERS:
            opener = by_selector.get(shown.element.opener)
            if opener is None or opener in chain or opener == intent:
                break
            chain.append(opener)
            shown = opener
        ordered += [one for one in (*reversed(chain), intent) if one not in ordered]
    return ordered
