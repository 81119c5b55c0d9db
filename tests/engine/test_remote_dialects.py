"""Servers that speak the same protocol in their own ways: found out once, remembered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.remote.dialects import Dialect, Refusal, adapted
from engine.service import answer_question, propose_skill
from engine.types import EngineConfig
from tests.engine.scans import learn, read_scan
from tests.fakes.llm_server import FakeLlmServer

INVOICE = learn("nouvelle_facture")
QUESTION = "Comment créer une facture pour un client avec une remise ?"
PLAN = ["select_client", "remise", "creer_facture"]
CHAT, RESPONSES, OLLAMA = "/v1/chat/completions", "/v1/responses", "/api/chat"


@pytest.fixture
def server() -> Iterator[FakeLlmServer]:
    with FakeLlmServer() as running:
        yield running


@pytest.fixture
def config(server: FakeLlmServer) -> EngineConfig:
    return EngineConfig("openai", server.base_url, "secret-key", "some-model", timeout_s=5)


def ask(config: EngineConfig, *, streamed: bool = False):
    told: list[object] = []
    hear = (lambda _index, step: told.append(step)) if streamed else None
    return answer_question(QUESTION, INVOICE, locale="fr", config=config, on_step=hear)


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("kind", "calls"),
    [
        ("plain", [CHAT]),
        ("openai", [CHAT]),
        ("responses_only", [CHAT, RESPONSES]),
        ("newer_openai_chat", [CHAT, CHAT, CHAT]),
        ("llama_cpp_before_schemas", [CHAT, CHAT]),
        ("llama_cpp_one_grammar", [CHAT, CHAT, CHAT, CHAT]),
        ("llama_cpp_python", [CHAT, CHAT]),
        ("deepseek", [CHAT, CHAT]),
        ("groq", [CHAT, CHAT, CHAT]),
        ("no_formats", [CHAT, CHAT, CHAT, CHAT]),
        ("ollama_native", [CHAT, RESPONSES, OLLAMA]),
    ],
)
def test_each_servers_dialect_is_found_and_then_spoken(server, config, kind, calls, streamed):
    server.kind = kind
    first = ask(config, streamed=streamed)
    assert (first.provider, first.fell_back) == ("openai", "")
    assert [step.intent_id for step in first.steps] == PLAN
    assert server.paths == calls
    assert ask(config, streamed=streamed).provider == "openai"
    assert server.paths == [*calls, calls[-1]]


def test_tokens_are_counted_in_every_protocol_whole_or_streamed(server, config):
    for kind in ("plain", "responses_only", "ollama_native"):
        with FakeLlmServer(kind=kind) as other:
            there = EngineConfig("openai", other.base_url, "k", "m")
            whole, streamed = ask(there).usage, ask(there, streamed=True).usage
        assert whole.prompt_tokens > 100
        assert whole.completion_tokens > 10
        assert whole == streamed


def test_a_server_that_counts_nothing_is_counted_by_characters(server, config):
    server.kind = "no_stream_options"
    usage = ask(config, streamed=True).usage
    assert server.paths == [CHAT, CHAT]
    assert usage.prompt_tokens > 100
    assert usage.completion_tokens > 10


def test_a_schema_is_given_in_the_strictest_form_that_is_understood(server, config):
    server.kind = "llama_cpp_before_schemas"
    ask(config)
    assert server.requests[-1]["response_format"]["type"] == "json_object"
    ids = server.requests[-1]["response_format"]["schema"]["properties"]["steps"]["items"]["enum"]
    assert ids[0] == "1"


def test_a_question_is_not_left_with_a_server(server, config):
    server.kind = "responses_only"
    ask(config)
    assert server.requests[-1]["store"] is False
    assert server.requests[-1]["text"]["format"]["strict"] is True


def test_pages_are_learnt_in_the_same_dialects(server, config):
    server.kind = "responses_only"
    skill = propose_skill(read_scan("commandes"), locale="fr", config=config)
    assert (skill.provider, skill.dropped) == ("openai", 0)


@pytest.mark.parametrize("behaviour", ["in_a_fence", "ignores_stream"])
@pytest.mark.parametrize("streamed", [False, True])
def test_fences_thoughts_and_streams_that_are_none_are_read(server, config, behaviour, streamed):
    server.behave(behaviour)
    assert [step.intent_id for step in ask(config, streamed=streamed).steps] == PLAN
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal(401, '{"error": "response_format is fine, the key is not"}'),
        Refusal(429, '{"error": "temperature"}'),
        Refusal(404, '{"error": {"message": "The model `x` does not exist or you do not have access to it."}}'),
        Refusal(404, '{"error": {"message": "model \\"qwen\\" not found, try pulling it first"}}'),
        Refusal(400, '{"error": {"message": "context length exceeded"}}'),
        Refusal(503, "overloaded"),
    ],
)
def test_a_refusal_about_something_else_is_not_asked_again_in_other_words(refusal):
    assert adapted(Dialect(), refusal, {"chat"}) is None


def test_a_server_that_knows_a_schema_or_nothing_is_not_asked_for_any_json():
    lm_studio = Refusal(400, "{\"error\":\"'response_format.type' must be 'json_schema' or 'text'\"}")
    other = adapted(Dialect(form="beside"), lm_studio, {"chat"})
    assert other is not None
    assert other.form == "prompt"
