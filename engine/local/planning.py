"""From a ranking to the ordered steps that reach the goal, or to the honest answer that nothing here does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from engine.local.agreement import FINISHING, commands_of, confidence_of, named_option, object_agreement
from engine.local.evidence import PageEvidence, page_evidence
from engine.local.goals import is_bound
from engine.local.question import Clause, Question, read_question
from engine.local.ranking import STRONG, Scored, match, rank
from engine.types import Intent, Page, Plan, RankedIntent

ENOUGH = 0.36
_MOST_STEPS = 6
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


def rank_intents(question: str, page: Page) -> list[RankedIntent]:
    """Order all intents of the page by how well they fit; those that share nothing with the question score 0."""
    evidence = page_evidence(page)
    read = read_question(question, evidence.vocabulary)
    return [RankedIntent(s.evidence.intent, round(s.score, 4)) for s in rank(read.units, read, evidence)]


def draft_plan(question: str, page: Page, *, avoid: Collection[tuple[str, ...]] = ()) -> Draft:
    """Find the steps for a question, or `NOTHING`. A plan in `avoid` gives way to the next best that holds."""
    evidence = page_evidence(page)
    read = read_question(question, evidence.vocabulary)
    if not read.units:
        return NOTHING
    least = 0.0
    for main in _mains(read, evidence):
        if main.score < least:
            continue
        intents = _steps(main, read, evidence)
        confidence = confidence_of(read, intents, evidence) * object_agreement(read, main, evidence)
        if confidence < ENOUGH:
            continue
        ordered = with_openers(intents, page)[:_MOST_STEPS]
        if tuple(intent.intent_id for intent in ordered) in avoid:
            # Refused by a person. What takes its place must be nearly as good: better no answer than another wrong one.
            least = max(least, _NEARLY * main.score)
            continue
        choices = {intent.intent_id: option for intent in ordered if (option := named_option(intent, read, evidence))}
        return Draft(tuple(ordered), round(confidence, 4), choices, _heart(ordered, main.evidence.intent, evidence))
    return NOTHING


def _mains(question: Question, evidence: PageEvidence) -> Iterator[Scored]:
    """The intents that may stand in the middle of the plan, best first: judged by the question's first clause, but
    knowing the rest of it."""
    whole = rank(question.units, question, evidence)
    if len(question.clauses) == 1:
        yield from (scored for scored in whole[:3] if scored.score > 0)
        return
    units = question.clauses[0].units
    first = {s.evidence.intent.intent_id: s for s in rank(units, question, evidence)}
    ranked = sorted(
        whole,
        key=lambda s: (-(2 * first[s.evidence.intent.intent_id].score + s.score), s.evidence.intent.element.position),
    )
    yield from (scored for scored in ranked[:3] if scored.score > 0)


def _heart(steps: Sequence[Intent], main: Intent, evidence: PageEvidence) -> Intent:
    """The intent that a plan is named after: of several filters, the button that applies them."""
    fields = [intent for intent in steps if intent.action_type in _FIELDS]
    return steps[-1] if len(fields) > 1 and evidence.narrows(steps[-1]) else main


def _steps(main: Scored, question: Question, evidence: PageEvidence) -> list[Intent]:
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
