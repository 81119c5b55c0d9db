"""One of two web processes is killed in the middle of a recording."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.browser.chromium import free_port
from tests.shadow.showing import MACHINE, ORDER, SESSION, event, presence, target

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the servers end with their process group")

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120
WEB = "from circuy.supervisor.programs import _web; import django; django.setup(); _web()"
SEED = """
from organizations.keys import sdk_key_create
from organizations.models import Organization, SdkKey
own = Organization.objects.create(name="Oree", slug="oree")
print("KEY", sdk_key_create(organization=own, actor=None, name="s", kind=SdkKey.Kind.SECRET)[1])
"""


class Web:
    """A web process of its own; all of them work on the same database."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        with (folder / f"web-{self.port}.log").open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", WEB],
                cwd=ROOT,
                env={**environment(folder), "WEB_PORT": str(self.port), "WEB_WORKERS": "1"},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def until_ready(self) -> Web:
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE_S and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5):
                    return self
            except OSError:
                time.sleep(0.2)
        pytest.fail("a web process did not come up")

    def end(self, how: signal.Signals) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, how)
        self.process.wait(timeout=30)


def environment(folder: Path) -> dict[str, str]:
    own = {"CIRCUY_DATA_DIR": str(folder / "data"), "DJANGO_SETTINGS_MODULE": "circuy.settings", "DEMO": "false"}
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ENCRYPTION_KEYS")
    }
    return {**kept, **own}


def manage(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("two")


@pytest.fixture(scope="module")
def webs(folder: Path) -> Iterator[tuple[Web, Web]]:
    manage(folder, "migrate", "--verbosity", "0")
    both = (Web(folder), Web(folder))
    try:
        for web in both:
            web.until_ready()
        yield both
    finally:
        for web in both:
            web.end(signal.SIGTERM)


class Client:
    """A browser that sends until somebody says that it was kept, to whichever process answers."""

    def __init__(self, webs: tuple[Web, Web], key: str) -> None:
        self.ports = [web.port for web in webs]
        self.key = key
        self.tries = 0

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        for _attempt in range(10):
            self.tries += 1
            port = self.ports[self.tries % len(self.ports)]
            try:
                return self._call(port, path, body)
            except urllib.error.HTTPError:
                raise
            except OSError:
                continue
        pytest.fail("nobody answered")

    def get(self, port: int, path: str) -> dict[str, Any]:
        return self._call(port, path, None)

    def _call(self, port: int, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/{path}", data, headers)
        with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310
            said: dict[str, Any] = json.load(answer)
            return said


def test_nothing_is_lost_and_the_order_is_kept(folder: Path, webs: tuple[Web, Web]) -> None:
    key = manage(folder, "shell", "-c", SEED).split("KEY ", 1)[1].split()[0]
    client = Client(webs, key)
    own = {"session_id": SESSION}
    traced = {**own, "machine_id": MACHINE}
    client.post("traces/stream/event", {**traced, "event": presence()})
    assert client.post("shadow/start", own)["already"] is False
    pressed = [
        event(place, "click", ORDER, target=target("button", f"Bouton {place}", f"#b{place}")) for place in range(1, 61)
    ]
    # One batch overtakes the other, as batches do that go to two processes.
    batches = [pressed[place : place + 3] for place in range(0, 60, 3)]
    for place in range(0, len(batches), 2):
        if place == 10:
            webs[0].end(signal.SIGKILL)
        for batch in (batches[place + 1], batches[place]):
            client.post("traces/stream/event", {**traced, "events": batch})
    assert client.tries > len(batches) + 2, "the killed process was called again"
    understood = client.get(webs[1].port, f"shadow/{SESSION}/understanding")
    assert understood["recording"] is True
    assert client.post("shadow/start", own)["already"] is True
    stopped = client.post("shadow/stop", own)
    assert [step["intent"] for step in stopped["understanding"]] == [f"Cliquer sur Bouton {n}" for n in range(1, 61)]
