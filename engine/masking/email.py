"""Where an e-mail address starts and ends around its at sign, in a folded text."""

from __future__ import annotations

import re

from engine.masking.table import expanded

_AT_SIGN = re.compile(r" ?@ ?|%40| ?[(\[] ?(?:at|arobase) ?[)\]] ?", re.IGNORECASE)
_TOP_DOMAIN = re.compile(r"xn--[A-Za-z0-9]+|[A-Za-z\u00C0-\u052F]{2,24}")
_TOP_DOMAIN_OF_ITS_OWN_SCRIPT = re.compile(expanded("{idn}"))
_KNOWN_TOP_DOMAIN = re.compile(expanded(r" ?\.{known}"), re.IGNORECASE)
_LOCAL_PART = re.compile(expanded("[{local}]"))
_LONGEST_LOCAL_PART = 256  # four times what mail allows
_LONGEST_QUOTED = 66
_QUOTED = re.compile(expanded('"[0-9A-Za-z{letters}][^"\ue000]*"'))
# What a word before " @" must look like to be a local part that markup parted from its sign; a mere word may be one
# before a domain that people know.
_WORD = re.compile(expanded("(?!(?:{before_mention})(?![^ ]))[a-z\u00df-\u00f6\u00f8-\u00ff-]{2,64}"))
_PARTED_LOCAL_PART = re.compile(
    expanded("[0-9A-Za-z{letters}]+(?:[._+][0-9A-Za-z{letters}-]+)+|[a-z-]+[0-9]+[a-z0-9-]*")
)

# What runs into a local part without being of it: a path, the key of a query, a label in a script that has no spaces,
# signs, l' and the like.
_AHEAD_OF_LOCAL_PART = tuple(
    re.compile(expanded(pattern), re.IGNORECASE)
    for pattern in (
        "/(?:.*/)?",
        ".*[?&#][0-9A-Za-z_.-]{1,40}=",
        "(?:user(?:name)?|login|account|id|e?-?mail|contact|to|from|b?cc|recipient|q|query|name|value|href|title)=",
        ".*[{unspaced}](?=[A-Za-z\u00c0-\u024f])",
        "[^0-9A-Za-z{letters}.%+~_-]+",
        "(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)'",
    )
)


def email(text: str, start: int, end: int) -> tuple[int, int] | None:
    """From an at sign and what follows it to the whole address, or None. Spaces beside the sign are what is left of
    markup: then the word before must look like a local part. A domain that stands alone is hidden too when its end is
    one that people know."""
    sign = _AT_SIGN.match(text, start, end)
    if not sign:
        return None
    stop = _domain_end(text, sign.end(), end)
    if stop is None:
        return None
    first = _local_start(text, start)
    if sign[0].startswith(" @"):
        is_local = _PARTED_LOCAL_PART.fullmatch(text, first, start) or (
            _WORD.fullmatch(text, first, start) and _is_known(text, start, stop)
        )
        return (first, stop) if is_local else None
    if first < start:
        return first, stop
    return (start, stop) if sign[0] == "@" and _is_known(text, start, stop) else None


def _is_known(text: str, start: int, stop: int) -> bool:
    known = _KNOWN_TOP_DOMAIN.match(text, text.rfind(".", start, stop))
    return known is not None and known.end() == stop


def _domain_end(text: str, start: int, end: int) -> int | None:
    """Where the last label ends that can be a top domain; one of another script only when none came before."""
    position, stop = start, None
    for index, label in enumerate(text[start:end].split(".")):
        if not label:
            break
        top = _TOP_DOMAIN.match(label) or (None if stop else _TOP_DOMAIN_OF_ITS_OWN_SCRIPT.match(label))
        if index and top:
            stop = position + top.end()
        position += len(label) + 1
    if stop is None and "." not in text[start:end]:
        parted = _KNOWN_TOP_DOMAIN.match(text, end)
        return parted.end() if parted else None
    return stop


def _local_start(text: str, start: int) -> int:
    """Where the local part starts that ends at `start`: there, when there is none."""
    if text[start - 1 : start] == '"':
        opening = text.rfind('"', max(start - _LONGEST_QUOTED, 0), start - 1)
        return opening if opening >= 0 and _QUOTED.fullmatch(text, opening, start) else start
    first = start
    while first > max(start - _LONGEST_LOCAL_PART, 0) and _LOCAL_PART.match(text[first - 1]):
        first -= 1
    for ahead in _AHEAD_OF_LOCAL_PART:
        found = ahead.match(text, first, start)
        first = found.end() if found else first
    return first
