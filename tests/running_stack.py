"""The whole of Circuy, running as a user runs it: anew for each file of tests that asks for it."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.browser.chromium import free_port
from tests.fakes.slack_server import FakeSlack

ROOT = Path(__file__).resolve().parent.parent
START_TIMEOUT_S = 120


@dataclass(frozen=True)
class Stack:
    """A running `manage.py up`."""

    url: str
    log: Path
    environment: dict[str, str]

    def manage(self, *arguments: str) -> str:
        """Run a management command against the same data, and return what it printed."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def slack() -> Iterator[FakeSlack]:
    """A server that speaks Slack's web API."""
    server = FakeSlack()
    yield server
    server.close()


@pytest.fixture(scope="session")
def first_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder as a first start leaves it, made once for all who run these tests together, and copied by each."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    data = shared / "first-data"
    with (shared / "first-data.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not data.exists():
            making = shared / "first-start"
            making.mkdir()
            with started(making, {}):
                pass
            shutil.rmtree(making / "data" / "run")
            (making / "data").rename(data)
    return data


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory, first_data: Path, slack: FakeSlack) -> Iterator[Stack]:
    """Start everything in a scratch folder on a free port; end it with SIGTERM and check that it ends."""
    folder = tmp_path_factory.mktemp("stack")
    # Not with Python's own: the database's files belong to somebody else where this runs as root.
    subprocess.run(["cp", "-a", first_data, folder / "data"], check=True)
    # A slow model is given up soon enough for a test; the address of Slack is the fake's.
    with started(folder, {"ENGINE_TIMEOUT_S": "3", "SLACK_API_URL": slack.base_url}) as running:
        yield running


@contextmanager
def started(folder: Path, settings: dict[str, str]) -> Iterator[Stack]:
    """Run `manage.py up` on a free port with its data in ``folder``."""
    port, log = free_port(), folder / "up.log"
    own = {"CIRCUY_DATA_DIR": str(folder / "data"), "DJANGO_SETTINGS_MODULE": "circuy.settings", "LANG": "fr_FR.UTF-8"}
    environment = {**os.environ, **own, **settings, "PUBLIC_URL": f"http://127.0.0.1:{port}"}
    for name in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ENCRYPTION_KEYS"):
        environment.pop(name, None)
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    running = Stack(f"http://127.0.0.1:{port}", log, environment)
    try:
        wait_until_ready(running, process)
        yield running
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def wait_until_ready(stack: Stack, process: subprocess.Popen[bytes]) -> None:
    began = time.monotonic()
    while time.monotonic() - began < START_TIMEOUT_S:
        if process.poll() is not None:
            pytest.fail(f"manage.py up ended with {process.returncode}:\n{stack.log.read_text()}")
        if "Ctrl-C" in stack.log.read_text():
            return
        time.sleep(0.1)
    pytest.fail(f"manage.py up was not ready in {START_TIMEOUT_S} s:\n{stack.log.read_text()}")
