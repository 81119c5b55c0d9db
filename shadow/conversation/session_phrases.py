"""What is said of a whole demonstration: begin it, end it, name it, keep it, forget it; yes and no."""

from __future__ import annotations

import re

from shadow.conversation.acts import (
    Act,
    Build,
    CancelAll,
    Finish,
    GoOn,
    Help,
    Name,
    No,
    Observe,
    Question,
    Show,
    Teach,
    Unclear,
    Varies,
    Yes,
)
from shadow.conversation.phrases import fragment, phrases
from shadow.conversation.scope import WITH_STEPS, Reading, Rules, Scope

LONGEST_NAME = 120
_ALL = re.compile(r"tout(?:es)?|tous|ca|cela|everything|they|they all|all(?: of them)?|les deux|both|elles|ils")
_NONE = re.compile(r"rien|nothing|aucune?|none")
_NOT_A_NAME = re.compile(r"(?:comment|comme (?:ca|tu)|how|what)\b")
_INTERROGATIVE = re.compile(rf"{fragment('INTERROGATIVE').pattern}\b|qu'")


def question(scope: Scope) -> Act | None:
    """Return the question, if the sentence asks one. Amid a demonstration it takes more than a question mark."""
    is_asked = _INTERROGATIVE.match(scope.plain) is not None
    if is_asked or (scope.is_question and scope.setting.state not in WITH_STEPS):
        return Question(scope.said.raw.strip()[:300])
    return None


def _if_said(act: Act, rather: str) -> Reading:
    """Do it; where it was asked rather than said, ask back."""
    return lambda _found, scope: Unclear("rather_act", rather) if scope.is_question else act


def _observe(found: re.Match[str], scope: Scope) -> Act:
    name = found.groupdict().get("name")
    return (
        _watching(found, scope)
        if scope.is_question
        else Observe(scope.words(found, "name")[:LONGEST_NAME] if name else "")
    )


def _watching(_found: re.Match[str], scope: Scope) -> Act:
    return Show() if scope.setting.state == "observing" else Unclear("rather_act", "observe ce que je fais")


def _teach(found: re.Match[str], scope: Scope) -> Act:
    return Teach(scope.words(found, "name")[:LONGEST_NAME] if found["name"] else "")


def _finish(_found: re.Match[str], scope: Scope) -> Act:
    return Unclear("rather_finished", "c'est fini") if scope.is_question else Finish()


def _end(found: re.Match[str], scope: Scope) -> Act:
    """« C'est tout » : the demonstration ends while it is watched; afterwards, the corrections do."""
    if scope.is_question or scope.setting.state == "observing":
        return _finish(found, scope)
    return Yes() if scope.setting.state in WITH_STEPS else Unclear()


def _wait(_found: re.Match[str], scope: Scope) -> Act | None:
    return GoOn() if scope.setting.state == "observing" else None


def _name(found: re.Match[str], scope: Scope) -> Act:
    name = scope.words(found, "what")
    is_asked = scope.is_question and not scope.is_quoted(found, "what")
    return (
        Unclear("which_name") if not name or is_asked or _NOT_A_NAME.match(found["what"]) else Name(name[:LONGEST_NAME])
    )


def _varies(*, changes: bool) -> Reading:
    def reading(found: re.Match[str], scope: Scope) -> Act | None:
        if scope.setting.state not in WITH_STEPS or scope.is_question:
            return None
        if _NONE.fullmatch(found["what"]):
            return Varies(changes=False)
        return Varies("" if _ALL.fullmatch(found["what"]) else scope.words(found, "what"), changes)

    return reading


def _answering(act: Act) -> Reading:
    """What is short enough to mean anything counts where it answers what changes."""
    return lambda _found, scope: act if scope.setting.state == "confirming" and not scope.is_question else None


def _only(*, changes: bool) -> Reading:
    def reading(found: re.Match[str], scope: Scope) -> Act | None:
        if scope.setting.state != "confirming" or scope.is_question:
            return None
        return Varies(scope.words(found, "what"), changes, only=True)

    return reading


_READINGS: dict[str, Reading] = {
    "go_on": lambda _found, scope: Unclear() if scope.is_question else GoOn(),
    "wait": _wait,
    "finish": _finish,
    "end": _end,
    "cancel": _if_said(CancelAll(), "annule tout"),
    "cancel_what": lambda _found, _scope: Unclear("cancel_what"),
    "delete_all": lambda _found, _scope: Unclear("rather_act", "annule tout"),
    "again": lambda _found, _scope: Unclear("rather_act", "observe ce que je fais"),
    "name": _name,
    "name_it": lambda _found, _scope: Unclear("which_name"),
    "observe": _observe,
    "watching": _watching,
    "show": lambda _found, _scope: Show(),
    "teach": _teach,
    "help": lambda _found, _scope: Help(),
    "build": _if_said(Build(), "enregistre"),
    "all_change": _answering(Varies()),
    "none_changes": _answering(Varies(changes=False)),
    "all_but": _only(changes=False),
    "only": _only(changes=True),
    "stays": _varies(changes=False),
    "changes": _varies(changes=True),
    "as_you_like": lambda _found, scope: Yes() if scope.setting.state == "naming" else None,
    "yes": lambda _found, scope: Unclear("yes_or_no", "oui") if scope.is_question else Yes(),
    "no": lambda _found, scope: Unclear("yes_or_no") if scope.is_question else No(),
}
SESSIONS: Rules = [(pattern, _READINGS[name]) for name, pattern in phrases("session")]
