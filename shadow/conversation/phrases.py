"""The phrases of ``phrases.toml``, as patterns for a whole sentence."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from shadow.conversation.numbers import CARDINAL, ORDINAL, STEP, STEPS

_FRAGMENT = re.compile(r"\{([A-Z][A-Z_]*)\}")
_KEPT = re.compile(r"(?<!\?P)<([a-z]+)(?::([A-Z]+))?>")
_GROUP = re.compile(r"(?<!\\)\((?!\?)")
QUOTATION = r"⟦\d⟧"
_KNOWN = {"Q": QUOTATION, "STEP": STEP, "STEPS": STEPS, "ORDINAL": ORDINAL, "CARDINAL": CARDINAL}


@cache
def _data() -> Mapping[str, Any]:
    text = files("shadow.conversation").joinpath("phrases.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def expanded(phrase: str) -> str:
    """Return a phrase as a regular expression, its fragments spelt out."""
    kept = _KEPT.sub(lambda found: f"(?P<{found[1]}>{'{' + found[2] + '}' if found[2] else '.+'})", phrase)
    grouped = _GROUP.sub("(?:", kept)
    return _FRAGMENT.sub(lambda found: f"(?:{_known(found[1])})", grouped)


@cache
def _known(name: str) -> str:
    return _KNOWN.get(name) or expanded(_data()["fragments"][name])


def fragment(name: str) -> re.Pattern[str]:
    """Return a fragment by itself."""
    return re.compile(_known(name))


def courtesy(name: str) -> str:
    """Return words that say nothing of what is wanted, as a regular expression."""
    return expanded(_data()["courtesy"][name])


def phrases(table: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return what can be said, in the order in which it counts: the name of the rule, and a pattern."""
    return [
        (name, re.compile(rf"(?:{expanded(phrase)})[ .!…]*"))
        for name, said in _data()[table].items()
        for phrase in said
    ]
