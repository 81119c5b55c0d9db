"""What selectors say by accident: ids, addresses and names that developers gave, as words."""

from __future__ import annotations

import re
from functools import lru_cache

_ID = re.compile(r"#([A-Za-z][\w-]*)")
_ATTRIBUTE = re.compile(r"""\[([\w-]+)[*^$~|]?=["']?([^"'\]]*)["']?\]""")
_PARTS = re.compile(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")
_TELLING = re.compile(
    r"href|name|aria-controls|title|for|action|formaction|data-(?:.*-)?(?:toggle|action|target|test|testid)"
)
_MEANINGLESS = """
    http https www com html htm php index id pk nav btn bd lte bs target dropdown data main default
    container wrapper content form field input select div body span link button item list page admin app id_ js
    testid test widget select2 mce the of to in and or for de la le les du des un une
"""
_EMPTY = frozenset(_MEANINGLESS.split())
_SHORTEST = 3


@lru_cache(maxsize=16384)
def technical_words(selector: str, *, ids: bool = False) -> tuple[str, ...]:
    """The telling words of a selector's last part: of its address and attributes, and with `ids` of its id."""
    last = selector.rsplit(" > ", 1)[-1]
    found: list[str] = []
    for name, value in _ATTRIBUTE.findall(last):
        if _TELLING.fullmatch(name):
            found += _PARTS.split(value)
    for name in _ID.findall(_ATTRIBUTE.sub("", last)):
        if ids:
            found += _PARTS.split(name)
    kept = (word.lower() for word in found)
    return tuple(dict.fromkeys(word for word in kept if len(word) >= _SHORTEST and word not in _EMPTY))
