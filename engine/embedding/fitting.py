"""Trains the space of an embedding model on the lexicon: a map by which what people say meets what it is called.

Any model will do, and its vectors of the lexicon's texts are all that it takes: reading them is a matter of minutes,
the rest of seconds. The same vectors give the same file.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.embedding import Embedder
from engine.embedding.space import plain, text_key
from engine.errors import EngineError
from engine.local.lexicon import lexicon
from engine.types import MEANING_DIMENSIONS

Numbers = NDArray[np.float64]
Vectors = NDArray[np.float32]
_STEPS, _BATCH, _RATE, _SHARPNESS = 800, 384, 1e-3, 0.1
_LEAST_PAIRS_A_STEP = 12
LEAST_TEXTS = 1000
_READ_AT_ONCE, _READ_WAIT_S = 256, 120.0
_SAVED_EVERY = 2048
# A server that says how long to wait is believed up to here, and so often in a row.
_LONGEST_WAIT_S, _USUAL_WAIT_S, _MOST_WAITS = 120.0, 20.0, 5


class Adam:
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


def lexicon_texts() -> list[str]:
    """All that a space is trained on, each text once."""
    return sorted({plain(text) for names, said in lexicon().texts().values() for text in (*names, *said)})


def read_before(file: Path) -> dict[str, Vectors]:
    """The texts that a model has read, with their vectors, as `read_texts` keeps them."""
    if not file.is_file():
        return {}
    with np.load(file, allow_pickle=False) as data:
        return dict(zip(data["texts"].tolist(), data["vectors"], strict=True))


def read_texts(
    embedder: Embedder,
    texts: Sequence[str],
    file: Path,
    *,
    tell: Callable[[int, int], None],
    sleep: Callable[[float], None] = time.sleep,
) -> Vectors:
    """A model's vectors of all texts. Those that it read before are in `file`, and so is each as soon as it is read:
    whatever stops this, it goes on from there. `tell` hears how many are read, of how many.

    A server that asks to wait is waited for. Raises `EngineError` when it does not answer, or not well.
    """
    known = read_before(file)
    missing = [text for text in texts if text not in known]
    saved = len(known)
    try:
        for start in range(0, len(missing), _READ_AT_ONCE):
            some = missing[start : start + _READ_AT_ONCE]
            fresh = np.asarray(_read(embedder, some, sleep), np.float32)
            _compare(fresh, known)
            known.update(zip(some, fresh, strict=True))
            tell(start + len(some), len(missing))
            if len(known) >= saved + _SAVED_EVERY:
                saved = _save(known, file)
    finally:
        if len(known) > saved:
            _save(known, file)
    return np.stack([known[text] for text in texts])


def _read(embedder: Embedder, texts: Sequence[str], sleep: Callable[[float], None]) -> Sequence[Sequence[float]]:
    for _ in range(_MOST_WAITS):
        try:
            return embedder.embed(texts, wait_s=_READ_WAIT_S)
        except EngineError as error:
            wait = error.retry_after_s or _USUAL_WAIT_S
            if error.code != "provider_rate_limited" or wait > _LONGEST_WAIT_S:
                raise
        sleep(wait)
    return embedder.embed(texts, wait_s=_READ_WAIT_S)


def _compare(fresh: Vectors, known: dict[str, Vectors]) -> None:
    before = len(next(iter(known.values()), fresh[0]))
    if fresh.shape[1] != before:
        said = f"vectors of {fresh.shape[1]} numbers, of {before} before: another model under this name"
        raise EngineError("provider_invalid", said)


def _save(known: dict[str, Vectors], file: Path) -> int:
    packed = BytesIO()
    np.savez(packed, texts=np.asarray(list(known)), vectors=np.stack(list(known.values())))
    put(packed.getvalue(), file)
    return len(known)


def put(packed: bytes, file: Path) -> None:
    """Write a file that others may be reading: they see the old one or the new one, whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.new")
    draft.write_bytes(packed)
    draft.replace(file)


def fitted_space(texts: Sequence[str], vectors: Vectors) -> bytes:
    """The trained space as `engine.embedding.space` reads it, from a model's vectors of `texts`: the lexicon's, or
    at least `LEAST_TEXTS` of them. Raises `EngineError` when the vectors are too short to be of use."""
    if vectors.shape[1] < MEANING_DIMENSIONS:
        raise EngineError("provider_invalid", f"vectors of {vectors.shape[1]} numbers, {MEANING_DIMENSIONS} are needed")
    row = {text: number for number, text in enumerate(texts)}
    wordings = lexicon().texts()
    numbers = {concept: number for number, concept in enumerate(wordings)}

    def pairs(of: Callable[[tuple[Sequence[str], Sequence[str]]], Sequence[str]]) -> list[tuple[int, int]]:
        every = ((plain(text), numbers[concept]) for concept, both in wordings.items() for text in of(both))
        return [(row[text], number) for text, number in every if text in row]

    named = pairs(lambda both: both[0])
    known = {concept for _, concept in named}
    said = [pair for pair in pairs(lambda both: both[1]) if pair[1] in known]
    alike = np.eye(len(numbers), dtype=bool)
    for concept, number in numbers.items():
        for other in lexicon().near(concept) & numbers.keys():
            alike[number, numbers[other]] = True
    mean, turn = _meeting_map(vectors, asked=[*said, *named], named=named, alike=alike)
    turned: Any = (vectors - mean) @ turn
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    packed = BytesIO()
    np.savez_compressed(
        packed,
        mean=mean.astype(np.float16),
        map=turn.astype(np.float16),
        keys=np.asarray([text_key(text) for text in texts], np.uint64),
        vectors=np.rint(turned * 127).astype(np.int8),
    )
    return packed.getvalue()


def _meeting_map(
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
    # The rows of one concept's names stand together.
    rows = np.asarray([row for row, _ in sorted(named, key=lambda pair: pair[1])])
    counts = np.bincount([concept for _, concept in named], minlength=len(alike))
    starts = np.cumsum(counts) - counts
    mean = vectors[[row for row, _ in named]].mean(axis=0)
    centred = (vectors - mean).astype(np.float64)
    _, _, axes = np.linalg.svd(centred[[row for row, _ in named]], full_matrices=False)
    turn = axes[:MEANING_DIMENSIONS].T.copy()
    adam = Adam(turn.shape, _RATE)
    diagonal = np.eye(_BATCH, dtype=bool)
    # A part of the lexicon, as when somebody tries, is gone over no more often than the whole.
    for _ in range(min(_STEPS, len(asked) // _LEAST_PAIRS_A_STEP)):
        drawn = chance.choice(len(asked_rows), _BATCH, replace=False)
        concepts = asked_concepts[drawn]
        left, right = centred[asked_rows[drawn]], centred[rows[starts[concepts] + chance.integers(0, counts[concepts])]]
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
