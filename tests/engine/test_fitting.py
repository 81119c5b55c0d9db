"""Training the space of another model: the lexicon read once, whatever comes in between, and what it is good for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.embedding.fitting import fitted_space, lexicon_texts, put, read_before, read_texts
from engine.embedding.space import space_of
from engine.errors import EngineError

TEXTS = [f"text {number}" for number in range(600)]


class Counted:
    """A model that makes a vector of a text's number, and breaks off before the texts that are told."""

    model = "counted"
    is_far = True

    def __init__(self, *errors: EngineError, after: int = 256) -> None:
        self.errors = list(errors)
        self.after = after
        self.read: list[str] = []

    def embed(self, texts: Sequence[str], *, wait_s: float = 0.0) -> Sequence[Sequence[float]]:  # noqa: ARG002
        if self.errors and len(self.read) >= self.after:
            raise self.errors.pop(0)
        self.read += texts
        return [[float(text.split()[1]), 1.0] for text in texts]


def read(embedder: Counted, file: Path, naps: list[float] | None = None) -> np.ndarray:
    nap = (naps if naps is not None else []).append
    return read_texts(embedder, TEXTS, file, tell=lambda _done, _of: None, sleep=nap)


def test_texts_are_read_once_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "made" / "kept.npz"
    first, second = Counted(), Counted()
    assert read(first, file).tolist() == read(second, file).tolist() == [[float(n), 1.0] for n in range(600)]
    assert (first.read, second.read) == (TEXTS, [])
    assert [one.name for one in file.parent.iterdir()] == ["kept.npz"]


def test_what_was_read_before_an_error_is_not_read_again(tmp_path: Path) -> None:
    file = tmp_path / "kept.npz"
    with pytest.raises(EngineError):
        read(Counted(EngineError("provider_denied")), file)
    assert len(read_before(file)) == 256
    goes_on = Counted()
    assert read(goes_on, file)[-1].tolist() == [599.0, 1.0]
    assert goes_on.read == TEXTS[256:]


def test_a_server_that_asks_to_wait_is_waited_for(tmp_path: Path) -> None:
    naps: list[float] = []
    busy = Counted(EngineError("provider_rate_limited", retry_after_s=30.0), EngineError("provider_rate_limited"))
    read(busy, tmp_path / "kept.npz", naps)
    assert naps == [30.0, 20.0]
    assert busy.read == TEXTS


def test_a_server_that_asks_to_wait_for_ever_is_not(tmp_path: Path) -> None:
    naps: list[float] = []
    busy = Counted(*[EngineError("provider_rate_limited", retry_after_s=30.0) for _ in range(9)])
    with pytest.raises(EngineError):
        read(busy, tmp_path / "kept.npz", naps)
    assert naps == [30.0] * 5


def test_a_model_that_became_another_one_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "kept.npz"
    read_texts(Counted(), TEXTS[:10], file, tell=lambda _done, _of: None)
    longer = Counted()
    longer.embed = lambda texts, **_wait: [[1.0, 2.0, 3.0] for _ in texts]  # type: ignore[method-assign]
    with pytest.raises(EngineError, match="another model"):
        read(longer, file)


def test_vectors_that_are_too_short_are_refused() -> None:
    texts = lexicon_texts()
    with pytest.raises(EngineError, match="128 are needed"):
        fitted_space(texts, np.ones((len(texts), 64), np.float32))


@pytest.mark.parametrize("packed", [b"", b"nothing of the kind"], ids=["empty", "other"])
def test_a_file_that_is_no_space_leaves_the_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture, packed: bytes
) -> None:
    monkeypatch.setattr("engine.embedding.space.spaces_folder", lambda: tmp_path)
    put(packed, tmp_path / "counted.npz")
    assert space_of(Counted()) is None
    assert "run manage.py fit_embeddings" in caplog.text
