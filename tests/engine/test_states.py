"""Boxes with two sides: who wants the opposite of what a box is named after is told to untick it."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from engine.local.lexicon import lexicon
from engine.service import answer_question, plan_intents, propose_skill
from engine.types import EngineConfig, Locale, Page, Scan, ScanNode

LOCAL = EngineConfig()


@pytest.fixture(autouse=True)
def by_words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.local.meaning.current_embedder", lambda: None)


def account(locale: Locale, *labels: str) -> Page:
    boxes = [
        ScanNode(
            id=f"n{n}", tag="input", type="checkbox", role="checkbox", selector=f"#b{n}", label=label, form="Compte"
        )
        for n, label in enumerate(labels)
    ]
    name = ScanNode(id="name", tag="input", type="text", selector="#name", label="Nom", form="Compte")
    save = ScanNode(id="save", tag="button", type="submit", selector="#save", label="Enregistrer", form="Compte")
    skill = propose_skill(Scan("/x", "Compte", (name, *boxes, save), locale, "Compte"), locale=locale, config=LOCAL)
    return Page("Compte", skill.summary, "/x", locale, skill.intents)


FRENCH = account("fr", "Actif", "Visible", "Publié", "Recevoir la newsletter", "Ne pas m'envoyer de SMS")
ENGLISH = account("en", "Active", "Published", "Hidden", "Blocked")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Comment désactiver ce compte ?", "Décochez «\u00a0Actif\u00a0»."),
        ("Comment activer ce compte ?", "Cochez «\u00a0Actif\u00a0»."),
        ("masquer la fiche", "Décochez «\u00a0Visible\u00a0»."),
        ("le rendre visible", "Cochez «\u00a0Visible\u00a0»."),
        ("dépublier", "Décochez «\u00a0Publié\u00a0»."),
        ("je veux plus recevoir la newsletter", "Décochez «\u00a0Recevoir la newsletter\u00a0»."),
        ("ne plus m'envoyer de SMS", "Cochez «\u00a0Ne pas m'envoyer de SMS\u00a0»."),
    ],
)
def test_french_steps_say_which_way_the_box_goes(question: str, text: str) -> None:
    answer = answer_question(question, FRENCH, locale="fr", config=LOCAL)
    assert [step.text for step in answer.steps] == [text]
    assert answer.title == answer.steps[0].title


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("how do i deactivate this account", "Untick “Active”."),
        ("hide it", "Tick “Hidden”."),
        ("unpublish it", "Untick “Published”."),
        ("block this user", "Tick “Blocked”."),
    ],
)
def test_english_steps_say_which_way_the_box_goes(question: str, text: str) -> None:
    answer = answer_question(question, ENGLISH, locale="en", config=LOCAL)
    assert [step.text for step in answer.steps] == [text]


MAILS = account("fr", "Activer les notifications par e-mail", "Recevoir la newsletter")
ENGLISH_MAILS = account("en", "Activate email notifications", "Receive the newsletter")


@pytest.mark.parametrize(
    "question",
    [
        "Je n'arrive pas à activer les notifications par e-mail",
        "Je n’arrive toujours pas à activer les notifications par e-mail",
        "je ne trouve pas où activer les notifications par e-mail",
        "Je ne reçois pas les notifications par e-mail, comment les activer ?",
        "Mon compte n'est pas à jour, comment activer les notifications ?",
        "pourquoi je ne reçois plus la newsletter",
        "n'y a-t-il pas moyen de recevoir la newsletter ?",
    ],
)
def test_who_cannot_get_it_done_is_not_told_to_undo_it(question: str) -> None:
    answer = answer_question(question, MAILS, locale="fr", config=LOCAL)
    assert [step.text.split()[0] for step in answer.steps] == ["Cochez"]
    assert plan_intents(question, MAILS).choices == ()


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("I do not know how to activate email notifications", "Tick “Activate email notifications”."),
        ("why can I not find where to activate email notifications", "Tick “Activate email notifications”."),
        ("I can not activate email notifications", "Tick “Activate email notifications”."),
        ("I don't receive the newsletter", "Tick or untick “Receive the newsletter”."),
    ],
)
def test_who_cannot_get_it_done_in_english_is_not_told_to_undo_it(question: str, text: str) -> None:
    answer = answer_question(question, ENGLISH_MAILS, locale="en", config=LOCAL)
    assert [step.text for step in answer.steps] == [text]


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("Je ne veux plus recevoir la newsletter", "Recevoir la newsletter"),
        ("je ne sais pas comment ne plus recevoir la newsletter", "Recevoir la newsletter"),
        ("je souhaite ne recevoir plus jamais la newsletter", "Recevoir la newsletter"),
        ("la newsletter, je n'en veux plus", "Recevoir la newsletter"),
        ("Je ne souhaite pas activer les notifications par e-mail", "Activer les notifications par e-mail"),
        ("activer les notifications, je n'en veux pas", "Activer les notifications par e-mail"),
        ("je n'arrive pas à désactiver les notifications par e-mail", "Activer les notifications par e-mail"),
    ],
)
def test_who_refuses_is_told_to_untick(question: str, label: str) -> None:
    answer = answer_question(question, MAILS, locale="fr", config=LOCAL)
    assert [step.text for step in answer.steps] == [f"Décochez «\u00a0{label}\u00a0»."]


def test_to_untick_is_another_goal_than_to_tick() -> None:
    off, on = plan_intents("désactiver le compte", FRENCH), plan_intents("activer le compte", FRENCH)
    assert off.intent_ids == on.intent_ids
    assert off.choices != on.choices


def test_a_box_that_nobody_said_which_way_is_left_to_the_asker() -> None:
    answer = answer_question("où est la case actif", FRENCH, locale="fr", config=LOCAL)
    assert [step.text for step in answer.steps] == ["Cochez ou décochez «\u00a0Actif\u00a0»."]


def test_every_concept_of_the_states_is_one_of_the_lexicon() -> None:
    data = tomllib.loads(files("engine.local").joinpath("states.toml").read_text(encoding="utf-8"))
    named = {name for body in data.values() for key in ("ticked", "unticked") for name in body[key].split(", ")}
    assert named - lexicon().concepts.keys() == set()
