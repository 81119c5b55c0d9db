"""Values that a question brings along (*50 euros*, *du 3 au 7*, *paul@truc.fr*): the fields that they go into."""

from __future__ import annotations

import re

from engine.local.text import fold

_MONTH = (
    r"(?:janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre"
    r"|january|february|march|april|may|june|july|august|september|october|november|december)"
)
_DAY = r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_BY_PATTERN = (
    (re.compile(r"\d\s?(?:€|eur\b|euros?\b|\$|dollars?\b|£|pounds?\b)|[$£€]\s?\d"), ("amount", "price")),
    (re.compile(r"\d\s?(?:%|pour ?cents?\b|percent\b)"), ("discount", "percentage")),
    (re.compile(r"\[email\]|\S@\S"), ("recipient", "email")),
    (
        re.compile(
            rf"\bdu (?:{_DAY}|\d+\w*)\b.{{0,20}}\bau\b|\bfrom (?:{_DAY}|\d+\w*|{_MONTH})\b.{{0,20}}\bto\b|\bentre le\b"
        ),
        ("start_date", "end_date"),
    ),
    (re.compile(rf"\b\d{{1,2}}(?:er|st|nd|rd|th)? (?:of )?{_MONTH}\b|\b\d{{1,2}}[/.]\d{{1,2}}\b"), ("date",)),
    (
        re.compile(
            r"\b(?:a|to) (?:(?:ma|mon|mes|my|our|notre) (?:soeur|frere|mere|pere|maman|papa|chef|patron|collegue)"
            r"|(?:my|our) (?:sister|brother|mother|mum|mom|father|dad|boss|colleague))\b"
        ),
        ("recipient", "beneficiary"),
    ),
)
# Only somebody's name begins with a capital there.
_TO_SOMEBODY = re.compile(r"(?<=\w)\s(?:à|to)\s[A-ZÀ-Ý][\w’'-]+")


def values_in(text: str) -> frozenset[str]:
    """Name the concepts of the fields that a question brings values for."""
    folded = fold(text)
    found = {concept for pattern, concepts in _BY_PATTERN if pattern.search(folded) for concept in concepts}
    return frozenset(found | ({"recipient", "beneficiary"} if _TO_SOMEBODY.search(text) else set()))
