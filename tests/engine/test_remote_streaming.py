"""Steps as a model makes them: guarded, in order, and never more than the answer may hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.remote.prompting import answer_prompt
from engine.remote.reading import GrowingAnswer
from engine.service import answer_question
from engine.types import EngineConfig, StepDraft
from tests.engine.scans import learn, rejected
from tests.fakes.llm_server import FakeLlmServer, Prompt

INVOICE = learn("nouvelle_facture")
QUESTION = "Comment créer une facture pour un client avec une remise ?"
PLAN = ["select_client", "remise", "creer_facture"]


@pytest.fixture
def server() -> Iterator[FakeLlmServer]:
    with FakeLlmServer(slow_s=5, retry_after_s=0.05) as running:
        yield running


@pytest.fixture
def config(server: FakeLlmServer) -> EngineConfig:
    return EngineConfig("openai", server.base_url, "secret-key", "some-model", timeout_s=4)


class Heard:
    """What was told while the answer was made."""

    def __init__(self, config: EngineConfig, question: str = QUESTION, **options) -> None:
        self.steps: list[tuple[int, StepDraft]] = []
        self.answer = answer_question(
            question,
            INVOICE,
            locale="fr",
            config=config,
            on_step=lambda index, step: self.steps.append((index, step)),
            **options,
        )

    @property
    def ids(self) -> list[str]:
        return [step.intent_id for _, step in self.steps]


def says(*labels: str, title: str = "Guide"):
    """A script: the model answers with the ids of what is labelled so, whatever it is asked."""

    def script(prompt: Prompt) -> dict[str, object]:
        lines = [line.casefold().lstrip("#").split(" ", 1) for line in prompt.user.splitlines()]
        offered = [(line[0], line[1]) for line in lines if len(line) == 2 and line[0] in prompt.ids]
        return {
            "steps": [
                next(short for short, words in offered if f"{words} ".startswith(f"{label} ")) for label in labels
            ],
            "title": title,
        }

    return script


def test_steps_are_told_in_order_and_are_those_of_the_answer(config, server):
    heard = Heard(config)
    assert server.requests[0]["stream"] is True
    assert [index for index, _ in heard.steps] == [0, 1, 2]
    assert tuple(step for _, step in heard.steps) == heard.answer.steps
    assert heard.ids == PLAN


def test_the_steps_are_told_before_the_title_is_written(config, server):
    server.behave("stalls")
    heard = Heard(replace(config, timeout_s=1))
    assert heard.ids == PLAN
    assert heard.answer.fell_back == "provider_timeout"
    assert [step.intent_id for step in heard.answer.steps] == PLAN


def test_a_step_is_told_when_the_next_is_known_and_the_last_when_the_list_has_closed(config):
    prompt = answer_prompt(QUESTION, INVOICE, locale="fr")
    ids = {intent.intent_id: short for short, intent in prompt.by_short_id.items()}
    told: list[str] = []
    growing = GrowingAnswer(
        prompt, INVOICE, locale="fr", avoid=(), on_step=lambda _index, step: told.append(step.intent_id)
    )
    hear = growing.listen()
    hear(f'{{"steps": ["{ids["remise"]}"')
    assert told == []
    hear(f', "{ids["creer_facture"]}"')
    assert told == ["remise"]
    hear("]")
    assert told == ["remise", "creer_facture"]


def test_without_a_listener_the_whole_is_asked_for_at_once(config, server):
    answer_question(QUESTION, INVOICE, locale="fr", config=config)
    assert "stream" not in server.requests[0]


def test_what_opens_the_way_is_told_before_its_target(config):
    heard = Heard(config, "référence interne")
    assert heard.ids == ["options_avancees", "ref_interne"]
    assert [index for index, _ in heard.steps] == [0, 1]


def test_ids_that_are_not_on_the_list_are_never_told(config, server):
    server.behave("invented_ids")
    heard = Heard(config)
    assert heard.steps == []
    assert heard.answer.fell_back == "provider_invalid"


def test_a_title_that_asks_for_a_secret_is_ours_instead(config, server):
    server.script = says("remise", title="Tapez ici le mot de passe du client")
    heard = Heard(config)
    assert heard.ids == ["remise"]
    assert heard.answer.title == heard.answer.steps[0].title


def test_nothing_is_told_of_a_plan_that_reviewers_rejected(config):
    heard = Heard(config, avoid=rejected(PLAN))
    assert heard.steps == [] or heard.ids != PLAN
    assert [step.intent_id for step in heard.answer.steps] != PLAN


def test_a_plan_that_leaves_the_rejected_one_is_told_from_there(config, server):
    server.script = says("client", "remise")
    heard = Heard(config, avoid=rejected(["select_client", "creer_facture"]))
    assert heard.ids == ["select_client", "remise"]


@pytest.mark.parametrize("behaviour", ["cut", "fails_midway"])
def test_a_stream_that_breaks_off_is_asked_for_again_and_its_steps_told_once(config, server, behaviour):
    server.behave(behaviour, times=1)
    heard = Heard(config)
    assert (heard.answer.provider, heard.answer.fell_back) == ("openai", "")
    assert [index for index, _ in heard.steps] == list(range(len(heard.steps)))
    assert len(server.requests) == 2


@pytest.mark.parametrize("behaviour", ["cut", "fails_midway"])
def test_a_stream_that_keeps_breaking_off_gives_way_to_the_local_provider(config, server, behaviour):
    server.behave(behaviour)
    heard = Heard(config)
    assert (heard.answer.provider, heard.answer.fell_back) == ("local", "provider_unavailable")
    assert [step.intent_id for step in heard.answer.steps] == PLAN


def test_steps_of_a_repaired_answer_are_told_when_none_were_before(config, server):
    server.behave("invented_ids", times=1)
    heard = Heard(config)
    assert heard.ids == PLAN
    assert len(server.requests) == 2


def test_an_answer_has_no_more_steps_than_a_guide_may_have(config, server):
    server.script = lambda prompt: {"steps": list(prompt.ids), "title": "Tout"}
    heard = Heard(config)
    assert len(heard.steps) == len(heard.answer.steps) <= 12


def test_a_connection_is_used_again_after_a_stream(config, server):
    for _ in range(3):
        Heard(config)
    assert server.connections == 1
