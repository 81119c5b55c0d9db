"""All of Circuy in a scratch folder on a free port, for scripts that use it as its users do."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
READY_TIMEOUT_S = 120
# What would make the stack share something with another on this machine.
THEIRS = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ENCRYPTION_KEYS", "DJANGO_SETTINGS_MODULE")


class StackError(Exception):
    """The stack did not become ready; the message ends with its log."""


@dataclass(frozen=True)
class ScratchStack:
    """A running `manage.py up`. ``ready_seconds``: from its start to its being ready."""

    url: str
    log: Path
    environment: dict[str, str]
    ready_seconds: float

    def manage(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a management command against the same data."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            check=False,
        )


@contextmanager
def scratch_stack() -> Iterator[ScratchStack]:
    """Start everything, and end it whatever happens. Raises ``StackError`` when it does not become ready."""
    with tempfile.TemporaryDirectory(prefix="circuy-scratch-") as folder:
        port = _free_port()
        url = f"http://127.0.0.1:{port}"
        kept = {name: value for name, value in os.environ.items() if name not in THEIRS}
        environment = {**kept, "CIRCUY_DATA_DIR": folder, "PUBLIC_URL": url, "LANG": "fr_FR.UTF-8"}
        log = Path(folder) / "up.log"
        began = time.monotonic()
        with log.open("w") as output:
            process = subprocess.Popen(
                [sys.executable, "manage.py", "up", "--port", str(port)],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            _wait_until_ready(process, log)
            yield ScratchStack(url, log, environment, round(time.monotonic() - began, 2))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_ready(process: subprocess.Popen[bytes], log: Path) -> None:
    began = time.monotonic()
    while time.monotonic() - began < READY_TIMEOUT_S:
        if "Ctrl-C" in log.read_text():
            return
        if process.poll() is not None:
            raise StackError(f"manage.py up ended with {process.returncode}:\n{log.read_text()[-4000:]}")
        time.sleep(0.05)
    raise StackError(f"manage.py up was not ready within {READY_TIMEOUT_S} s:\n{log.read_text()[-4000:]}")
