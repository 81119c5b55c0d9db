"""How far a plan accounts for what was asked: the evidence that it meets, and whether it does what is wanted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.local.evidence import FIELD_COMMANDS, IntentEvidence, PageEvidence
from engine.local.goals import is_filter, without_aside
from engine.local.lexicon import lexicon
from engine.local.question import Question
from engine.local.ranking import STRONG, Scored, match
from engine.local.text import stems, words
from engine.types import Intent

_FIELDS = ("input", "select", "check")
_EVIDENCE_WEIGHTS = {"thing": 1.0, "command": 0.9, "vague": 0.3, "soft": 0.05, "word": 0.2, "elsewhere": 1.6}
_SUBJECT = 0.35
FINISHING = frozenset(("create", "save", "confirm", "send", "publish", "pay", "sign_up", "checkout", "add"))
_COMPLETED_BY_FIELDS = frozenset(("create", "save", "confirm", "pay", "calculate", "approve"))
# What a link to another page can be the way to, when it does not say itself what it does.
_FOUND_ELSEWHERE = frozenset(("create", "search", "filter", "previous", "next"))
_CHANGING = frozenset(("add", "change", "fill", "apply", "create", "delete"))
_LOOKING = frozenset(("see", "open", "choose", "search", "filter", "list"))
_HALF = 0.6
_AGAINST = 0.35
_NEW = frozenset(("nouveau", "nouvel", "nouvelle", "new"))
_INVITATION = re.compile(r"^\W*(?:choisi|sélectionn|choose|select|pick|--|…)|^\W*$", re.IGNORECASE)


def commands_of(question: Question, *, vague: bool = True) -> frozenset[str]:
    """What the question wants done, with or without the verbs that may also just fill a field (*faire*)."""
    kinds = ("command", "vague") if vague else ("command",)
    return frozenset(concept for unit in question.units if unit.kind in kinds for concept in unit.concepts)


def confidence_of(question: Question, intents: Sequence[Intent], evidence: PageEvidence) -> float:
    """The share of the question's evidence that the plan accounts for; 0 without one piece of it that is sure.

    A thing or a command that the page lacks weighs fully against the plan, a word nobody knows weighs less.
    """
    chosen = [e for e in evidence.intents if e.intent in intents]
    asked = found = surest = 0.0
    telling = [u for u in question.units if u.kind != "soft" and u.text != "%" and not evidence.is_subject(u)]
    for unit in question.units:
        best = max((match(unit, intent) for intent in chosen), default=0.0)
        weight = _EVIDENCE_WEIGHTS[unit.kind] * unit.sureness
        if unit in telling:
            surest = max(surest, best)
        elif evidence.is_subject(unit):
            weight *= _SUBJECT
            best = max(best, 1.0 if telling else 0.0)
        asked += weight
        found += weight * best
    if not asked:
        return 0.0
    if not telling:
        return found / asked if any(_says_all(question, one) for one in chosen) else 0.0
    return found / asked if surest >= STRONG else 0.0


def _says_all(question: Question, intent: IntentEvidence) -> bool:
    """When a question only names the page's subject (*ouvrir une commande*), one intent must say just that."""
    return all(match(unit, intent) >= STRONG for unit in question.units if unit.kind != "word")


def object_agreement(question: Question, main: Scored, evidence: PageEvidence) -> float:
    """*Supprimer un client* is neither *Supprimer la ligne* nor *Choisir le client*: half an answer is no answer."""
    intent = main.evidence.intent
    commands = commands_of(question, vague=False)
    if intent.action_type in _FIELDS:
        return _field_agreement(question, main.evidence, commands, evidence)
    if commands and not _can(main.evidence, commands):
        return _HALF
    if evidence.narrows(intent) and _changes(question):
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
    if changing and is_filter(element) and not named_option(field.intent, question, evidence):
        # A filter shows other rows; it changes none.
        return _AGAINST
    named = action != "select" and all(concepts & asked for concepts, _ in field.name_units)
    if changing and not named and not element.group and _NEW & set(question.said) - set(words(element.label)):
        # What is new is not in a list yet, and *Note au client* is no new customer.
        return _AGAINST
    done = not commands or commands & (FIELD_COMMANDS[action] | _COMPLETED_BY_FIELDS | field.commands)
    if done:
        return 1.0
    # A list of cancelled orders cancels none.
    return _AGAINST if is_filter(element) else _HALF


def _changes(question: Question) -> bool:
    """Tell whether the question wants something else than to look at what is there."""
    asked = frozenset(concept for unit in question.units for concept in unit.concepts)
    return bool(asked & _CHANGING) and not asked & _LOOKING


def _can(press: IntentEvidence, commands: frozenset[str]) -> bool:
    """Tell whether a button or link may do one of the commands, or something as good; *Ajouter* does not delete."""
    if press.intent.action_type == "navigate" and press.commands <= _LOOKING:
        return bool(press.intent.element.row) or bool(commands & _FOUND_ELSEWHERE)
    near = frozenset(other for command in commands for other in lexicon().near(command))
    finishing = press.commands & FINISHING and commands & FINISHING
    return not press.commands or bool(press.commands & (commands | near)) or bool(finishing)


def named_option(intent: Intent, question: Question, evidence: PageEvidence) -> str:
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
