"""From a ranking to the ordered steps that reach the goal, or to the honest answer that nothing here does."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

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
    for main in _mains(read, evidence):
        intents = _steps(main, read, evidence)
        confidence = _confidence(read, intents, evidence) * _object_agreement(read, main, evidence)
        if confidence < ENOUGH:
            continue
        ordered = with_openers(intents, page)[:_MOST_STEPS]
        if tuple(intent.intent_id for intent in ordered) in avoid:
            continue
        choices = {intent.intent_id: option for intent in ordered if (option := _named_option(intent, read))}
        return Draft(tuple(ordered), round(confidence, 4), choices, main.evidence.intent)
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


def _steps(main: Scored, question: Question, evidence: PageEvidence) -> list[Intent]:
    intent = main.evidence.intent
    chosen = [intent]
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
    sequential = any(clause.joint == "sequence" for clause in question.clauses[1:]) and not finishing
    return chosen if sequential else sorted(chosen, key=_in_order)


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
    if len(chosen) == 1 and _named_option(chosen[0], question) and (only := _only_button_of(chosen[0], evidence)):
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
    fields = [
        e.intent
        for e in evidence.intents
        if e.intent.element.form == button.element.form
        and e.intent.action_type in _FIELDS
        and e.intent.element.required
    ]
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
    action = main.evidence.intent.action_type
    if action in _FIELDS:
        commands = _commands(question, vague=False)
        done = not commands or commands & (FIELD_COMMANDS[action] | _COMPLETED_BY_FIELDS | main.evidence.commands)
        return 1.0 if done else 0.6
    own = [concepts for concepts, _ in main.evidence.name_units if concepts and not concepts & main.evidence.commands]
    things = [u for u in question.units if u.kind in ("thing", "elsewhere") and not evidence.is_subject(u)]
    if not own or not things or any(match(unit, main.evidence) >= STRONG for unit in things):
        return 1.0
    asked = evidence.subject_concepts | {concept for unit in question.units for concept in unit.concepts}
    return 1.0 if any(concepts & asked for concepts in own) else 0.5


def _named_option(intent: Intent, question: Question) -> str:
    """The option of a list that the question names, word for word or by another name for it; only a sole candidate."""
    if intent.action_type != "select":
        return ""
    said = [stems(word) for word in question.said]
    options = [option for option in intent.element.options if not _INVITATION.match(option)]
    literal = [option for option in options if _stands_in([stems(word) for word in words(option)], said)]
    if literal:
        return max(literal, key=len)
    concepts = {c for unit in question.units if unit.kind == "thing" for c in unit.concepts}
    concepts -= lexicon().concepts_in(intent.element.label)
    meant = [option for option in options if lexicon().concepts_in(option) & concepts]
    return meant[0] if len(meant) == 1 else ""


def _stands_in(wanted: Sequence[frozenset[str]], said: Sequence[frozenset[str]]) -> bool:
    size = len(wanted)
    return size > 0 and any(
        all(want & have for want, have in zip(wanted, said[start : start + size], strict=True))
        for start in range(len(said) - size + 1)
    )
