"""From a ranking to the ordered steps that reach the goal, or to the honest answer that nothing here does."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from engine.local.goals import is_bound, is_filter, without_aside
from engine.local.lexicon import lexicon
from engine.local.question import Clause, Question, read_question
from engine.local.ranking import (
    FIELD_COMMANDS,
    STRONG,
    IntentEvidence,
    PageEvidence,
    Scored,
    match,
    page_evidence,
    rank,
)
from engine.local.text import stems, words
from engine.types import Intent, Page, Plan, RankedIntent

ENOUGH = 0.4
_MOST_STEPS = 6
_OPENERS = 3
_EVIDENCE_WEIGHTS = {"thing": 1.0, "command": 0.9, "vague": 0.3, "soft": 0.05, "word": 0.45, "elsewhere": 1.6}
_SUBJECT = 0.35
_INVITATION = re.compile(r"^\W*(?:choisi|sélectionn|choose|select|pick|--|…)|^\W*$", re.IGNORECASE)
_FINISHING = frozenset(("create", "save", "confirm", "send", "publish", "pay", "sign_up", "checkout", "add"))
_CREATING = frozenset(("create", "sign_up", "invite"))
_COMPLETED_BY_FIELDS = frozenset(("create", "save", "confirm", "pay", "calculate", "approve"))
_FIELDS = ("input", "select", "check")
_PRESSED = ("submit", "click")
# What a link to another page can be the way to, when it does not say itself what it does.
_FOUND_ELSEWHERE = frozenset(("create", "search", "filter", "previous", "next"))
_NARROWING = frozenset(("filter", "search"))
_CHANGING = frozenset(("add", "change", "fill", "apply", "create", "delete"))
_LOOKING = frozenset(("see", "open", "choose", "search", "filter", "list"))
_DATES = frozenset(("date", "datetime-local", "month", "week", "time"))
_NEARLY = 0.8
_HALF = 0.6
_AGAINST = 0.35
_NEW = frozenset(("nouveau", "nouvel", "nouvelle", "new"))


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
        confidence = _confidence(read, intents, evidence) * _object_agreement(read, main, evidence)
        if confidence < ENOUGH:
            continue
        ordered = with_openers(intents, page)[:_MOST_STEPS]
        if tuple(intent.intent_id for intent in ordered) in avoid:
            # Refused by a person. What takes its place must be nearly as good: better no answer than another wrong one.
            least = max(least, _NEARLY * main.score)
            continue
        choices = {intent.intent_id: option for intent in ordered if (option := _named_option(intent, read, evidence))}
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
    return steps[-1] if len(fields) > 1 and _narrows(steps[-1], evidence) else main


def _steps(main: Scored, question: Question, evidence: PageEvidence) -> list[Intent]:
    intent = main.evidence.intent
    if _narrows(intent, evidence):
        chosen = _filters_named(intent, question, evidence)
    else:
        chosen = _whole_range(intent, evidence)
    if len(chosen) > 1:
        return chosen
    finishing = intent.action_type in _PRESSED and bool(main.evidence.commands & _FINISHING)
    button = _finishing_button(question, chosen, evidence)
    if button:
        chosen.append(button)
    for clause in question.clauses[1:]:
        if clause.joint == "attached" and not finishing:
            continue
        chosen += _served_by(clause, chosen, question, evidence)
    creating = main.evidence.commands & _CREATING & _commands(question)
    if creating and chosen == [intent] and intent.action_type == "submit" and intent.element.form:
        chosen = [*_required_with(intent, evidence), intent]
    if chosen == [intent]:
        chosen = _with_its_field(intent, evidence) or _with_what_it_opens(intent, question, evidence)
    sequential = any(clause.joint == "sequence" for clause in question.clauses[1:]) and not finishing
    return chosen if sequential else sorted(chosen, key=_in_order)


def _narrows(intent: Intent, evidence: PageEvidence) -> bool:
    """Tell whether the intent is the button of a form that filters a list."""
    if intent.action_type != "submit" or not intent.element.form:
        return False
    own = next(one for one in evidence.intents if one.intent == intent)
    return bool(own.commands & _NARROWING) and any(
        one.options or one.intent.element.type in _DATES for one in _fields_with(intent, evidence)
    )


def _filters_named(button: Intent, question: Question, evidence: PageEvidence) -> list[Intent]:
    """*Filtrer par date*: the filters that the question names, then their button."""
    things = [unit for unit in question.units if unit.kind == "thing" and not evidence.is_subject(unit)]
    named = [
        one.intent
        for one in _fields_with(button, evidence)
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
            if one.intent.element.form == field.element.form and _narrows(one.intent, evidence)
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
    fields = [one.intent for one in _fields_with(button, evidence)]
    return [*fields, button] if len(fields) == 1 and _only_button_of(fields[0], evidence) == button else []


def _with_what_it_opens(opener: Intent, question: Question, evidence: PageEvidence) -> list[Intent]:
    """What carries out a command may wait behind the control that only opens it: go on to the end."""
    own = next(one for one in evidence.intents if one.intent == opener)
    inside = [one.intent for one in evidence.intents if one.intent.element.opener == opener.selector]
    buttons = [intent for intent in inside if intent.action_type == "submit"]
    if len(buttons) != 1 or not own.commands & _commands(question, vague=False):
        return [opener]
    needed = [intent for intent in inside if intent.action_type in _FIELDS and intent.element.required]
    return [opener, *sorted(needed, key=_in_order)[: _MOST_STEPS - 2], buttons[0]]


def _fields_with(button: Intent, evidence: PageEvidence) -> list[IntentEvidence]:
    return [
        one
        for one in evidence.intents
        if one.intent.element.form == button.element.form and one.intent.action_type in _FIELDS
    ]


def _served_by(clause: Clause, chosen: Sequence[Intent], question: Question, evidence: PageEvidence) -> list[Intent]:
    """The intent that a further clause asks for, when the clause brings evidence of its own."""
    own = [unit for unit in clause.units if unit.kind != "soft" and not evidence.is_subject(unit)]
    if not own:
        return []
    best = rank(own, question, evidence)[0]
    intent = best.evidence.intent
    if max(best.matches) < 0.75 or intent in chosen:
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
    commands = _commands(question, vague=False)
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
    return _only_button_of(field, evidence) or next((one for one in together if _narrows(one, evidence)), None)


def _only_button_of(field: Intent, evidence: PageEvidence) -> Intent | None:
    """The button of a form that holds this one field: choosing *Livrée* changes nothing until it is pressed."""
    if not field.element.form:
        return None
    together = [e.intent for e in evidence.intents if e.intent.element.form == field.element.form]
    buttons = [intent for intent in together if intent.action_type in _PRESSED]
    return buttons[0] if len(buttons) == 1 and len(together) == 2 else None


def _commands(question: Question, *, vague: bool = True) -> frozenset[str]:
    """What the question wants done, with or without the verbs that may also just fill a field (*faire*)."""
    kinds = ("command", "vague") if vague else ("command",)
    return frozenset(concept for unit in question.units if unit.kind in kinds for concept in unit.concepts)


def _required_with(button: Intent, evidence: PageEvidence) -> list[Intent]:
    fields = [one.intent for one in _fields_with(button, evidence) if one.intent.element.required]
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


def _confidence(question: Question, intents: Sequence[Intent], evidence: PageEvidence) -> float:
    """The share of the question's evidence that the plan accounts for; 0 without one piece of it that is sure.

    A thing or a command that the page lacks weighs fully against the plan, a word nobody knows weighs less.
    """
    chosen = [e for e in evidence.intents if e.intent in intents]
    asked = found = surest = 0.0
    telling = [u for u in question.units if u.kind != "soft" and u.text != "%" and not evidence.is_subject(u)]
    for unit in question.units:
        best = max((match(unit, intent) for intent in chosen), default=0.0)
        weight = _EVIDENCE_WEIGHTS[unit.kind]
        if unit in telling:
            surest = max(surest, best)
        elif evidence.is_subject(unit):
            weight *= _SUBJECT
            best = max(best, 1.0 if telling else 0.0)
        asked += weight
        found += weight * best
    if not telling:
        return found / asked if any(_says_all(question, one) for one in chosen) else 0.0
    return found / asked if surest >= STRONG else 0.0


def _says_all(question: Question, intent: IntentEvidence) -> bool:
    """When a question only names the page's subject (*ouvrir une commande*), one intent must say just that."""
    return all(match(unit, intent) >= STRONG for unit in question.units)


def _object_agreement(question: Question, main: Scored, evidence: PageEvidence) -> float:
    """*Supprimer un client* is neither *Supprimer la ligne* nor *Choisir le client*: half an answer is no answer."""
    intent = main.evidence.intent
    commands = _commands(question, vague=False)
    if intent.action_type in _FIELDS:
        return _field_agreement(question, main.evidence, commands, evidence)
    if commands and not _can(main.evidence, commands):
        return _HALF
    if _narrows(intent, evidence) and _changes(question):
        return _AGAINST
    own = [concepts for concepts, _ in main.evidence.name_units if concepts and not concepts & main.evidence.commands]
    things = [u for u in question.units if u.kind in ("thing", "elsewhere") and not evidence.is_subject(u)]
    if not own or not things or any(match(unit, main.evidence) >= STRONG for unit in things):
        return 1.0
    asked = evidence.subject_concepts | {concept for unit in question.units for concept in unit.concepts}
    return 1.0 if any(concepts & asked for concepts in own) else 0.5


def _field_agreement(
    question: Question, field: IntentEvidence, commands: frozenset[str], evidence: PageEvidence
) -> float:
    element, action = field.intent.element, field.intent.action_type
    asked = frozenset(concept for unit in question.units for concept in unit.concepts)
    changing = _changes(question)
    if changing and is_filter(element) and not _named_option(field.intent, question, evidence):
        # A filter shows other rows; it changes none.
        return _AGAINST
    named = action != "select" and all(concepts & asked for concepts, _ in field.name_units)
    if changing and not named and not element.group and _NEW & set(question.said) - set(words(element.label)):
        # What is new is not in a list yet, and *Note au client* is no new customer.
        return _AGAINST
    done = not commands or commands & (FIELD_COMMANDS[action] | _COMPLETED_BY_FIELDS | field.commands)
    return 1.0 if done else _HALF


def _changes(question: Question) -> bool:
    """Tell whether the question wants something else than to look at what is there."""
    asked = frozenset(concept for unit in question.units for concept in unit.concepts)
    return bool(asked & _CHANGING) and not asked & _LOOKING


def _can(press: IntentEvidence, commands: frozenset[str]) -> bool:
    """Tell whether a button or link may do one of the commands, or something as good; *Ajouter* does not delete."""
    if press.intent.action_type == "navigate" and press.commands <= _LOOKING:
        return bool(press.intent.element.row) or bool(commands & _FOUND_ELSEWHERE)
    near = frozenset(other for command in commands for other in lexicon().near(command))
    finishing = press.commands & _FINISHING and commands & _FINISHING
    return not press.commands or bool(press.commands & (commands | near)) or bool(finishing)


def _named_option(intent: Intent, question: Question, evidence: PageEvidence) -> str:
    """The option of a list that the question names, word for word or by another name for it; only a sole candidate."""
    if intent.action_type != "select":
        return ""
    said = [stems(word) for word in question.said]
    options = [option for option in intent.element.options if not _INVITATION.match(option)]
    literal = [option for option in options if _stands_in([stems(word) for word in words(without_aside(option))], said)]
    if literal:
        return max(literal, key=len)
    things = [unit for unit in question.units if unit.kind == "thing" and not evidence.is_subject(unit)]
    concepts = {concept for unit in things for concept in unit.concepts}
    concepts -= lexicon().concepts_in(intent.element.label)
    meant = [option for option in options if lexicon().concepts_in(option) & concepts]
    return meant[0] if len(meant) == 1 else ""


def _stands_in(wanted: Sequence[frozenset[str]], said: Sequence[frozenset[str]]) -> bool:
    size = len(wanted)
    return size > 0 and any(
        all(want & have for want, have in zip(wanted, said[start : start + size], strict=True))
        for start in range(len(said) - size + 1)
    )
