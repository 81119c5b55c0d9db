"""Léa's conversation from end to end: what she says, what the server is told, and what is remembered."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import shadow.conversation
from shadow.conversation.lea import reply
from shadow.conversation.over_http import HttpGateway
from shadow.conversation.sentences import Locale
from shadow.conversation.talk import Memory, Place, Reply, Talk
from tests.fakes.streaming_server import TOKEN, FakeStreamingServer

SHOWN = ("Ouvrir la commande", "Saisir le montant", "Choisir le motif", "Confirmer")


@pytest.fixture
def server() -> Iterator[FakeStreamingServer]:
    fake = FakeStreamingServer()
    fake.shows(*SHOWN)
    yield fake
    fake.close()


class Dom:
    """Somebody who talks to Léa. What she remembers goes through JSON between two sentences."""

    def __init__(self, url: str, token: str = TOKEN, *, locale: Locale = "fr", place: Place | None = None) -> None:
        self.gateway = HttpGateway(url, token, timeouts={"start": 0.3, "stop": 0.3, "resolve": 0.3, "feedback": 0.3})
        self.memory = Memory(locale=locale)
        self.place = place or Place()

    def says(self, text: str) -> Reply:
        self.memory = Memory.from_json(self.memory.to_json())
        return reply(Talk(self.gateway, self.memory, self.place), text)

    def shows_all(self) -> Reply:
        self.says("Léa, observe ce que je fais")
        return self.says("c'est fini")


@pytest.fixture
def dom(server: FakeStreamingServer) -> Dom:
    return Dom(server.base_url)


def intents(server: FakeStreamingServer) -> list[str]:
    return [step["intent"] for step in server.steps]


def test_the_whole_story_of_the_specification(server, dom):
    assert dom.says("Léa, observe ce que je fais").text == "J'observe. Fais ta tâche."
    listed = dom.says("Léa, c'est fini")
    assert listed.text.splitlines() == [
        "J'ai observé 4 étapes :",
        "1. Ouvrir la commande (confiance 0,8)",
        "2. Saisir le montant (confiance 0,8)",
        "3. Choisir le motif (confiance 0,8)",
        "4. Confirmer (confiance 0,8)",
        "C'est correct ?",
    ]
    again = dom.says("L'étape 2, c'est 'Rechercher X'")
    assert "2. Rechercher X ✓" in again.text
    assert again.text.endswith("Et là, c'est bon ?")
    dom.says("supprime l'étape 3")
    assert intents(server) == ["Ouvrir la commande", "Rechercher X", "Confirmer"]
    asked = dom.says("oui")
    assert asked.state == "naming"
    assert "« Confirmer »" in asked.text
    learnt = dom.says("Rembourser une commande")
    assert learnt.text == "Tâche apprise et sauvegardée."
    assert learnt.state == "persisted"
    assert server.persisted == [
        {
            "workflow_ir": {
                "name": "Rembourser une commande",
                "steps": ["Ouvrir la commande", "Rechercher X", "Confirmer"],
            },
            "machine_id": "DESKTOP-1",
        }
    ]


def test_the_same_in_english(server, dom):
    dom.memory.locale = "en"
    assert dom.says("watch what I do").text == "I am watching. Do your task."
    assert "1. Ouvrir la commande (confidence 0.8)" in dom.says("I'm done").text
    dom.says("merge 1 and 2")
    dom.says("all good")
    assert dom.says('call it "Refund an order"').text == "Task learnt and saved."


def test_neighbours_are_merged_and_others_are_not(server, dom):
    dom.shows_all()
    assert "ne se suivent pas" in dom.says("fusionne 2 et 4").text
    assert len(server.steps) == 4
    dom.says("fusionne les étapes 2, 3 et 4")
    assert intents(server) == ["Ouvrir la commande", "Saisir le montant puis Choisir le motif puis Confirmer"]
    dom.says("annule la dernière modification")
    assert len(server.steps) == 4
    assert "pas de modification" in dom.says("annule la dernière modification").text


def test_a_step_is_split_after_what_its_words_name(server, dom):
    dom.shows_all()
    dom.says("coupe l'étape 1 après le clic sur Ouvrir la commande")
    assert intents(server)[:2] == ["Cliquer sur Ouvrir la commande", "Saisir « 1 »"]
    dom.says("annule ça")
    assert len(server.steps) == 4
    asked = dom.says("coupe l'étape 2 après « Fromage »")
    assert "Je ne vois pas « Fromage »" in asked.text
    assert "1. Cliquer sur Saisir le montant" in asked.text
    assert len(dom.says("après le 1").steps or ()) == 5
    assert "ne peux pas la couper" in dom.says("coupe l'étape 2").text


def test_numbers_out_of_range_change_nothing(server, dom):
    dom.shows_all()
    for said in (
        "supprime l'étape 9",
        "l'étape 0, c'est « X »",
        "fusionne 4 et 5",
        "valide l'étape 12",
        "coupe l'étape 7",
    ):
        assert "elles vont de 1 à 4" in dom.says(said).text or "pas d'étape" in dom.says(said).text
    assert intents(server) == list(SHOWN)
    assert all(step["state"] == "proposed" for step in server.steps)


def test_what_is_wrong_is_asked_for_and_the_answer_taken(server, dom):
    dom.shows_all()
    assert dom.says("oui mais l'étape 2…").text == "Qu'est-ce que l'étape 2, alors ?"
    dom.says("Rechercher la commande")
    assert intents(server)[1] == "Rechercher la commande"
    dom.says("non, c'est « Chercher »")
    assert intents(server)[1] == "Chercher"


def test_all_but_one_are_validated(server, dom):
    dom.shows_all()
    assert dom.says("tout est bon sauf l'étape 2").text == "Qu'est-ce que l'étape 2, alors ?"
    assert [step["state"] for step in server.steps] == ["validated", "proposed", "validated", "validated"]


def test_nothing_is_built_before_anything_was_validated(server, dom):
    dom.shows_all()
    said = dom.says("enregistre").text
    assert "Impossible de construire le workflow — aucune étape n'a été validée." in said
    dom.says("l'étape 1 est bonne")
    assert "2, 3, 4" in dom.says("enregistre").text
    assert server.persisted == []


def test_a_doubtful_sentence_is_asked_back_and_yes_stands_for_it(server, dom):
    dom.says("observe ce que je fais")
    assert dom.says("c'est fini pour aujourd'hui ?").text == "As-tu fini de me montrer la tâche ?"
    assert server.recording
    dom.says("non")
    assert server.recording
    dom.says("c'est fini ?")
    assert dom.says("oui").state == "reviewing"
    assert not server.recording


def test_what_is_forbidden_is_not_done(server, dom):
    assert dom.says("n'observe pas").text == "D'accord, je ne fais rien."
    assert not server.recording
    dom.shows_all()
    dom.says("ne supprime pas l'étape 3")
    dom.says("n'enregistre pas")
    assert intents(server) == list(SHOWN)


def test_cancelling_forgets_the_demonstration(server, dom):
    dom.shows_all()
    assert dom.says("annule").state == "reviewing"
    assert not server.cancelled
    assert dom.says("annule tout").state == "cancelled"
    assert server.cancelled
    assert "pas de démonstration en cours" in dom.says("supprime l'étape 1").text


def test_teaching_is_proposed_and_its_name_kept(server, dom):
    asked = dom.says("apprends-moi à rembourser une commande")
    assert asked.state == "proposing"
    assert not server.recording
    assert "« rembourser une commande »" in dom.says("oui").text
    dom.says("c'est fini")
    dom.says("oui")
    assert server.persisted[0]["workflow_ir"]["name"] == "rembourser une commande"


def test_among_several_machines_one_is_asked_for(server, dom):
    server.machines.append({"machine_id": "LAPTOP-2", "name": "Portable de Claire"})
    asked = dom.says("observe ce que je fais")
    assert asked.state == "choosing_machine"
    assert asked.choices == ("Poste de Dom", "Portable de Claire")
    assert dom.says("le troisième").state == "choosing_machine"
    assert dom.says("portable").state == "observing"
    assert any("machine_id=LAPTOP-2" in one.path for one in server.received)


def test_the_tab_that_is_talked_in_is_the_one_observed(server):
    dom = Dom(server.base_url, place=Place("sess_1", "DESKTOP-1"))
    server.machines = []
    assert dom.says("observe ce que je fais").state == "observing"


def test_without_anything_done_yet_there_is_nothing_to_observe(server, dom):
    nothing = "Je ne trouve pas de session active. Commence par faire une action pour que je puisse observer."
    server.sessions[0]["finalized"] = True
    assert dom.says("observe ce que je fais").text == nothing
    server.machines = []
    assert dom.says("observe ce que je fais").text == nothing


def test_observing_twice_and_stopping_without_observing_are_told(server, dom):
    assert dom.says("c'est fini").text == "Je n'étais pas en mode observation."
    dom.says("observe ce que je fais")
    assert dom.says("observe ce que je fais").text == "J'observe déjà cette session."


def test_what_was_begun_elsewhere_can_be_ended_here(server, dom):
    server.recording = True
    server.sessions[0]["recording"] = True
    assert dom.says("c'est fini").state == "reviewing"


def test_values_that_change_are_confirmed(server, dom):
    server.steps[1]["parameter"] = {"name": "montant", "example": "12,50"}
    server.steps[2]["parameter"] = {"name": "motif", "example": "abîmé"}
    dom.shows_all()
    dom.says("appelle-la « Rembourser »")
    asked = dom.says("oui")
    assert asked.state == "confirming"
    assert "- montant (ici « 12,50 »)" in asked.text
    assert "Je ne trouve pas" in dom.says("le fromage change à chaque fois").text
    assert dom.says("le montant change à chaque fois").text.startswith("C'est noté : montant change")
    dom.says("oui")
    built = next(one for one in server.received if one.path.endswith("/build"))
    assert b'"step":2,"confirmed":true' in built.body.replace(b" ", b"")
    assert b'"step":3,"confirmed":false' in built.body.replace(b" ", b"")


def test_what_could_not_be_saved_is_saved_when_told_again(server, dom):
    dom.shows_all()
    dom.says("appelle-la « Rembourser »")
    server.broken.add("/api/v1/lea/competences/candidate/persist")
    told = dom.says("oui")
    assert told.state == "built"
    assert "Le serveur a eu un problème" in told.text
    server.broken.clear()
    assert dom.says("oui").text == "Tâche apprise et sauvegardée."
    assert len(server.persisted) == 1


FAULTS = [
    (401, b"{}", "Problème d'authentification — le token API est invalide."),
    (404, b"{}", "Je ne trouve pas de session active. Commence par faire une action pour que je puisse observer."),
    (500, b"oops", "Le serveur a eu un problème. Réessaie dans un instant."),
    (200, b"{not json", "Le serveur a eu un problème. Réessaie dans un instant."),
    (0, b"", "Je n'arrive pas à joindre le serveur de streaming. Vérifie qu'il tourne (port 5005)."),
]


@pytest.mark.parametrize(("status", "body", "sentence"), FAULTS)
def test_every_fault_has_its_sentence_and_the_conversation_stays_where_it_was(server, dom, status, body, sentence):
    server.fail_with(status, body=body)
    told = dom.says("observe ce que je fais")
    assert told.text == sentence
    assert told.state == "idle"
    assert dom.says("observe ce que je fais").state == "observing"


def test_a_server_that_does_not_run_and_one_that_is_late_are_told_apart(server, dom):
    server.slow = 0.6
    assert dom.says("observe ce que je fais").text == "Le serveur met trop de temps à répondre. Réessaie."
    gone = Dom("http://127.0.0.1:9")
    assert gone.says("observe").text.startswith("Je n'arrive pas à joindre le serveur de streaming.")


def test_a_wrong_token_is_told(server):
    assert "le token API est invalide" in Dom(server.base_url, "sk_faux").says("observe ce que je fais").text


def test_both_languages_say_the_same_things() -> None:
    path = Path(shadow.conversation.__file__).parent / "sentences.toml"
    for key, said in tomllib.loads(path.read_text(encoding="utf-8")).items():
        parts = [sorted(set(re.findall(r"\{(\w+)\}", said[locale]))) for locale in ("fr", "en")]
        assert parts[0] == parts[1], key
