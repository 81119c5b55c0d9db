"""Pages and questions read by a server for embeddings: its space is trained once, and words answer without it."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from itertools import count
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from circuy.checks import check_space
from engine.embedding import EmbeddingServer, current_embedder, use_server
from engine.embedding.fitting import fitted_space, lexicon_texts, put, read_texts
from engine.embedding.space import space_file, space_of
from engine.local import meaning
from engine.service import plan_intents
from engine.types import MEANING_DIMENSIONS
from skills.index import index_renew, stale_indexes, vectors_forget
from skills.models import PageSkill, SkillIntent, SkillVectors
from skills.search import intents_elsewhere
from skills.selectors import engine_page
from tests.fakes.embeddings_server import EmbeddingsServer
from tests.fixtures import LOCAL, Tenant
from tests.skills.test_index import order_scan
from tours.answering.making import question_answer
from tours.models import Question

MODEL = "hashed/letters:1"
PART = 1000
LENGTH = 160
# It shares no word with the field's name, but most of its letters.
QUESTION = "transportage numération"
FIELD = "#suivi"
PROCESSES = count()


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[EmbeddingsServer, Path]]:
    """A server, and a folder with the space of its model, trained on a part of the lexicon."""
    running = EmbeddingsServer(LENGTH)
    folder = tmp_path_factory.mktemp("spaces")
    use_server(EmbeddingServer(running.base_url, MODEL, folder))
    embedder = current_embedder()
    assert embedder is not None
    texts = lexicon_texts()
    texts = texts[:: len(texts) // PART]
    vectors = read_texts(embedder, texts, folder / "read.npz", tell=lambda _done, _of: None)
    put(fitted_space(texts, vectors), space_file(MODEL))
    use_server(None)
    yield running, folder
    running.close()


@pytest.fixture
def server(fitted: tuple[EmbeddingsServer, Path]) -> Iterator[EmbeddingsServer]:
    """The server, which a fresh process was told to use."""
    running, folder = fitted
    running.forget()
    start(running, folder)
    yield running
    leave()


@pytest.fixture
def unfitted(fitted: tuple[EmbeddingsServer, Path], tmp_path: Path) -> Iterator[EmbeddingsServer]:
    """The server, in an installation that has no space for its model."""
    running, _ = fitted
    running.forget()
    start(running, tmp_path)
    yield running
    leave()


def start(running: EmbeddingsServer, folder: Path) -> None:
    leave()
    use_server(EmbeddingServer(running.base_url, MODEL, folder))


def leave() -> None:
    use_server(None)
    meaning._Silence.until = 0.0
    meaning._nearness.cache_clear()
    meaning._page_meaning.cache_clear()


def as_a_new_process(running: EmbeddingsServer, folder: Path) -> None:
    """Forget what was read: the same server under a value of its own has an embedder of its own."""
    leave()
    use_server(EmbeddingServer(running.base_url, MODEL, folder, api_key=f"process {next(PROCESSES)}"))
    running.received.clear()


def found(tenant: Tenant) -> list[PageSkill]:
    return intents_elsewhere(organization=tenant.organization, question=QUESTION, besides=())


def answered(question: Question) -> list[str]:
    """The elements that a question's answer leads to."""
    question_answer(question_id=question.pk, config=LOCAL)
    question.refresh_from_db()
    assert question.tour_version is not None
    return [step["selector"] for step in question.tour_version.steps]


def spaces_of(skill: PageSkill) -> set[str]:
    return set(SkillIntent.objects.filter(page_skill=skill).values_list("space", flat=True))


def planned(skill: PageSkill, question: str = QUESTION) -> list[str]:
    page = engine_page(skill)
    selectors = {intent.intent_id: intent.selector for intent in page.intents}
    return [selectors[intent_id] for intent_id in plan_intents(question, page).intent_ids]


def test_a_page_is_indexed_in_the_space_of_the_servers_model(oree, server):
    skill = oree.learn(order_scan())
    embedder = current_embedder()
    assert embedder is not None
    space = space_of(embedder)
    assert space is not None
    assert spaces_of(skill) == {space.name}
    assert space.name.startswith("hashed-letters-1/")
    entries = SkillIntent.objects.filter(page_skill=skill)
    assert {len(entry.vector) for entry in entries} == {MEANING_DIMENSIONS}
    assert SkillVectors.objects.get(page_skill=skill).model == MODEL
    assert "numéro de suivi du transporteur" in server.read


def test_a_question_is_the_only_text_that_is_read_while_somebody_waits(oree, server, fitted):
    skill = oree.learn(order_scan())
    as_a_new_process(*fitted)
    near = meaning.nearness(QUESTION, engine_page(skill))
    assert near is not None
    assert engine_page(skill).intents[int(near.label.argmax())].selector == FIELD
    assert planned(skill)[-1:] == [FIELD]
    assert server.read == [QUESTION]


def test_a_page_is_found_from_another_one_by_meaning_and_not_without(oree, server):
    oree.learn()
    skill = oree.learn(order_scan())
    assert found(oree)[0] == skill
    meaning._Silence.until = float("inf")
    assert found(oree) == []


def test_whoever_asks_gets_an_answer_with_the_server_and_without_it(oree, server, fitted):
    oree.learn(order_scan())
    as_a_new_process(*fitted)
    question = oree.asked(QUESTION, route="/commandes/7")
    assert answered(question) == [FIELD]
    assert server.read == [QUESTION]
    as_a_new_process(*fitted)
    for _ in range(3):
        server.fail_with(0, taken=True)
    assert answered(oree.asked("numéro de suivi", route="/commandes/7")) == [FIELD]
    assert set(server.read) == {"numéro de suivi"}


def test_with_the_server_dead_words_answer_and_it_is_left_alone(oree, server, fitted):
    skill = oree.learn(order_scan())
    as_a_new_process(*fitted)
    for _ in range(20):
        server.fail_with(401, taken=True)
    assert planned(skill, "changer le statut") == ["#statut"]
    assert planned(skill, "numéro de suivi") == [FIELD]
    assert len(server.received) == 1


def test_a_reply_of_another_length_leaves_the_words(oree, server, fitted):
    skill = oree.learn(order_scan())
    as_a_new_process(*fitted)
    server.length = 300
    try:
        assert planned(skill, "changer le statut") == ["#statut"]
    finally:
        server.length = LENGTH


def test_a_page_that_the_model_has_not_read_waits_for_its_index(oree, server, fitted):
    skill = oree.learn(order_scan())
    SkillVectors.objects.all().delete()
    as_a_new_process(*fitted)
    assert planned(skill, "changer le statut") == ["#statut"]
    assert server.read == []
    assert meaning._Silence.until == 0.0


def test_a_renewal_without_an_answer_leaves_what_there_is(oree, server, fitted):
    skill = oree.learn(order_scan())
    before = spaces_of(skill)
    SkillVectors.objects.all().delete()
    as_a_new_process(*fitted)
    server.fail_with(401)
    index_renew(skill_id=skill.pk)
    assert spaces_of(skill) == before


def test_without_a_trained_space_words_answer_and_the_check_says_what_to_run(oree, unfitted, caplog):
    skill = oree.learn(order_scan())
    assert spaces_of(skill) == {""}
    assert planned(skill, "changer le statut") == ["#statut"]
    assert unfitted.received == []
    (warning,) = check_space(None)
    assert MODEL in warning.msg
    assert warning.hint == "Run manage.py fit_embeddings once."


def test_with_a_trained_space_the_check_is_silent(server):
    assert check_space(None) == []


def test_the_command_trains_the_space_and_indexes_the_pages(oree, unfitted):
    skill = oree.learn(order_scan())
    said = StringIO()
    call_command("fit_embeddings", texts=1000, stdout=said)
    assert "texts to read, about" in said.getvalue()
    assert "1 pages indexed" in said.getvalue()
    assert all(name.startswith("hashed-letters-1/") for name in spaces_of(skill))
    assert stale_indexes() == []
    assert check_space(None) == []
    unfitted.received.clear()
    said = StringIO()
    call_command("fit_embeddings", texts=1000, stdout=said)
    assert f"{MODEL}: 0 of " in said.getvalue()
    assert unfitted.received == []


def test_what_a_model_read_before_another_took_its_name_is_read_again(oree, server, fitted):
    skill = oree.learn(order_scan())
    other = oree.learn()
    SkillVectors.objects.filter(page_skill=other).update(model="text-embedding-3-small")
    vectors_forget(model=MODEL)
    assert stale_indexes() == [skill.pk]
    as_a_new_process(*fitted)
    index_renew(skill_id=skill.pk)
    assert "numéro de suivi du transporteur" in server.read
    assert stale_indexes() == []


def test_the_command_says_when_no_server_is_set():
    with pytest.raises(CommandError, match="EMBEDDINGS_BASE_URL"):
        call_command("fit_embeddings")


def test_reading_again_forgets_nothing_when_the_server_is_gone(oree, server):
    skill = oree.learn(order_scan())
    before = spaces_of(skill)
    server.fail_with(401)
    with pytest.raises(CommandError, match="provider_denied"):
        call_command("fit_embeddings", again=True, stdout=StringIO())
    assert spaces_of(skill) == before
    assert SkillVectors.objects.filter(page_skill=skill).exists()


def test_the_command_says_what_the_server_refuses(unfitted):
    unfitted.fail_with(401)
    with pytest.raises(CommandError, match="provider_denied"):
        call_command("fit_embeddings", texts=1000, stdout=StringIO())
