"""`manage.py fit_embeddings`: makes another model for embeddings usable."""

import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from engine.embedding import Embedder, current_embedder
from engine.embedding.fitting import LEAST_TEXTS, fitted_space, lexicon_texts, put, read_before, read_texts
from engine.embedding.space import space_file
from engine.errors import EngineError
from engine.indexing import index_space
from organizations.scoping import every_tenant
from skills.index import stale_indexes, vectors_forget
from skills.tasks import renew_index

_CHARACTERS_A_TOKEN = 4
# With what a model puts around each text; on texts this short that counts.
_TOKENS_AROUND = 2
# Servers load a model at its first text.
_FIRST_WAIT_S = 120.0


class Command(BaseCommand):
    """Has the server of EMBEDDINGS_BASE_URL read the lexicon, trains the space in which its vectors compare, and
    indexes the published pages in it. Interrupted, it goes on where it was; run again, it reads only what is new."""

    help = "Trains the space of the model for embeddings that EMBEDDINGS_BASE_URL names, and indexes all pages in it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--again", action="store_true", help="read all again: another model answers to this name")
        parser.add_argument("--texts", type=int, default=0, help="train on so many texts only, to try")

    def handle(self, *_args: Any, **options: Any) -> None:
        embedder = current_embedder()
        if embedder is None or not embedder.is_far:
            raise CommandError("Set EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL first: the model in the package is ready.")
        if 0 < options["texts"] < LEAST_TEXTS:
            raise CommandError(f"--texts must be at least {LEAST_TEXTS}.")
        try:
            self._fit(embedder, again=options["again"], most=options["texts"])
        except EngineError as error:
            raise CommandError(f"{embedder.model}: {error}. What was read is kept for the next run.") from error
        self._index()

    def _fit(self, embedder: Embedder, *, again: bool, most: int) -> None:
        space = space_file(embedder.model)
        kept = space.with_suffix(".read.npz")
        if again:
            # One that does not answer costs nothing of what there is.
            embedder.embed(["?"], wait_s=_FIRST_WAIT_S)
            kept.unlink(missing_ok=True)
            with every_tenant():
                vectors_forget(model=embedder.model)
        texts = _evenly(lexicon_texts(), most)
        self._announce(embedder, texts, kept)
        vectors = read_texts(embedder, texts, kept, tell=self._tell)
        self.stdout.write(f"training on vectors of {vectors.shape[1]} numbers …")
        began = time.monotonic()
        put(fitted_space(texts, vectors), space)
        self.stdout.write(f"{space} in {time.monotonic() - began:.0f} s")

    def _announce(self, embedder: Embedder, texts: list[str], kept: Path) -> None:
        known = read_before(kept)
        missing = [text for text in texts if text not in known]
        tokens = sum(len(text) / _CHARACTERS_A_TOKEN + _TOKENS_AROUND for text in missing)
        self.stdout.write(
            f"{embedder.model}: {len(missing)} of {len(texts)} texts to read, about {round(tokens, -2):.0f} tokens"
        )

    def _tell(self, done: int, of: int) -> None:
        self.stdout.write(f"  {done}/{of} read")

    def _index(self) -> None:
        done: set[str] = set()
        while fresh := _stale() - done:
            for skill_id in fresh:
                renew_index(skill_id)
            done |= fresh
            self.stdout.write(f"  {len(done)} pages indexed")
        if not index_space():
            raise CommandError("The server stopped answering: the clock indexes the pages when it answers again.")
        self.stdout.write("Ready. Running processes use it from their next question on.")


def _stale() -> set[str]:
    with every_tenant():
        return set(map(str, stale_indexes()))


def _evenly(texts: list[str], most: int) -> list[str]:
    return texts[:: -(-len(texts) // most)] if 0 < most < len(texts) else texts
