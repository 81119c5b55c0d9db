"""When two questions are the same words."""

from __future__ import annotations

import re
import unicodedata

MAX_LENGTH = 300
_NOT_WORDS = re.compile(r"[^\w%€$]+")


def normalize(question: str) -> str:
    """Return the words of a question without case, accents and punctuation: equal for equal words.

    Empty when there is no word in it ("???"), and then like no other question.
    """
    decomposed = unicodedata.normalize("NFKD", question.casefold())
    unaccented = "".join(char for char in decomposed if not unicodedata.combining(char))
    # One character may decompose into eighteen: what is compared stays as long as a question.
    return _NOT_WORDS.sub(" ", unaccented).strip()[:MAX_LENGTH]
