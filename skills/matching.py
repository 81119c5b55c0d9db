"""Which action of a page learnt again is which one of the page as it was known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence

from engine.types import Intent

Key = Callable[[Intent], Iterable[Hashable]]

_NTH = re.compile(r":nth-|:first-|:last-")
# What a page gave an element itself: an id, an attribute.
_OWN = re.compile(r"[#\[]")
_AROUND = re.compile(r"[\s:*…]+$|\s*[(\[]\s*\d+\s*[)\]]")
_DIGIT = re.compile(r"\d")


def same_actions(fresh: Sequence[Intent], known: Sequence[Intent]) -> dict[str, str]:
    """Return, by the id of a fresh action, the id of the known one that it is. What is ambiguous is left out.

    First who has the same address on the page, then who the scanner recognises, then who has the same name in the same
    place, in the end who alone has its name. An address that only counts elements says nothing without the name: what
    was third is another one when the second goes.
    """
    pairs: dict[str, str] = {}
    for key in _KEYS:
        left, right = _alone(fresh, key), _alone(known, key)
        taken = set(pairs.values())
        for said, one in left.items():
            other = right.get(said)
            if other is not None and one not in pairs and other not in taken:
                pairs[one] = other
                taken.add(other)
    return pairs


def _alone(intents: Sequence[Intent], key: Key) -> dict[Hashable, str]:
    """Return the ids of the intents that have a key to themselves."""
    counted = Counter(said for intent in intents for said in set(key(intent)))
    return {said: intent.intent_id for intent in intents for said in key(intent) if counted[said] == 1}


def _address_and_name(intent: Intent) -> Iterable[Hashable]:
    return [(intent.selector, intent.action_type, _name_of(intent))]


def _own_address(intent: Intent) -> Iterable[Hashable]:
    return [(intent.selector, intent.action_type)] if _is_own(intent.selector) else []


def _fingerprint(intent: Intent) -> Iterable[Hashable]:
    return [(intent.fingerprint, intent.action_type)] if intent.fingerprint else []


def _any_own_address(intent: Intent) -> Iterable[Hashable]:
    addresses = (intent.selector, intent.fallback_selector)
    return [(address, intent.action_type) for address in addresses if _is_own(address)]


def _name_and_place(intent: Intent) -> Iterable[Hashable]:
    element = intent.element
    place = (element.heading, element.form, element.group, element.row, element.column)
    name = _name_of(intent)
    return [(_kind(intent), name, *map(str.casefold, place))] if name else []


def _name(intent: Intent) -> Iterable[Hashable]:
    name = _name_of(intent)
    return [(_kind(intent), name, intent.element.row.casefold())] if name else []


def _row_action(intent: Intent) -> Iterable[Hashable]:
    """What opens the record of a row is the same action whichever record stands first."""
    element = intent.element
    name = _name_of(intent)
    if not element.row or not (_DIGIT.search(name) or name in element.row.casefold()):
        return []
    return [(_kind(intent), *map(str.casefold, (element.heading, element.form, element.group, element.column)))]


def _kind(intent: Intent) -> tuple[str, str]:
    return (intent.action_type, intent.element.role or intent.element.tag)


def _name_of(intent: Intent) -> str:
    """Return what people read on an element, without counters; the technical name of one that has no words."""
    element = intent.element
    said = (element.label or element.placeholder or element.name).replace("’", "'")
    return " ".join(_AROUND.sub("", said).casefold().split())


def _is_own(selector: str) -> bool:
    """Whether a selector says which element it means, not which place it has among others."""
    return not _NTH.search(selector) and bool(_OWN.search(selector.rsplit(" > ", 1)[-1]))


_KEYS = (_address_and_name, _own_address, _fingerprint, _any_own_address, _name_and_place, _name, _row_action)
