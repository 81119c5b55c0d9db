"""Vectors from a server that speaks OpenAI's protocol, well and badly."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.embedding import EmbeddingServer, current_embedder, use_server
from engine.embedding.remote import ServerEmbedder
from engine.errors import EngineError
from tests.fakes.embeddings_server import EmbeddingsServer, Reply


@pytest.fixture(scope="module")
def one_for_all() -> Iterator[EmbeddingsServer]:
    running = EmbeddingsServer()
    yield running
    running.close()


@pytest.fixture
def server(one_for_all: EmbeddingsServer) -> EmbeddingsServer:
    one_for_all.forget()
    return one_for_all


@pytest.fixture
def naps() -> list[float]:
    """How long the embedder has slept, each time, without having slept."""
    return []


@pytest.fixture
def embedder(server: EmbeddingsServer, naps: list[float]) -> ServerEmbedder:
    return of(server, naps=naps)


def of(server: EmbeddingsServer, model: str = "some-model", naps: list[float] | None = None) -> ServerEmbedder:
    place = EmbeddingServer(server.base_url, model, Path("nowhere"), "secret-key")
    return ServerEmbedder(place, sleep=(naps if naps is not None else []).append)


def code_of(embedder: ServerEmbedder, texts: list[str], **options: float) -> str:
    with pytest.raises(EngineError) as failed:
        embedder.embed(texts, **options)
    return failed.value.code


def near(one: Any, other: Any) -> float:
    return float(sum(a * b for a, b in zip(one, other, strict=True)))


def test_each_text_gets_its_own_vector_whatever_their_order_in_the_reply(embedder: ServerEmbedder) -> None:
    texts = [f"facture {number}" for number in range(70)]
    together = embedder.embed(texts)
    assert [near(row, embedder.embed([text])[0]) for row, text in zip(together, texts, strict=True)] == pytest.approx(
        [1.0] * 70, abs=1e-5
    )
    assert near(together[0], embedder.embed(["supprimer"])[0]) < 0.9


def test_many_texts_are_asked_for_in_batches(embedder: ServerEmbedder, server: EmbeddingsServer) -> None:
    embedder.embed([f"facture {number}" for number in range(70)])
    assert [len(json.loads(asked.body)["input"]) for asked in server.received] == [32, 32, 6]


def test_the_key_and_the_model_are_said(embedder: ServerEmbedder, server: EmbeddingsServer) -> None:
    embedder.embed(["remise"])
    headers = {name.lower(): value for name, value in server.received[0].headers.items()}
    assert headers["authorization"] == "Bearer secret-key"
    assert json.loads(server.received[0].body)["model"] == "some-model"


def test_a_key_is_not_in_what_is_printed(server: EmbeddingsServer) -> None:
    assert "secret-key" not in repr(EmbeddingServer(server.base_url, "m", Path("nowhere"), "secret-key"))


@pytest.mark.parametrize("packs", [True, False, None], ids=["packed", "refused", "not noticed"])
def test_numbers_are_the_same_packed_or_written_out(packs: bool | None, embedder: ServerEmbedder) -> None:
    other = EmbeddingsServer(packs=packs)
    asking = of(other)
    assert asking.embed(["remise"])[0] == pytest.approx(embedder.embed(["remise"])[0])
    asking.embed(["rabais"])
    forms = [json.loads(asked.body).get("encoding_format") for asked in other.received]
    other.close()
    # Refused once, they are not asked for packed again.
    assert forms == (["base64", None, None] if packs is False else ["base64", "base64"])


def test_a_model_that_was_trained_with_a_word_before_each_text_gets_it(server: EmbeddingsServer) -> None:
    of(server, "nomic-embed-text:v1.5").embed(["remise"])
    of(server, "text-embedding-3-small").embed(["remise"])
    assert server.read == ["search_query: remise", "remise"]


@pytest.mark.parametrize("text", ["", " ", "\0", "\ud800", "a\0b", "é" * 5000])
def test_what_a_server_might_choke_on_is_not_sent(
    embedder: ServerEmbedder, server: EmbeddingsServer, text: str
) -> None:
    embedder.embed([text])
    assert 1 <= len(server.read[0]) <= 300
    assert "\0" not in server.read[0]


def test_no_text_asks_nothing(embedder: ServerEmbedder, server: EmbeddingsServer) -> None:
    assert embedder.embed([]) == []
    assert server.received == []


def _first(value: Any) -> Callable[[Reply], Reply]:
    def spoil(reply: Reply) -> Reply:
        reply["data"][0]["embedding"] = value
        return reply

    return spoil


def _placed(value: Any) -> Callable[[Reply], Reply]:
    def spoil(reply: Reply) -> Reply:
        reply["data"][0]["index"] = value
        return reply

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _reply: {},
        lambda reply: {**reply, "data": []},
        lambda reply: {**reply, "data": {}},
        lambda reply: {**reply, "data": [1, 2]},
        lambda reply: {**reply, "data": reply["data"][:1]},
        lambda reply: {**reply, "data": [*reply["data"], reply["data"][0]]},
        _first([]),
        _first(None),
        _first(""),
        _first("no base64!"),
        _first("AAA="),
        _first([0.5] * 255),
        _first([math.nan] * 256),
        _first([1e39] * 256),
        _first([10**400] * 256),
        _first([[0.5] * 256]),
        _first(["a"] * 256),
        _first([None] * 256),
        _placed(0),
        _placed(7),
        _placed([1]),
    ],
)
def test_what_is_no_vector_for_each_text_is_refused(
    embedder: ServerEmbedder, server: EmbeddingsServer, spoil: Callable[[Reply], Reply]
) -> None:
    server.spoil = spoil
    assert code_of(embedder, ["remise", "rabais"]) == "provider_invalid"


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (200, b"", "provider_invalid"),
        (200, b"<html>", "provider_invalid"),
        (200, b"[]", "provider_invalid"),
        (200, b"x" * 9_000_000, "provider_invalid"),
        (401, b"", "provider_denied"),
        (404, b"", "provider_invalid"),
    ],
)
def test_what_is_no_answer_is_an_error(
    embedder: ServerEmbedder, server: EmbeddingsServer, status: int, body: bytes, code: str
) -> None:
    server.fail_with(status, body=body)
    assert code_of(embedder, ["remise"], wait_s=5.0) == code


def test_a_server_that_fails_once_is_asked_again(
    embedder: ServerEmbedder, server: EmbeddingsServer, naps: list[float]
) -> None:
    server.fail_with(503)
    server.fail_with(0)
    assert len(embedder.embed(["remise"], wait_s=10.0)) == 1
    assert naps == [0.3, 1.0]


def test_a_short_wait_is_waited(embedder: ServerEmbedder, server: EmbeddingsServer, naps: list[float]) -> None:
    server.fail_with(429, headers={"Retry-After": "0.5"})
    assert len(embedder.embed(["remise"])) == 1
    assert naps == [0.5]


def test_a_long_wait_is_not_waited(embedder: ServerEmbedder, server: EmbeddingsServer, naps: list[float]) -> None:
    server.fail_with(429, headers={"Retry-After": "20"})
    with pytest.raises(EngineError) as failed:
        embedder.embed(["remise"], wait_s=60.0)
    assert (failed.value.code, failed.value.retry_after_s, naps) == ("provider_rate_limited", 20.0, [])


def test_who_keeps_failing_is_not_asked_for_ever(embedder: ServerEmbedder, server: EmbeddingsServer) -> None:
    for _ in range(9):
        server.fail_with(429, headers={"Retry-After": "0"}, taken=True)
    assert code_of(embedder, ["remise"]) == "provider_rate_limited"
    assert len(server.received) == 3


def test_a_question_does_not_wait_for_a_slow_server() -> None:
    slow = EmbeddingsServer(slow_s=0.6)
    assert code_of(of(slow), ["remise"], wait_s=0.2) == "provider_timeout"
    slow.close()


def test_nobody_there_is_an_error() -> None:
    gone = EmbeddingsServer()
    gone.close()
    assert code_of(of(gone), ["remise"]) == "provider_unavailable"


def test_the_server_that_was_chosen_reads(server: EmbeddingsServer, tmp_path: Path) -> None:
    use_server(EmbeddingServer(server.base_url, "some-model", tmp_path))
    try:
        chosen = current_embedder()
        assert chosen is not None
        assert (chosen.model, chosen.is_far) == ("some-model", True)
        assert current_embedder() is chosen
    finally:
        use_server(None)
    assert current_embedder() is not chosen
