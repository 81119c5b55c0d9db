"""Rules, and the search for what one of them hides in a folded text."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from engine.masking.checks import CHECKS
from engine.masking.surroundings import EDGES, follows_cue
from engine.masking.table import TABLE, expanded

BLANK = "\ue000"
_NO_LETTER = "(?![A-Za-z\u00c0-\u024f])"
TOKENS = re.compile(r"\[(?:EMAIL|SENSITIVE(?:_NUMERIC)?)\]")


class Rule(NamedTuple):
    """A kind of data; its fields mean what `about` in `rules.json` says."""

    pattern: re.Pattern[str]
    token: str
    edges: str = "digits"
    check: str = ""
    cue: re.Pattern[str] | None = None
    reach: int = 0
    then: re.Pattern[str] | None = None
    somewhere: re.Pattern[str] | None = None
    """What a text must hold for `cue` or `then` to be found: most texts are done with at once."""
    resumes_at_end: bool = False


class Span(NamedTuple):
    """Something found in a folded text, and the token to put there ("" to leave it as it is)."""

    start: int
    end: int
    token: str


@cache
def builtin_rules() -> tuple[Rule, ...]:
    """The rules of `rules.json`, in their order."""
    return tuple(
        Rule(
            pattern=re.compile(expanded(rule["pattern"]), re.IGNORECASE if rule.get("flags") == "i" else 0),
            token=rule.get("token", ""),
            edges=rule.get("edges", "digits"),
            check=rule.get("check", ""),
            cue=_pattern(rule["cue"], _NO_LETTER) if "cue" in rule else None,
            reach=rule.get("reach", 0),
            then=_pattern(rule["then"]) if "then" in rule else None,
            somewhere=_pattern(rule.get("cue") or rule["then"]) if "cue" in rule or "then" in rule else None,
            resumes_at_end=rule.get("resume") == "end",
        )
        for rule in TABLE["rules"]
    )


def _pattern(source: str, following: str = "") -> re.Pattern[str]:
    return re.compile(f"(?:{expanded(source)}){following}", re.IGNORECASE)


def find(rule: Rule, text: str) -> list[Span]:
    """What `rule` finds in a folded text, from left to right, without overlap."""
    found: list[Span] = []
    if rule.somewhere and not rule.somewhere.search(text):
        return found
    floor = position = 0
    while match := rule.pattern.search(text, position):
        span = _accepted(rule, text, match.start(), match.end(), floor)
        if span:
            found.append(span)
            floor = position = span.end
        else:
            position = match.end() if rule.resumes_at_end else match.start() + 1
    return found


def _accepted(rule: Rule, text: str, start: int, end: int, floor: int) -> Span | None:
    if rule.check:
        checked = CHECKS[rule.check](text, start, end)
        if checked is None:
            return None
        start, end = max(checked[0], floor), checked[1]
    if not EDGES[rule.edges](text, start, end):
        return None
    if rule.cue and not follows_cue(text, start, rule.cue, rule.reach):
        return None
    if rule.then and not rule.then.match(text, end):
        return None
    return Span(start, end, rule.token)
