"""The two small fits of `train`'s ranking: a choice among many, a yes or no."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.embedding.fitting import Adam

Numbers = NDArray[np.float64]
_STEPS, _RATE = 300, 0.1
# Held near nothing: there are few questions, and other pages are not like ours.
_HOLD = 0.05


def choice_weights(choices: Sequence[tuple[Numbers, NDArray[np.bool_]]]) -> Numbers:
    """Weights that make the right rows of each choice the likely ones (a softmax over its rows)."""
    usable = [(rows, right) for rows, right in choices if right.any()]
    rows = np.concatenate([one for one, _ in usable])
    right = np.concatenate([one for _, one in usable]).astype(np.float64)
    lengths = np.asarray([len(one) for one, _ in usable])
    starts = np.cumsum(lengths) - lengths
    weights = np.zeros(rows.shape[1])
    adam = Adam(weights.shape, _RATE)
    for _ in range(_STEPS):
        scores = rows @ weights
        powers = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), lengths))
        shares = powers / np.repeat(np.add.reduceat(powers, starts), lengths)
        wanted = shares * right
        wanted /= np.repeat(np.add.reduceat(wanted, starts), lengths)
        weights = weights - adam.step(_HOLD * weights + rows.T @ (shares - wanted) / len(usable))
    return weights


def yes_no_weights(rows: Numbers, answers: NDArray[np.bool_], *, weights: Numbers) -> Numbers:
    """Weights of a logistic regression; `weights` say how much each row counts."""
    found = np.zeros(rows.shape[1])
    adam = Adam(found.shape, _RATE)
    for _ in range(_STEPS * 3):
        sure = 1 / (1 + np.exp(-(rows @ found)))
        slope = rows.T @ (weights * (sure - answers)) / weights.sum()
        found = found - adam.step(slope + _HOLD / 10 * found)
    return found
