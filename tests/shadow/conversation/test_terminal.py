"""`manage.py lea`, as somebody without a database runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.fakes.streaming_server import TOKEN, FakeStreamingServer
from tests.running_stack import ROOT


@pytest.fixture
def server() -> Iterator[FakeStreamingServer]:
    fake = FakeStreamingServer()
    fake.shows("Ouvrir le Bloc-notes", "Saisir du texte")
    yield fake
    fake.close()


def lea(server: FakeStreamingServer, *arguments: str, said: str = "", token: str = TOKEN) -> str:
    # A database that nobody answers for: who asks it fails.
    own = {
        "RPA_STREAMING_URL": server.base_url,
        "RPA_API_TOKEN": token,
        "LANG": "fr_FR.UTF-8",
        "DATABASE_URL": "postgres://nobody@127.0.0.1:9/none",
        "REDIS_URL": "redis://127.0.0.1:9/0",
        "DJANGO_SETTINGS_MODULE": "circuy.settings",
    }
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
    done = subprocess.run(
        [sys.executable, "manage.py", "lea", *arguments],
        cwd=ROOT,
        env={**environment, **own},
        input=said,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_demonstration_is_talked_through_in_the_terminal(server):
    told = lea(server, said="observe ce que je fais\nc'est fini\nsupprime l'étape 2\noui\nouvrir\nquit\n")
    assert "J'observe. Fais ta tâche." in told
    assert "1. Ouvrir le Bloc-notes (confiance 0,8)\n2. Saisir du texte (confiance 0,8)\nC'est correct ?" in told
    assert "Tâche apprise et sauvegardée." in told
    assert server.persisted[0]["workflow_ir"]["name"] == "ouvrir"


def test_a_script_says_single_sentences(server):
    server.machines.append({"machine_id": "LAPTOP-2", "name": "Portable"})
    once = ("--once", "watch what I do", "--once", "stop", "--machine", "LAPTOP-2", "--locale", "en")
    assert lea(server, *once).splitlines()[:2] == ["I am watching. Do your task.", "I saw 2 steps:"]
    assert "jeton" not in lea(server, "--once", "observe", token="faux")
    assert "le token API est invalide" in lea(server, "--once", "observe", token="faux")
