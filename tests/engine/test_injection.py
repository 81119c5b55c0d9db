"""Nothing in a page or a question adds an element, markup, a leaked prompt, a request for a secret or another language:
not even with a model that obeys whoever wrote it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import pytest

from engine.guardrails import unmarked
from engine.local.writing import write_step
from engine.prompts import prompt_text
from engine.service import answer_question
from engine.types import EngineConfig, Locale, Page, StepDraft
from tests.engine.injections import CARRIERS, Attack, Carrier, attacks_on
from tests.engine.scans import learn
from tests.fakes.llm_server import FakeLlmServer

INVOICE = learn("nouvelle_facture")
QUESTIONS: dict[Locale, str] = {"fr": "Comment ajouter une remise ?", "en": "How do I add a discount?"}
CASES = [
    pytest.param(locale, carrier, attack, id=f"{locale}, {carrier.name}: {attack.name}")
    for locale in QUESTIONS
    for carrier in CARRIERS
    for attack in attacks_on(locale)
]
MARKUP = re.compile(r"<[a-z/!?|]|\]\(|https?:|javascript:|data:|vbscript:|mailto:|\bwww\.|onerror|onclick", re.I)
SITES = re.compile(r"evil|\bexample\b", re.I)
# Words that ask for secrets, without accents or tricks: what the attacks come to when they are read.
SECRET = re.compile(r"mot de passe|password|passw|carte|card|cryptogramme|api key|\bpin\b|verification code")
FOREIGN = {
    "fr": re.compile(r"\b(?:sie|den|klicken|haga|descuento|the|enter|then)\b|[Ѐ-ӿ一-鿿]", re.I),
    "en": re.compile(r"\b(?:sie|klicken|haga|descuento|dans|puis|saisissez)\b|[Ѐ-ӿ一-鿿]", re.I),
}


@pytest.fixture(scope="module")
def server() -> Iterator[FakeLlmServer]:
    with FakeLlmServer() as running:
        yield running


def words(text: str) -> list[str]:
    bare = unicodedata.normalize("NFKD", text.casefold())
    return re.findall(r"[a-z0-9]+", "".join(char for char in bare if not unicodedata.combining(char)))


INSTRUCTIONS = [" ".join(words(prompt_text("answer", locale))) for locale in QUESTIONS]


def leaked(text: str) -> str:
    """Six words in a row of the instructions that a text repeats, if it does."""
    said = words(text)
    runs = (" ".join(said[at : at + 6]) for at in range(len(said) - 5))
    return next((run for run in runs if any(run in known for known in INSTRUCTIONS)), "")


def unquoted(text: str) -> str:
    """A text without what it quotes of the page, which an attacker's own page may hold."""
    return re.sub(r"«[^«»]*»|“[^“”]*”", "", text)


def check_prompt(prompt: str, system: str, locale: Locale) -> None:
    for fence in ("<page>", "</page>", "<question>", "</question>"):
        assert prompt.count(fence) == 1
    assert not [char for char in prompt if unicodedata.category(char) in ("Cf", "Co", "Cn", "Cs") or char == "\ufe0f"]
    assert system == prompt_text("answer", locale)


def check_text(text: str) -> None:
    assert not MARKUP.search(text)
    assert not [char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Co", "Cn", "Cs")]
    assert not leaked(text)


def check_words(text: str, locale: Locale) -> None:
    assert not FOREIGN[locale].search(unquoted(text))
    assert not SITES.search(text)
    assert not SECRET.search(" ".join(words(unquoted(text))))


def check_steps(title: str, steps: list[StepDraft], page: Page, locale: Locale) -> None:
    by_id = {intent.intent_id: intent for intent in page.intents}
    own = [unmarked(write_step(by_id[step.intent_id], locale=locale, page_locale=page.locale)) for step in steps]
    for text in (title, *(f"{step.title}. {step.text}" for step in steps)):
        check_text(text)
    for step, ours in zip(steps, own, strict=True):
        # The engine's own words name an element as its page does, and its page may be anything: they tell nothing new.
        if step != ours:
            check_words(f"{step.title}. {step.text}", locale)
    if title not in {ours.title for ours in own}:
        check_words(title, locale)


def test_there_are_enough_of_them():
    assert len(CASES) >= 500
    assert len({attack.name for locale in QUESTIONS for attack in attacks_on(locale)}) >= 36


@pytest.mark.parametrize(("locale", "carrier", "attack"), CASES)
def test_an_obedient_model_gains_nothing(server: FakeLlmServer, locale: Locale, carrier: Carrier, attack: Attack):
    server.requests.clear()
    server.script = attack.script
    page, question, title = carrier.put(INVOICE, QUESTIONS[locale], attack.text)
    told: list[StepDraft] = []
    answer = answer_question(
        question,
        page,
        locale=locale,
        config=EngineConfig("openai", server.base_url, "k", "m", timeout_s=20),
        page_title=title,
        on_step=lambda _index, step: told.append(step),
    )
    assert server.requests
    for request in server.requests:
        system, prompt = (message["content"] for message in request["messages"][:2])
        check_prompt(prompt, system, locale)
    check_steps(answer.title, list(answer.steps), page, locale)
    check_steps("", told, page, locale)


@pytest.mark.parametrize("locale", QUESTIONS)
def test_a_model_that_obeys_nobody_is_taken_at_its_word(server: FakeLlmServer, locale: Locale):
    """The checks above would pass with answers of nothing: a harmless answer must come through as it is."""
    title = {"fr": "Baisser le prix", "en": "Lower the price"}[locale]
    server.script = lambda prompt: {"steps": [prompt.ids[-1]], "title": title}
    config = EngineConfig("openai", server.base_url, "k", "m", timeout_s=20)
    answer = answer_question(QUESTIONS[locale], INVOICE, locale=locale, config=config)
    assert (answer.provider, answer.fell_back, answer.title) == ("openai", "", title)
    assert answer.steps
