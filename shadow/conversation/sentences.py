"""Léa's sentences, which ``sentences.toml`` holds in French and in English.

She speaks the language of the conversation, which is a member's and not the request's: that is why these are not
among the translations of the interface.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

from shadow.conversation.gateway import Call, GatewayError

Locale = Literal["fr", "en"]

# Clear sentences that stand behind a « oui », in the other language.
_RATHER_IN_ENGLISH = {
    "observe ce que je fais": "watch what I do",
    "annule tout": "cancel everything",
    "c'est fini": "I'm done",
    "enregistre": "save it",
}


def say(locale: Locale, sentence: str, /, **parts: object) -> str:
    """Return one of Léa's sentences. Raises ``KeyError`` for one that she does not know."""
    return _sentences()[sentence][locale].format(**parts)


def say_rather(locale: Locale, rather: str) -> str:
    """Return the sentence that Léa thinks was meant, in the conversation's language."""
    if locale == "en":
        english = _RATHER_IN_ENGLISH.get(rather, rather.replace("valide l'étape", "validate step"))
        english = english.replace("supprime l'étape", "delete step")
        return "“" + english.replace("étape ", "step ").replace("« ", "“").replace(" »", "”") + "”"
    return f"« {rather} »"


def number_said(locale: Locale, number: float) -> str:
    """Return a number with one or two decimals, as it is written in the language: « 0,8 »."""
    written = f"{number:.2f}".rstrip("0").rstrip(".")
    return written if locale == "en" else written.replace(".", ",")


def say_fault(locale: Locale, error: GatewayError) -> str:
    """Return what Léa says of a call that brought no result."""
    if error.kind == "not_observing":
        return say(locale, "not_observing")
    if error.kind == "not_found":
        calls: tuple[Call, ...] = ("start", "stop", "resolve")
        return say(locale, "no_session" if error.call in calls else "fault_gone")
    if error.kind == "refused" and error.detail:
        return error.detail
    return say(locale, f"fault_{'broken' if error.kind == 'refused' else error.kind}")


@cache
def _sentences() -> dict[str, dict[Locale, str]]:
    text = files("shadow.conversation").joinpath("sentences.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
