"""A page in few words: the form in which a model, or a person, reads it."""

from __future__ import annotations

import math
import re

from engine.types import Intent

_WORD = re.compile(r"\w+|[^\w\s]")
# So many letters of a word make a token: of a plain small word, of another, of a number.
_PLAIN_LETTERS, _LETTERS, _DIGITS = 10, 7, 3
_PLAIN = re.compile(r"[a-z]+")


def tokens_of(text: str) -> int:
    """About how many tokens a text costs, rather too many than too few."""
    return sum(_tokens_of_word(word) for word in _WORD.findall(text))


def _tokens_of_word(word: str) -> int:
    if word.isdigit():
        # The space before a number is one of its own.
        return 1 + math.ceil(len(word) / _DIGITS)
    return math.ceil(len(word) / (_PLAIN_LETTERS if _PLAIN.fullmatch(word) else _LETTERS))


def compact_intent(intent: Intent) -> str:
    """Write an intent's kind and goal, its label where the goal does not hold it, and some options of a list."""
    parts = [f"{intent.action_type}: {intent.user_goal}"]
    label = " ".join(intent.element.label.split())
    if label and label.lower() not in intent.user_goal.lower().replace("’", "'"):
        parts.append(f"[{label}]")
    if options := options_of(intent):
        parts.append(options.strip())
    return as_data(" ".join(parts))


def as_data(text: str) -> str:
    """Take from a page's or a user's words what could close the fence around them in a prompt."""
    return " ".join(text.replace("<", "‹").replace(">", "›").split())


def options_of(intent: Intent, *, most: int = 4, length: int = 20) -> str:
    """The first options of a list, after a space, each cut to a length: ` (Livrée/Annulée/…)`. Else nothing."""
    options = [option[:length].strip() for option in intent.element.options if any(map(str.isalnum, option))]
    more = "/…" if len(options) > most else ""
    return " " + as_data(f"({'/'.join(options[:most])}{more})") if options else ""
