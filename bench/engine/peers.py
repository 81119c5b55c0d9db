"""What others would rank with, on the same learnt goals: BM25 over stems, and a small multilingual embedding."""

from __future__ import annotations

import json
import math
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.browser.bundles import pip_peers
from engine.evaluation import LabelledQuestion
from engine.local.goals import element_label
from engine.local.text import content_words, stems
from engine.types import Intent, Page

_K1, _B = 1.2, 0.75
_HERE = Path(__file__).parent


def bm25_ranks(asked: Sequence[LabelledQuestion], pages: Mapping[str, Page]) -> list[int]:
    """The place of the right element for each question, from 1; 0 when it shares no word with it."""
    return [
        _place(question, pages[question.page], _bm25(question.question, pages[question.page])) for question in asked
    ]


def e5_ranks(asked: Sequence[LabelledQuestion], pages: Mapping[str, Page]) -> list[int] | None:
    """The same by cosine; None, after a line that says so, where the package cannot be had."""
    python = pip_peers(_HERE)
    if python is None:
        return None
    texts = [question.question for question in asked]
    labels = {name: [_document(intent) for intent in page.intents] for name, page in pages.items()}
    sent = json.dumps({"queries": [[q.page, text] for q, text in zip(asked, texts, strict=True)], "pages": labels})
    worker = subprocess.run(  # noqa: S603 - our own worker in an environment that we made
        [str(python), str(_HERE / "e5_worker.py")], input=sent, capture_output=True, text=True, check=False
    )
    if worker.returncode != 0:
        return None
    scores = json.loads(worker.stdout)
    return [_place(question, pages[question.page], found) for question, found in zip(asked, scores, strict=True)]


def _place(question: LabelledQuestion, page: Page, scores: Sequence[float]) -> int:
    wanted = {selector for step in question.targets for selector in step}
    order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))
    ranked = [page.intents[index].selector for index in order if scores[index] > 0]
    return next((place for place, selector in enumerate(ranked, start=1) if selector in wanted), 0)


def _document(intent: Intent) -> str:
    element = intent.element
    return " ".join(part for part in (element_label(element), element.group or element.form or element.heading) if part)


def _terms(text: str) -> list[str]:
    return [stem for word in content_words(text) for stem in stems(word)]


def _bm25(question: str, page: Page) -> list[float]:
    documents = [Counter(_terms(_document(intent))) for intent in page.intents]
    average = sum(map(len, documents)) / max(1, len(documents)) or 1.0
    holding = Counter(term for document in documents for term in document)
    scores: list[float] = []
    for document in documents:
        score = 0.0
        for term in set(_terms(question)) & set(document):
            rarity = math.log(1 + (len(documents) - holding[term] + 0.5) / (holding[term] + 0.5))
            often = document[term]
            score += rarity * often * (_K1 + 1) / (often + _K1 * (1 - _B + _B * document.total() / average))
        scores.append(score)
    return scores
