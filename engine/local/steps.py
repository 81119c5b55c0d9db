"""The steps that go with an intent: the fields before its button, the button after its fields, what waits inside."""

from __future__ import annotations

from collections.abc import Sequence

from engine.local.agreement import FINISHING, commands_of
from engine.local.evidence import IntentEvidence, PageEvidence
from engine.local.goals import is_bound
from engine.local.question import Clause, Question
from engine.local.ranking import STRONG, Scored, match, rank
from engine.types import Intent

MOST_STEPS = 6
FIELDS = ("input", "select", "check")
PRESSED = ("submit", "click")
_CREATING = frozenset(("create", "sign_up", "invite"))
_SURE = 0.6


def steps_around(main: Scored, question: Question, evidence: PageEvidence) -> list[Intent]:
    """The steps that go with an intent: the fields before its button, the button after its fields."""
    intent = main.evidence.intent
    narrowing = evidence.narrows(intent)
    chosen = _filters_named(intent, question, evidence) if narrowing else _whole_range(intent, evidence)
    if len(chosen) > 1:
        return chosen
    finishing = intent.action_type in PRESSED and bool(main.evidence.commands & FINISHING)
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
    return [*sorted(named, key=_in_order)[: MOST_STEPS - 1], button]


def _whole_range(field: Intent, evidence: PageEvidence) -> list[Intent]:
    """One end of a range in a form of filters stands for both ends and the button that applies them."""
    if field.action_type not in FIELDS or not is_bound(field.element):
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
    needed = [intent for intent in inside if intent.action_type in FIELDS and intent.element.required]
    return [opener, *sorted(needed, key=_in_order)[: MOST_STEPS - 2], buttons[0]]


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
        and one.intent.action_type in FIELDS
        and not one.intent.element.row
        and (any(match(unit, one) >= _SURE for unit in others) or _takes_value(one, question))
    ]
    return sorted(fields, key=_in_order)[: MOST_STEPS - 1]


def _takes_value(field: IntentEvidence, question: Question) -> bool:
    """Tell whether a field is what the question brings a value for: *envoyer 50 euros à Julie*."""
    named = frozenset(concept for concepts, _ in field.name_units for concept in concepts)
    return bool(named & question.values)


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
    if intent.action_type == "navigate" and any(one.action_type in PRESSED for one in chosen):
        alternatives = [s for s in rank(own, question, evidence) if s.evidence.intent.action_type in FIELDS]
        return [alternatives[0].evidence.intent] if alternatives and max(alternatives[0].matches) >= 0.75 else []
    return [intent]


def _finishing_button(question: Question, chosen: Sequence[Intent], evidence: PageEvidence) -> Intent | None:
    """The button that carries out the question's command after its fields, in the same form."""
    if any(intent.action_type not in FIELDS for intent in chosen):
        return None
    if len(chosen) == 1 and (only := _button_that_applies(chosen[0], evidence)):
        return only
    commands = commands_of(question, vague=False)
    forms = {intent.element.form for intent in chosen if intent.element.form}
    for candidate in evidence.intents:
        intent = candidate.intent
        if intent.action_type in PRESSED and intent.element.form in forms and candidate.commands & commands:
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
    buttons = [intent for intent in together if intent.action_type in PRESSED]
    return buttons[0] if len(buttons) == 1 and len(together) == 2 else None


def _required_with(button: Intent, evidence: PageEvidence) -> list[Intent]:
    fields = [one.intent for one in evidence.fields_with(button) if one.intent.element.required]
    return sorted(fields, key=_in_order)[: MOST_STEPS - 1]


def _in_order(intent: Intent) -> tuple[bool, int]:
    return (intent.action_type not in FIELDS, intent.element.position)
