"""A folder of labelled questions: `questions.jsonl`, and the pages that they are asked on."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from engine.evaluation import Kind
from engine.types import Locale

Split = Literal["all", "tuned", "held"]
# Half of the pages may be read while the engine is worked on; the others only count. The seed is one that puts the
# pages that had been read before there was a split into the tuned half.
_SPLIT_SEED = 4724


@dataclass(frozen=True)
class Label:
    """One question, and for each step of its answer the CSS selectors that are equally right."""

    id: str
    page: str
    question: str
    locale: Locale
    kind: Kind
    targets: tuple[tuple[str, ...], ...]

    @property
    def selectors(self) -> tuple[str, ...]:
        return tuple(selector for step in self.targets for selector in step)


def read_labels(folder: Path) -> list[Label]:
    """Read `questions.jsonl`. Raises `ValueError` on a line of another form."""
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [_label(json.loads(line)) for line in lines if line.strip()]


def held_pages(labels: Sequence[Label]) -> frozenset[str]:
    """The half of the pages whose questions nobody looks at while tuning: always the same for the same pages."""
    pages = sorted({label.page for label in labels})
    return frozenset(random.Random(_SPLIT_SEED).sample(pages, len(pages) // 2))  # noqa: S311 - a split, no secret


def of_split(labels: Sequence[Label], split: Split) -> list[Label]:
    """The questions of one half of the pages, or all of them."""
    held = held_pages(labels)
    return [label for label in labels if split == "all" or (label.page in held) == (split == "held")]


def _label(data: dict[str, Any]) -> Label:
    targets = tuple(tuple(step) for step in data["targets"])
    kind: Kind = data["kind"]
    fits = {"single": len(targets) == 1, "plan": len(targets) > 1, "absent": not targets}
    if not fits.get(kind, False) or data["lang"] not in ("fr", "en"):
        raise ValueError(f"{data.get('id')}: {kind} in {data['lang']} with {len(targets)} targets")
    return Label(data["id"], data["page"], data["question"], data["lang"], kind, targets)
