"""How long a way of finding an element is likely to hold, as the try-out on the page says it."""

from __future__ import annotations

import re
from enum import IntEnum, StrEnum

# What the scanner writes where a selector enters a shadow root or a frame.
ENTER = " >>> "
MARKS = {"name", "data-testid", "data-test-id", "data-test", "data-cy", "data-qa", "data-pw"}
WORDED = {"aria-label", "placeholder", "title", "alt"}
_STRUCTURAL = re.compile(r" > |:nth-of-type\(|:not\(\* > \*\)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
_ATTRIBUTE = re.compile(r"\[([\w-]+)")


class Strength(StrEnum):
    """``STRONG``: a mark of its own, or a name by which it is recognised. ``FRAGILE``: only its rank among others."""

    STRONG = "strong"
    MEDIUM = "medium"
    FRAGILE = "fragile"


class _Family(IntEnum):
    """What a selector rests on, the most lasting first."""

    MARK = 0
    ATTRIBUTE = 1
    WORDS = 2
    PLACE = 3
    PATH = 4


def strength_of(selector: str, fallback_selector: str, fingerprint: str = "") -> Strength:
    """Return how long an element's selectors hold; the second part of a fingerprint is the name it is recognised by."""
    families = {_family(written) for written in (selector, fallback_selector) if written}
    is_named = len(parts := fingerprint.split("~")) > 1 and bool(parts[1])
    if is_named or _Family.MARK in families:
        return Strength.STRONG
    return Strength.MEDIUM if families - {_Family.PATH} else Strength.FRAGILE


def _family(selector: str) -> _Family:
    """Of a selector that enters shadow roots and frames, the weakest part says."""
    return max(_family_of_part(part) for part in selector.split(ENTER))


def _family_of_part(part: str) -> _Family:
    bare = _QUOTED.sub('""', part)
    if _STRUCTURAL.search(bare):
        return _Family.PATH
    last = bare.rpartition(" ")[2]
    attributes = set(_ATTRIBUTE.findall(last))
    if last.startswith("#") or attributes & MARKS:
        return _Family.MARK
    if attributes & WORDED:
        return _Family.WORDS
    if " " in bare:
        return _Family.PLACE
    # A tag by itself: the only one of the page, for now.
    return _Family.ATTRIBUTE if attributes else _Family.PATH
