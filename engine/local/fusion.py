"""One ranking out of two: what the words say and what the vectors say, weighed as `make train-ranker` found it best."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from engine.local.meaning import Nearness
from engine.types import Intent, Page

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_KINDS = ("click", "input", "select", "check", "submit", "navigate")
RANKED_BY = (
    "words",
    "words_of_best",
    "words_place",
    "label",
    "meaning",
    "concept",
    "place",
    "option",
    "best",
    *_KINDS,
    "menu",
    "row",
    "closed",
    "inside",
    "opens",
    "head",
)
DECIDED_BY = ("one", "unmet", "words", "score", "elsewhere", "elsewhere_than_main")
_OWN_PARTS = frozenset(("", "main", "search", "form", "dialog"))
_COSINES = 5.0
_MOST_UNMET = 3


@dataclass(frozen=True, slots=True)
class Ranker:
    """Trained weights: of what ranks an intent, and of what decides whether the best one is an answer."""

    ranking: tuple[float, ...]
    deciding: tuple[float, ...]


def scores_of(page: Page, words: Sequence[float], near: Nearness) -> Numbers:
    """How well each intent of the page answers; `words` holds their scores by words alone."""
    import numpy as np

    scores: Numbers = ranking_features(page.intents, words, near) @ np.asarray(ranker().ranking)
    return scores


def fits(scores: Numbers) -> Numbers:
    """How likely each intent of a page is the one that is meant, if one is: numbers that add up to 1."""
    import numpy as np

    powers = np.exp(scores - scores.max())
    fit: Numbers = powers / powers.sum()
    return fit


def ranking_features(intents: Sequence[Intent], words: Sequence[float], near: Nearness) -> Numbers:
    """A row an intent, a column each of `RANKED_BY`."""
    import numpy as np

    by_words = np.asarray(words, np.float64)
    best_words = by_words.max(initial=0.0)
    order = np.argsort(-by_words, kind="stable")
    place = np.zeros(len(by_words))
    place[order] = 1.0 / (1.0 + np.arange(len(by_words)))
    place[by_words <= 0] = 0.0
    own = np.maximum(np.maximum(near.label, near.meaning), near.concept)
    option = np.nan_to_num(near.option, nan=-1.0)
    elements = [intent.element for intent in intents]
    openers = {one.opener for one in elements if one.closed}
    columns = [
        by_words,
        by_words / best_words if best_words > 0 else by_words,
        place,
        _COSINES * near.label,
        _COSINES * near.meaning,
        _COSINES * near.concept,
        _COSINES * near.place,
        _COSINES * np.maximum(option - own, 0.0) * (option > -1.0),
        _COSINES * np.maximum(own, option),
        *([intent.action_type == kind for intent in intents] for kind in _KINDS),
        [one.landmark not in _OWN_PARTS for one in elements],
        [bool(one.row) for one in elements],
        [one.closed for one in elements],
        # Of a tab's panel or an opened box; a menu's entries are elsewhere.
        [one.closed and bool(one.opener) and one.landmark in _OWN_PARTS for one in elements],
        [intent.selector in openers for intent in intents],
        [one.role == "columnheader" for one in elements],
    ]
    return np.column_stack([np.asarray(column, np.float64) for column in columns])


def confidence(deciding: Sequence[float]) -> float:
    """How sure it is, from 0 to 1, that the best intent answers the question at all."""
    total = sum(weight * value for weight, value in zip(ranker().deciding, deciding, strict=True))
    return 1.0 / (1.0 + math.exp(-total))


def deciding_features(
    intents: Sequence[Intent], near: Nearness, *, unmet: int, words: float, score: float
) -> tuple[float, ...]:
    """What decides on an answer, a number each of `DECIDED_BY`.

    `unmet` is how many things and commands nothing on the page speaks of, `words` and `score` the best there are, by
    words and in all. What tells most is whether the lexicon knows something that is nearer to the question than all
    that the page has, its menus left out or not.
    """
    import numpy as np

    own = np.maximum(np.maximum(near.label, near.meaning), near.concept)
    best = np.maximum(own, np.nan_to_num(near.option, nan=-1.0))
    main = [one for one, intent in zip(best, intents, strict=True) if intent.element.landmark in _OWN_PARTS]
    nearest = float(best.max())
    return (
        1.0,
        float(min(unmet, _MOST_UNMET)),
        words,
        score,
        _COSINES * (near.elsewhere - nearest),
        _COSINES * (near.elsewhere - max(map(float, main), default=nearest)),
    )


@cache
def ranker() -> Ranker:
    """The weights that were trained last."""
    data = json.loads(files("engine.local").joinpath("ranker.json").read_text(encoding="utf-8"))
    return Ranker(
        tuple(data["ranking"][name] for name in RANKED_BY),
        tuple(data["deciding"][name] for name in DECIDED_BY),
    )
