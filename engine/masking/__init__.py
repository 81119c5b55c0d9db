"""Masks for personal data, from the one list of rules that the SDK compiles in too (`rules.json`)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.masking.extra import ExtraPatternError, compile_extra
from engine.masking.folding import TRIGGER, fold
from engine.masking.rules import BLANK, TOKENS, Rule, Span, builtin_rules, find

__all__ = ["ExtraPatternError", "Rule", "compile_extra", "mask", "mask_counted"]

# What one rule hides may lay bare the edge of what another looks for; the fuzz tests have not seen a third round.
_MOST_ROUNDS = 4


def mask(text: str, extra: Sequence[Rule] = ()) -> str:
    """Replace e-mail addresses by `[EMAIL]`; phone, card, account, social security, company, VAT, IP and other long
    numbers and dates of birth by `[SENSITIVE_NUMERIC]`; and what `extra` (from `compile_extra`) describes by
    `[SENSITIVE]`. Time grows linearly with the text; masking twice changes nothing. Mask before cutting to length."""
    return mask_counted(text, extra)[0]


def mask_counted(text: str, extra: Sequence[Rule] = ()) -> tuple[str, int]:
    """Mask like `mask`, and tell how many replacements were made."""
    if not extra and not TRIGGER.search(text):
        return text, 0
    folded, origins = fold(text)
    work = TOKENS.sub(lambda token: BLANK * len(token[0]), folded)
    spans: list[Span] = []
    for _ in range(_MOST_ROUNDS):
        before = len(spans)
        guarded = work
        for rule in (*extra, *builtin_rules()):
            if found := find(rule, guarded):
                guarded = _blanked(guarded, found)
                spans += [span for span in found if span.token]
        if len(spans) == before:
            break
        # What was only protected is looked at afresh: beside it there is now less.
        work = _blanked(work, sorted(spans[before:]))
    return _replaced(text, origins, spans), len(spans)


def _blanked(work: str, found: list[Span]) -> str:
    parts: list[str] = []
    copied = 0
    for start, end, _ in found:
        parts += (work[copied:start], BLANK * (end - start))
        copied = end
    return "".join((*parts, work[copied:]))


def _replaced(text: str, origins: Sequence[int], spans: list[Span]) -> str:
    parts: list[str] = []
    copied = 0
    for start, end, token in sorted(spans):
        parts += (text[copied : origins[start]], token)
        copied = origins[end - 1] + 1
    return "".join((*parts, text[copied:]))
