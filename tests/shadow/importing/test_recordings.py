"""Recordings of other tools become events; their secrets do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.browser.corpus import CORPUS
from shadow.importing import ImportFileError, read_recordings
from shadow.observer import Event, segment

RECORDINGS = sorted((CORPUS / "recordings").glob("*.*")) if (CORPUS / "recordings").is_dir() else []


def _told(recording) -> list[str]:
    return [step.intent for step in segment([Event.from_wire(event) for event in recording.events])]


@pytest.mark.skipif(not RECORDINGS, reason=f"no recordings at {CORPUS}")
def test_public_recordings_are_read_and_their_passwords_are_not():
    read = [read_recordings(file.read_bytes()) for file in RECORDINGS if file.suffix in (".json", ".side")]
    assert len(read) > 20
    assert sum(len(recording.events) for file in read for recording in file.recordings) > 100
    assert "SuperSecretPassword" not in repr(read)


def _chrome(*steps: dict[str, Any]) -> str:
    return json.dumps({"title": "Rembourser", "steps": list(steps)})


def test_a_chrome_recording_is_understood():
    opened = {"type": "navigation", "url": "https://a.test/commandes/1042?jeton=abc", "title": "Commande"}
    file = read_recordings(
        _chrome(
            {"type": "setViewport", "width": 800, "height": 600},
            {
                "type": "navigate",
                "url": "https://a.test/commandes",
                "assertedEvents": [opened | {"title": "Commandes"}],
            },
            {"type": "click", "selectors": [['aria/1042[role="link"]'], ["#o1042"]], "assertedEvents": [opened]},
            {"type": "change", "selectors": [["aria/Motif"], ["textarea.reason"]], "value": "Abîmé"},
            {"type": "doubleClick", "selectors": ["#refund", ["xpath///html/body/button[2]"]]},
            {"type": "keyDown", "key": "Enter"},
            {"type": "keyUp", "key": "Enter"},
            {"type": "customStep", "name": "x"},
        )
    )
    [recording] = file.recordings
    assert (file.format, recording.title) == ("chrome", "Rembourser")
    assert _told(recording) == [
        "Aller à la page « Commandes »",
        "Cliquer sur 1042",
        "Saisir « Abîmé » dans Motif",
        "Double-cliquer sur refund",
        "Appuyer sur Entrée",
    ]
    assert [(one.step, one.command) for one in recording.unsupported] == [(1, "setViewport"), (8, "customStep")]
    assert "abc" not in repr(recording)
    assert recording.events[-2]["target"]["fallbackSelector"] == "html > body > button:nth-of-type(2)"


def test_secrets_are_left_out_wherever_the_file_repeats_them():
    file = read_recordings(
        json.dumps(
            {
                "url": "https://a.test",
                "tests": [
                    {
                        "name": "Connexion",
                        "commands": [
                            {"command": "open", "target": "/connexion?code=s3cret!"},
                            {"command": "sendKeys", "target": "id=motDePasse", "value": "s3cret!${KEY_ENTER}"},
                            {"command": "type", "target": "name=again", "value": "s3cret!"},
                            {"command": "select", "target": "css=select#lang", "value": "label=Français"},
                            {"command": "uncheck", "target": "xpath=//input[@name='news']"},
                            {"command": "executeScript", "target": "return 1", "value": "x"},
                        ],
                    }
                ],
            }
        ),
        locale="fr",
    )
    [recording] = file.recordings
    assert "s3cret" not in repr(file)
    assert [event["kind"] for event in recording.events] == ["navigate", "fill", "key", "fill", "select", "check"]
    assert [event.get("secret") for event in recording.events if event["kind"] == "fill"] == [True, True]
    assert _told(recording)[-2:] == ["Choisir « Français » dans lang", "Décocher news"]
    assert recording.unsupported[0].reason == "les conditions, boucles, variables et scripts ne sont pas repris"


def test_what_circuy_exports_is_read_back():
    events = [
        {
            "sequence": 7,
            "kind": "fill",
            "at": 50.0,
            "url": "https://a.test/",
            "target": {"name": "Nom"},
            "value": "Ana",
        },
        {"sequence": 9, "kind": "click", "at": 53.0, "url": "https://a.test/", "target": {"name": "Envoyer"}},
    ]
    file = read_recordings(json.dumps({"format": "circuy-demonstration", "title": "Nom", "events": events}))
    assert [(event["sequence"], event["at"]) for event in file.recordings[0].events] == [(0, 0.0), (1, 3.0)]
    workflow = (Path(__file__).parent / "workflow.yaml").read_text(encoding="utf-8")
    read = read_recordings(workflow, base="https://maison-oree.test")
    assert read.format == "workflow"
    assert _told(read.recordings[0]) == [
        "Cliquer sur 1042",
        "Saisir « Abîmé » dans Motif",
        "Remplir Mot de passe (valeur non retenue)",
        "Cliquer sur Rembourser",
    ]


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"\xff\xfe\x00", "not_text", "UTF-8"),
        ('{"steps": [', "not_json", "ligne 1"),
        ("[1, 2]", "unknown_format", "Chrome DevTools"),
        ("a: *b", "unknown_format", "Selenium"),
        ("a: [", "not_yaml", "YAML"),
        ('{"title": "x", "steps": []}', "no_steps", "aucune étape"),
        (_chrome({"type": "close"}, {"kind": "click"}), "bad_step", "L’étape 2 n’a pas la forme attendue : « type »"),
        ('{"tests": [{"name": "x"}]}', "bad_test", "« commands » manque"),
        ('{"steps": [' + "1," * 2_001 + "1]}", "too_many", "2000"),
    ],
)
def test_a_file_that_cannot_be_read_says_what_is_wrong(content, code, said):
    with pytest.raises(ImportFileError) as wrong:
        read_recordings(content)
    assert wrong.value.code == code
    assert said in str(wrong.value)
