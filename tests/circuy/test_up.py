"""`manage.py up`, run as an operator runs it."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from circuy.settings.environment import BASE_DIR

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

PATIENCE_S = 60.0
CHILDREN = {"circuy-web", "circuy-question", "circuy-learning", "circuy-clock"}


class Up:
    """A run of `manage.py up` over its own folder, on a port that was free."""

    def __init__(self, folder: Path, port: int | None = None) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.log = folder / "up.log"
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "circuy.settings", "CIRCUY_DATA_DIR": str(folder)}
        environment |= {"LANG": "en_GB.UTF-8", "LC_ALL": ""}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up", "--no-demo", "--port", str(self.port), "--workers", "1"],
                cwd=BASE_DIR,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    @property
    def said(self) -> str:
        return self.log.read_text()

    def until_ready(self) -> "Up":
        wait_until(lambda: "Ready in" in self.said or self.process.poll() is not None)
        assert self.process.poll() is None, self.said
        return self

    def end(self, sig: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(sig)
        return self.process.wait(PATIENCE_S)

    def processes(self) -> dict[str, list[int]]:
        """Everything that belongs to this run's folder, by name: supervisor, children, keeper, servers."""
        found: dict[str, list[int]] = {}
        mark = f"CIRCUY_DATA_DIR={self.folder}".encode()
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                # Valkey writes over its environment; it works in the folder, like PostgreSQL.
                inside = (entry / "cwd").readlink().is_relative_to(self.folder)
                if inside or mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.setdefault((entry / "comm").read_text().strip(), []).append(int(entry.name))
            except OSError:
                continue
        return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: "object", seconds: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.05)


@pytest.fixture
def folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="circuy-up-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def used_folder() -> Iterator[Path]:
    """One folder for all runs: each start also shows that the last one, however it ended, left it usable."""
    folder = Path(tempfile.mkdtemp(prefix="circuy-up-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def up(used_folder: Path) -> Iterator[Up]:
    run = Up(used_folder).until_ready()
    yield run
    if run.process.poll() is None:
        run.end()
    wait_until(lambda: not run.processes(), 15)


def test_it_serves_until_ctrl_c_and_leaves_nothing_behind(up: Up) -> None:
    assert set(up.processes()) >= CHILDREN | {"postgres", "valkey-server"}
    with urllib.request.urlopen(f"http://127.0.0.1:{up.port}/readyz", timeout=5) as answer:
        assert answer.status == 200
    assert f"http://127.0.0.1:{up.port}/admin/" in up.said
    assert up.end(signal.SIGINT) == 0
    wait_until(lambda: not up.processes(), 15)
    assert "Traceback" not in up.said


def test_a_second_one_in_the_same_folder_is_told_who_runs(up: Up) -> None:
    second = subprocess.run(
        [sys.executable, "manage.py", "up", "--port", str(free_port())],
        cwd=BASE_DIR,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "circuy.settings",
            "CIRCUY_DATA_DIR": str(up.folder),
            "LANG": "en",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 2
    assert second.stderr == (
        f"circuy: Circuy already runs in this folder (process {up.process.pid}): "
        "stop it first, or set CIRCUY_DATA_DIR.\n"
    )
    assert up.process.poll() is None


@pytest.mark.parametrize(
    ("victim", "said"),
    [
        ("circuy-learning", "“learning” ended by itself (signal SIGKILL). Everything stops."),
        ("circuy-web", "“web” ended by itself"),
        ("valkey-server", "Valkey ended unexpectedly (code -9). Everything stops."),
    ],
)
def test_when_one_ends_all_end_and_it_is_said_which(up: Up, victim: str, said: str) -> None:
    os.kill(min(up.processes()[victim]), signal.SIGKILL)
    assert up.process.wait(PATIENCE_S) == 1
    assert said in up.said
    wait_until(lambda: not up.processes(), 15)


def test_after_a_kill_9_nothing_lingers_and_the_next_start_recovers(up: Up) -> None:
    up.process.kill()
    up.process.wait()
    again = Up(up.folder, up.port).until_ready()  # at once, on the same port
    assert set(again.processes()) >= CHILDREN
    assert len(again.processes()["circuy-clock"]) == 1, "the killed run's children have ended"
    seconds = re.search(r"Ready in ([\d.]+) s", again.said)
    assert seconds is not None
    assert again.end(signal.SIGTERM) == 0


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("DATABASE_URL", "postgresql://circuy:hush@127.0.0.1:1/circuy"),
        ("DATABASE_URL", "postgresql://circuy:hush@127.0.0.1:1/circuy?no_such_option=1"),
        ("REDIS_URL", "redis://127.0.0.1:1/0"),
    ],
)
def test_a_server_that_does_not_answer_is_named_with_the_reason(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, url: str
) -> None:
    monkeypatch.setenv(name, url)
    run = Up(folder)
    assert run.process.wait(PATIENCE_S) == 2
    assert run.said.startswith(f"circuy: The server of {name} does not answer: ")
    assert run.said.count("\n") == 1
    assert "refused" in run.said or "no_such_option" in run.said
    assert "hush" not in run.said


def test_a_taken_port_is_said_before_anything_starts(folder: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        run = Up(folder, port)
        assert run.process.wait(PATIENCE_S) == 2
    assert run.said == (
        f"circuy: Port {port} on 127.0.0.1 is taken by another program: choose another with --port (or WEB_PORT).\n"
    )
    assert not (folder / "postgres").exists()
