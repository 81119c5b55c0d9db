"""From a sentence, and where the conversation stands, to what it does.

A sentence is understood as a whole or not at all: what no phrase matches from its first word to its last is asked back,
never guessed. Negations and things said in passing are therefore safe by construction: « ne supprime pas l'étape 3 »
is no longer way of saying « supprime l'étape 3 ».
"""

from __future__ import annotations

import re

from shadow.conversation.acts import FOCUS, Act, Correct, Name, No, Refrain, Unclear, Validate, Yes
from shadow.conversation.numbers import numbers
from shadow.conversation.phrases import courtesy, expanded, fragment
from shadow.conversation.said import Said, hear
from shadow.conversation.scope import Scope, Setting, read
from shadow.conversation.session_phrases import LONGEST_NAME, SESSIONS, question
from shadow.conversation.step_phrases import EDITS, split_where

_LEADING = re.compile(
    rf"(?:(?:{courtesy('hello')}\b(?:[ ,:!.]| donc)* )?\blea\b[ ,:!.]*|{courtesy('filler')}[ ,:!.]+)+"
)
_ORDER = re.compile(courtesy("order"))
_TRAILING = re.compile(rf"(?:[ ,]*{courtesy('thanks')})+$")
_END = " .!…,;:"
_BUT = r"(?: ?[,.;:!]+ ?| )(?P<but>(?:mais|but)\b ?,? ?)?"
_YES = r"(?:oui+|ouais|yes|yep|yeah|ok|okay|d'accord|parfait|super|exact)(?: (?:oui|ok|yes))*"
_LEADS = ((re.compile(_YES + _BUT), Yes()), (re.compile(rf"(?:non+|nan|no|nope){_BUT}"), No()))
_ALL_BUT = re.compile(expanded("(mais pas|sauf|excepte|a part|except( for)?|but not|apart from) <but:STEPS>"))
_NOT_THESE = re.compile(expanded("{NOT} <but:STEPS>"))
_NEGATED = re.compile(
    r"\b(?:ne|n')\b.*\b(?:pas|plus|jamais|rien)\b|\b(?:don't|dont|do not|never|surtout pas|jamais)\b"
    r"|^(?:surtout )?pas\b|\w(?:-moi|-la|-le)? pas\b"
)
_COMMAND = re.compile(rf"\b{fragment('COMMAND').pattern}")
_SEVERAL = re.compile(rf"(?:\bet|\bpuis|\band|\bthen|,|;|\.) (?:puis |ensuite |then )?{_COMMAND.pattern}")
_WHERE = re.compile(r"(?:(?:juste )?(?P<where>apres|avant|after|before|at) )?(?P<what>.+)")
_STEP_WORD = re.compile(r"\b(?:etapes?|steps?)\b")


def understand(text: str, setting: Setting) -> Act:
    """Return what a sentence does where the conversation stands."""
    scope = _bare(hear(text), setting)
    if scope.begin >= scope.end:
        return Unclear()
    return _whole(scope) or _led(scope) or _answer(scope) or _otherwise(scope)


def _bare(said: Said, setting: Setting) -> Scope:
    """Leave out whom it is said to, and the courtesies; an order put as a question is an order."""
    plain = said.plain
    end = len(plain.rstrip(" .!…"))
    is_question = plain[:end].endswith("?")
    end = len(plain[:end].rstrip("? .!…"))
    trailing = _TRAILING.search(plain, 0, end)
    end = trailing.start() if trailing and trailing.start() > 0 else end
    leading = _LEADING.match(plain, 0, end)
    begin = leading.end() if leading and leading.end() < end else 0
    order = _ORDER.match(plain, begin, end)
    if order and order.end() < end:
        begin, is_question = order.end(), False
    return Scope(said, 0, 0, setting, is_question).part(begin, len(plain[:end].rstrip(_END)))


def _whole(scope: Scope) -> Act | None:
    return read(EDITS, scope) or read(SESSIONS, scope)


def _led(scope: Scope) -> Act | None:
    """Read « oui, … » and « non, … » : what follows says more than the first word does."""
    for pattern, lead in _LEADS:
        found = pattern.match(scope.said.plain, scope.begin, scope.end)
        if found is not None and found.end() < scope.end:
            return _both(lead, scope.part(found.end(), scope.end), is_but=bool(found["but"]))
    return None


def _both(lead: Yes | No, rest: Scope, *, is_but: bool) -> Act | None:
    if isinstance(lead, Yes):
        but = _ALL_BUT.fullmatch(rest.plain) or (_NOT_THESE.fullmatch(rest.plain) if is_but else None)
        if but:
            return Validate(None, numbers(but["but"]))
    act = _whole(rest)
    if act is None:
        return Unclear("several_things") if _SEVERAL.search(rest.plain) else _negation(rest) or Unclear()
    if isinstance(act, No if isinstance(lead, Yes) else Yes):
        return Unclear("yes_or_no")
    if isinstance(act, Yes | No):
        return Unclear("yes_or_no") if is_but else lead
    return act


def _answer(scope: Scope) -> Act | None:
    """Read what no phrase knows as the answer to what Léa asked: words for a step, an event, a name."""
    asked, state = scope.setting.asked, scope.setting.state
    is_answer = not (scope.is_question or _NEGATED.search(scope.plain) or _SEVERAL.search(scope.plain))
    if not is_answer or (asked not in ("step_words", "split_event") and state != "naming"):
        return None
    if asked == "split_event" and (found := scope.whole(_WHERE)):
        return split_where(FOCUS, found, scope)
    words = scope.said.named(scope.begin, scope.end)
    if asked == "step_words":
        return Correct(FOCUS, words) if words else None
    is_name = 3 <= len(words) <= LONGEST_NAME and question(scope) is None and not _COMMAND.match(scope.plain)
    return Name(words) if is_name else None


def _otherwise(scope: Scope) -> Act:
    """Say at least why nothing is done."""
    negation = _negation(scope)
    if negation is not None:
        return negation
    if _SEVERAL.search(scope.plain):
        return Unclear("several_things")
    if _STEP_WORD.search(scope.plain) and scope.setting.state != "idle":
        return Unclear("which_step")
    asked = question(scope)
    return asked if asked is not None and not _COMMAND.match(scope.plain) else Unclear()


def _negation(scope: Scope) -> Act | None:
    """« N'observe pas », « don't save it » : nothing is done, and that is said."""
    is_forbidden = not scope.is_question and _NEGATED.search(scope.plain) and _COMMAND.search(scope.plain)
    return Refrain() if is_forbidden else None
