"""The three small fits of `train`: a map that lets sayings meet names, a choice among many, a yes or no."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Vectors = NDArray[np.float32]
_WIDTH = 128
_MAP_STEPS, _BATCH, _MAP_RATE, _SHARPNESS = 800, 384, 1e-3, 0.1
_STEPS, _RATE = 300, 0.1
# Held near nothing: there are few questions, and other pages are not like ours.
_HOLD = 0.05


class _Adam:
    """Steps down a slope, longer where it is even."""

    def __init__(self, shape: tuple[int, ...], rate: float) -> None:
        self._first, self._second = np.zeros(shape), np.zeros(shape)
        self._rate, self._count = rate, 0

    def step(self, slope: Numbers) -> Numbers:
        self._count += 1
        self._first = 0.9 * self._first + 0.1 * slope
        self._second = 0.99 * self._second + 0.01 * slope * slope
        first, second = self._first / (1 - 0.9**self._count), self._second / (1 - 0.99**self._count)
        return self._rate * first / (np.sqrt(second) + 1e-8)


def meeting_map(
    vectors: Vectors,
    *,
    asked: Sequence[tuple[int, int]],
    named: Sequence[tuple[int, int]],
    alike: NDArray[np.bool_],
) -> tuple[Vectors, Vectors]:
    """A mean to take off and a matrix to multiply by, so that what is asked comes nearer to its concept's names than to
    other names. Pairs are rows of `vectors` and numbers of concepts; those that are `alike` do not push each other."""
    chance = np.random.default_rng(0)
    asked_rows, asked_concepts = np.asarray(asked).T
    of_concept: dict[int, list[int]] = defaultdict(list)
    for row, concept in named:
        of_concept[concept].append(row)
    mean = vectors[[row for row, _ in named]].mean(axis=0)
    centred = (vectors - mean).astype(np.float64)
    _, _, axes = np.linalg.svd(centred[[row for row, _ in named]], full_matrices=False)
    turn = axes[:_WIDTH].T.copy()
    adam = _Adam(turn.shape, _MAP_RATE)
    diagonal = np.eye(_BATCH, dtype=bool)
    for _ in range(_MAP_STEPS):
        drawn = chance.choice(len(asked_rows), _BATCH, replace=False)
        concepts = asked_concepts[drawn]
        left, right = centred[asked_rows[drawn]], centred[[chance.choice(of_concept[one]) for one in concepts]]
        turned_left, turned_right = left @ turn, right @ turn
        long_left = np.linalg.norm(turned_left, axis=1, keepdims=True)
        long_right = np.linalg.norm(turned_right, axis=1, keepdims=True)
        unit_left, unit_right = turned_left / long_left, turned_right / long_right
        scores = unit_left @ unit_right.T / _SHARPNESS
        scores[alike[concepts][:, concepts] & ~diagonal] = -1e9
        scores -= scores.max(axis=1, keepdims=True)
        shares = np.exp(scores)
        shares /= shares.sum(axis=1, keepdims=True)
        pull = (shares - diagonal) / _SHARPNESS / _BATCH
        to_left, to_right = pull @ unit_right, pull.T @ unit_left
        to_left = (to_left - (to_left * unit_left).sum(axis=1, keepdims=True) * unit_left) / long_left
        to_right = (to_right - (to_right * unit_right).sum(axis=1, keepdims=True) * unit_right) / long_right
        turn -= adam.step(left.T @ to_left + right.T @ to_right)
    return mean.astype(np.float32), turn.astype(np.float32)


def choice_weights(choices: Sequence[tuple[Numbers, NDArray[np.bool_]]]) -> Numbers:
    """Weights that make the right rows of each choice the likely ones (a softmax over its rows)."""
    usable = [(rows, right) for rows, right in choices if right.any()]
    weights = np.zeros(usable[0][0].shape[1])
    adam = _Adam(weights.shape, _RATE)
    for _ in range(_STEPS):
        slope = _HOLD * weights
        for rows, right in usable:
            scores = rows @ weights
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            wanted = shares * right
            slope = slope + rows.T @ (shares - wanted / wanted.sum()) / len(usable)
        weights = weights - adam.step(slope)
    return weights


def yes_no_weights(rows: Numbers, answers: NDArray[np.bool_], *, weights: Numbers) -> Numbers:
    """Weights of a logistic regression; `weights` say how much each row counts."""
    found = np.zeros(rows.shape[1])
    adam = _Adam(found.shape, _RATE)
    for _ in range(_STEPS * 3):
        sure = 1 / (1 + np.exp(-(rows @ found)))
        slope = rows.T @ (weights * (sure - answers)) / weights.sum()
        found = found - adam.step(slope + _HOLD / 10 * found)
    return found
