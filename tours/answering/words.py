"""When two questions are the same words."""

from __future__ import annotations

import re
import unicodedata

_NOT_WORDS = re.compile(r"[^\w%€$]+")


def normalize(question: str) -> str:
    """Return the words of a question without case, accents and punctuation: equal for equal words."""
    decomposed = unicodedata.normalize("NFKD", question.casefold())
    unaccented = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _NOT_WORDS.sub(" ", unaccented).strip()
