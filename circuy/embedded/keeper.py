"""The keeper: the one process that owns a data folder's PostgreSQL and Valkey.

Who needs the services holds a shared lock on `run/users.lock` for as long as it lives; the kernel drops it however
that process ends. The keeper waits for the exclusive lock, which it gets when the last one is gone, then stops both
servers and ends. It holds `run/keeper.lock` all its life, so there is never a second one.
Run by `client.ensure_running`: `python -m circuy.embedded.keeper FOLDER [--scratch]`.
"""

import argparse
import contextlib
import fcntl
import json
import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType

from circuy.embedded.errors import EmbeddedError
from circuy.embedded.identity import give
from circuy.embedded.places import Places, places_of
from circuy.embedded.postgres import Postgres
from circuy.embedded.valkey import Valkey

_CHECK_EVERY_S = 0.2


def write_note(places: Places, **note: object) -> None:
    """Leaves the keeper's state for its clients, whole or not at all."""
    draft = places.state / f"keeper.json.{os.getpid()}"
    draft.write_text(json.dumps(note))
    draft.rename(places.state / "keeper.json")


def keep(places: Places, *, durable: bool) -> int:
    """Runs both servers until nobody uses them. Returns the exit code: 1 when one did not start or ended early."""
    stopping = threading.Event()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        stopping.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    give(places.sockets)
    servers = (Postgres(places, durable=durable), Valkey(places))
    try:
        for server in servers:
            server.launch()
        for server in servers:
            server.wait_until_ready()
    except EmbeddedError as error:
        _stop(servers)
        write_note(places, status="failed", message=str(error))
        return 1
    write_note(places, status="ready", pid=os.getpid())
    unused = _when_unused(places)
    while not stopping.is_set() and not unused.is_set():
        for server in servers:
            code = server.process.poll() if server.process else None
            if code is not None:
                _stop(servers)
                write_note(places, status="failed", message=f"{server.name} ended unexpectedly (code {code}).")
                return 1
        unused.wait(_CHECK_EVERY_S)
    _stop(servers)
    (places.state / "keeper.json").unlink(missing_ok=True)
    return 0


def _stop(servers: tuple[Postgres, Valkey]) -> None:
    for server in reversed(servers):
        server.stop()


def _when_unused(places: Places) -> threading.Event:
    """Set once no process holds the users' lock any more; newcomers then wait until this keeper has ended."""
    unused = threading.Event()
    users = os.open(places.state / "users.lock", os.O_RDWR | os.O_CREAT, 0o600)

    def wait() -> None:
        fcntl.flock(users, fcntl.LOCK_EX)
        unused.set()

    threading.Thread(target=wait, daemon=True).start()
    return unused


def _only_keeper(places: Places) -> bool:
    """Takes the keeper's lock for the rest of the process's life, or says that another keeper has it."""
    lock = os.open(places.state / "keeper.lock", os.O_RDWR | os.O_CREAT, 0o600)
    for _attempt in range(10):  # a client may be looking at the lock for a moment
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        time.sleep(0.05)
    return False


def main(arguments: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scratch", action="store_true", help="fast, not power-loss safe; removes FOLDER at the end")
    options = parser.parse_args(arguments)
    places = places_of(options.folder)
    for folder in (places.state, places.logs):
        folder.mkdir(parents=True, exist_ok=True)
    if not _only_keeper(places):
        return 0
    code = keep(places, durable=not options.scratch)
    if options.scratch and code == 0:
        for folder in {places.data_dir, places.sockets}:
            shutil.rmtree(folder, ignore_errors=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
