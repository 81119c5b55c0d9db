"""Vectors beside words: what they add, and that words alone answer where no model reads."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

import pytest

from bench.engine.written import written_pages
from engine.embedding import Embedder, current_embedder
from engine.embedding.space import space_of, text_key
from engine.errors import EngineError
from engine.local import meaning
from engine.local.lexicon import lexicon
from engine.local.meaning import nearness
from engine.service import rank_intents

PAGES, _ = written_pages()
needs_model = pytest.mark.skipif(current_embedder() is None, reason="the package with the model is not installed here")


class Silent:
    """An embedder whose server does not answer."""

    model = "multilingual-e5-small"
    is_far = False

    def embed(self, texts: Sequence[str], *, wait_s: float = 0.0) -> Sequence[Sequence[float]]:  # noqa: ARG002
        raise EngineError("provider_unavailable", "nobody there")


def use(monkeypatch: pytest.MonkeyPatch, embedder: Embedder | None) -> None:
    monkeypatch.setattr("engine.local.meaning.current_embedder", lambda: embedder)
    monkeypatch.setattr(meaning._Silence, "until", 0.0)


@needs_model
def test_what_shares_no_word_with_a_label_is_found_by_what_it_means() -> None:
    ranked = rank_intents("je voudrais que les gens arrêtent de me harceler de courriers", PAGES["Settings"])
    assert {entry.intent.element.label for entry in ranked[:5]} & {"Notifications", "Weekly digest", "Mentions"}


@needs_model
def test_the_space_knows_the_texts_of_the_lexicon() -> None:
    embedder = current_embedder()
    assert embedder is not None
    space = space_of(embedder)
    assert space is not None
    texts = [text for names, said in lexicon().texts().values() for text in (*names, *said)]
    known = sum(text_key(text) in space._row_of for text in texts)
    assert known >= 0.98 * len(texts), "make train-ranker"


@needs_model
def test_a_server_that_does_not_answer_leaves_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Silent())
    assert nearness("something nobody has asked before", PAGES["Cart"]) is None
    assert rank_intents("promo code", PAGES["Cart"])[0].intent.element.label == "Promo code"


@needs_model
@pytest.mark.parametrize("text", ["\ufdfa" * 300, "\u3300" * 300, "a\0b", "\ud800", ""])
def test_no_character_brings_the_library_down(text: str) -> None:
    # In a process of its own: what it does wrong ends the process.
    script = "import json, sys; from engine.embedding import current_embedder as e; e().embed(json.loads(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", script, json.dumps([text])], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@needs_model
def test_a_process_that_is_warm_has_loaded_the_model() -> None:
    script = "from engine.service import warm_up; from engine.embedding import current_embedder; warm_up()"
    script += "; assert current_embedder()._model is not None"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_without_a_model_the_words_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, None)
    assert rank_intents("promo code", PAGES["Cart"])[0].intent.element.label == "Promo code"


@needs_model
def test_texts_found_stay_found_though_new_ones_push_them_out(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = current_embedder()
    space = None if embedder is None else space_of(embedder)
    assert space is not None
    monkeypatch.setattr("engine.embedding.space._KEPT_TEXTS", 2)
    first, second, third = (f"une chose que personne n'a dite, {name}" for name in ("une", "deux", "trois"))
    before = space.vectors([first])
    assert space.vectors([first, second, third]).shape[0] == 3
    assert (space.vectors([first])[0] == before[0]).all()
