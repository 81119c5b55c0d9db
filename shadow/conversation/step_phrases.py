"""What is said of steps: what one is, which ones are right, to be taken out, merged, split."""

from __future__ import annotations

import re

from shadow.conversation.acts import (
    FOCUS,
    LAST,
    Act,
    Correct,
    Delete,
    Merge,
    Name,
    Show,
    Split,
    Unclear,
    UndoLast,
    Validate,
    Wrong,
)
from shadow.conversation.numbers import CARDINAL, ORDINAL, number_of, numbers
from shadow.conversation.phrases import expanded, fragment, phrases
from shadow.conversation.scope import Reading, Rules, Scope

_GOOD, _BAD, _USELESS = fragment("GOOD"), fragment("BAD"), fragment("USELESS")
_PLAIN_IS = fragment("PLAIN_IS")
_ANOTHER = re.compile(
    expanded(
        "(,| et| puis| and| then| ensuite|;)+ (puis |ensuite |then )?{IMPERATIVE} "
        r"(la |l'|les |the |it|step|etape|tout|\d)"
    )
)
_WHERE_NUMBER = re.compile(
    expanded(f"(l'|le |la |the )?({{EVENT}} (?P<a>{CARDINAL}|{ORDINAL})|(?P<b>{ORDINAL}|{CARDINAL})( {{EVENT}})?)")
)
_DELETE_IT = re.compile(expanded("(il faut |tu peux |on peut )?(la |l'|a |you can |to )?{DELETE}(-la| it| that)?"))
_INSTEAD = re.compile(r"(?:pas|non|not) .+?,? (?:mais|c'est|but|it's) (?P<what>.+)")
_ONE_STEP = re.compile(r"une seule(?: etape)?|la meme(?: etape)?|(?:just )?one(?: step)?|the same(?: step)?")
_END = " .!…,"


def corrected(step: int, what: Scope, *, is_sure: bool) -> Act:
    """Read what a step is said to be: words for it, a judgement of it, or what to do with it."""
    plain = what.plain.strip(_END)
    quoted = re.fullmatch(r"⟦(\d)⟧", plain)
    if quoted and not what.is_question:
        return Correct(step, what.said.quotes[int(quoted[1])])
    instead = _INSTEAD.fullmatch(plain)
    if instead:
        begin = what.begin + what.plain.find(instead["what"])
        return corrected(step, what.part(begin, what.end), is_sure=is_sure)
    judged = _judged(step, plain, is_question=what.is_question)
    if judged is not None:
        return judged
    intent = what.said.named(what.begin, what.end)
    return Correct(step, intent) if is_sure else Unclear("rather_act", f"étape {step} : « {intent} »", step=step)


def _judged(step: int, plain: str, *, is_question: bool) -> Act | None:
    """Return what words say of a step other than what it is."""
    judgements: list[tuple[bool, Act]] = [
        (not re.search(r"[a-z0-9⟦]", plain), Wrong(step)),
        (
            _GOOD.fullmatch(plain) is not None,
            Unclear("rather_act", f"valide l'étape {step}") if is_question else Validate((step,)),
        ),
        (_BAD.fullmatch(plain) is not None, Wrong(step)),
        (re.fullmatch(r"quoi|what|laquelle|which(?: one)?", plain) is not None, Show()),
        (_USELESS.fullmatch(plain) is not None, Unclear("rather_act", f"supprime l'étape {step}")),
        (_DELETE_IT.fullmatch(plain) is not None, Delete((step,))),
        (
            is_question or re.match(r"(?:pas|not|non|ne|n'|jamais|never)\b", plain) is not None,
            Unclear("what_is_step", step=step),
        ),
        (_ANOTHER.search(plain) is not None, Unclear("several_things")),
    ]
    return next((act for is_so, act in judgements if is_so), None)


def split_where(step: int, found: re.Match[str], scope: Scope) -> Act:
    """Read where to split a step: an event by its number, or by its words."""
    if not found["what"]:
        return Split(step)
    before = (found["where"] or "") in ("avant", "before")
    number = _WHERE_NUMBER.fullmatch(found["what"].strip(_END))
    if number:
        return Split(step, event=number_of(number["a"] or number["b"]), before=before)
    return Split(step, scope.words(found, "what"), before=before)


def _said_of_step(found: re.Match[str], scope: Scope) -> Act | None:
    steps = numbers(found["steps"])
    what = scope.part(*found.span("what"))
    if len(steps) == 1:
        is_plain = _PLAIN_IS.fullmatch(found.groupdict().get("verb") or "") is not None
        return corrected(steps[0], what, is_sure=not is_plain)
    plain = what.plain.strip(_END)
    if _GOOD.fullmatch(plain):
        return None if scope.is_question else Validate(steps)
    return Merge(steps) if _ONE_STEP.fullmatch(plain) else Unclear("which_step")


def _negated(found: re.Match[str], scope: Scope) -> Act:
    steps = numbers(found["steps"])
    if len(steps) != 1:
        return Unclear("which_step")
    return corrected(steps[0], scope.part(*found.span("what")), is_sure=True) if found["what"] else Wrong(steps[0])


def _said_in_short(found: re.Match[str], scope: Scope) -> Act | None:
    """« La 2, c'est « X » » : without the word for a step, only what can mean nothing else."""
    steps = numbers(found["steps"])
    what = scope.part(*found.span("what"))
    plain = what.plain.strip(_END)
    if _GOOD.fullmatch(plain) and not scope.is_question:
        return Validate(steps)
    if len(steps) == 1 and (scope.is_quoted(found, "what") or _BAD.fullmatch(plain)):
        return corrected(steps[0], what, is_sure=True)
    return None


def _correct(found: re.Match[str], scope: Scope) -> Act:
    steps = numbers(found["steps"])
    if len(steps) != 1:
        return Unclear("which_step")
    return corrected(steps[0], scope.part(*found.span("what")), is_sure=True) if found["what"] else Wrong(steps[0])


def _merge(found: re.Match[str], _scope: Scope) -> Act:
    steps = numbers(found["steps"])
    if found["rel"] and len(steps) == 1 and steps[0] != LAST:
        is_next = found["rel"].startswith(("suiv", "next", "d'apres"))
        return Merge((steps[0], steps[0] + 1) if is_next else (steps[0] - 1, steps[0]))
    return Merge(tuple(sorted(steps))) if len(steps) > 1 else Unclear("which_step")


def _split(found: re.Match[str], scope: Scope) -> Act:
    steps = numbers(found["steps"])
    return split_where(steps[0], found, scope) if len(steps) == 1 else Unclear("which_step")


def _validate_all(found: re.Match[str], scope: Scope) -> Act:
    if scope.is_question:
        return Unclear("rather_act", "tout est bon")
    return Validate(None, numbers(found["but"]) if found.groupdict().get("but") else ())


def _wrong(found: re.Match[str], _scope: Scope) -> Act:
    steps = numbers(found["steps"])
    return Wrong(steps[0]) if len(steps) == 1 else Unclear("which_step")


def _it_is(found: re.Match[str], scope: Scope) -> Act:
    words = scope.words(found, "what")
    is_bare = found["what"] == scope.plain
    return Name(words) if is_bare and scope.setting.state == "naming" else Correct(FOCUS, words)


_READINGS: dict[str, Reading] = {
    "merge": _merge,
    "split": _split,
    "validate_all": _validate_all,
    "validate": lambda found, _scope: Validate(numbers(found["steps"])),
    "delete": lambda found, _scope: Delete(numbers(found["steps"])),
    "correct": _correct,
    "negated": _negated,
    "said_of_step": _said_of_step,
    "said_in_short": _said_in_short,
    "wrong": _wrong,
    "undo_last": lambda _found, _scope: UndoLast(),
    "it_is": _it_is,
}
EDITS: Rules = [(pattern, _READINGS[name]) for name, pattern in phrases("steps")]
