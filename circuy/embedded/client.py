"""How a process comes to the embedded services: attach to the ones that run, or have them started."""

import contextlib
import fcntl
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from circuy.embedded.children import last_lines
from circuy.embedded.errors import EmbeddedError
from circuy.embedded.places import Places

_PATIENCE_S = 60.0
_ATTEMPTS = 5
_TICK_S = 0.01
_CHECKOUT = Path(__file__).resolve().parent.parent.parent

_claims: dict[Path, int] = {}
_ready: set[Path] = set()
_one_at_a_time = threading.Lock()


def ensure_running(places: Places, *, scratch: bool = False) -> None:
    """Returns once PostgreSQL and Valkey accept connections, and keeps them until this process ends.

    `scratch` is for data that may be lost: faster, and the folder is removed once nobody uses it.
    Processes forked later share the claim. Raises `EmbeddedError` when a service cannot be started.
    """
    if places.data_dir in _ready:
        return
    with _one_at_a_time:
        for _attempt in range(_ATTEMPTS):
            ours = begin(places, scratch=scratch)
            problem = _wait_until_ready(places)
            if problem is None:
                _ready.add(places.data_dir)
                return
            release(places)
            if ours:
                break
            # It was another's keeper, met on its way out: have one started.
        raise EmbeddedError(problem)


def begin(places: Places, *, scratch: bool = False) -> bool:
    """Claims the services and has them started if they are not, without waiting. Returns whether this call did."""
    if places.data_dir in _claims:
        return False
    places.state.mkdir(parents=True, exist_ok=True)
    places.logs.mkdir(parents=True, exist_ok=True)
    claim = os.open(places.state / "users.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(claim, fcntl.LOCK_SH)
        with _locked(places.state / "start.lock"):
            ours = not keeper_is_alive(places)
            if ours:
                _start_keeper(places, scratch=scratch)
    except BaseException:
        os.close(claim)
        raise
    _claims[places.data_dir] = claim
    return ours


def release(places: Places) -> None:
    """Gives up this process's claim; the services stop if it was the last. For tests and orderly ends."""
    _ready.discard(places.data_dir)
    claim = _claims.pop(places.data_dir, None)
    if claim is not None:
        os.close(claim)


def keeper_is_alive(places: Places) -> bool:
    """Whether a keeper holds its lock (the kernel knows; a note on disk may be old)."""
    try:
        lock = os.open(places.state / "keeper.lock", os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def wait_until_keeper_ends(places: Places) -> str:
    """Blocks for as long as the keeper lives; returns why it ended, when it says so."""
    with _locked(places.state / "keeper.lock", fcntl.LOCK_SH):
        return str(_note(places).get("message", ""))


@contextlib.contextmanager
def _locked(path: Path, kind: int = fcntl.LOCK_EX) -> Iterator[None]:
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, kind)
        yield
    finally:
        os.close(lock)


def _note(places: Places) -> dict[str, object]:
    try:
        note = json.loads((places.state / "keeper.json").read_text())
    except (OSError, ValueError):
        return {}
    return note if isinstance(note, dict) else {}


def _start_keeper(places: Places, *, scratch: bool) -> None:
    (places.state / "keeper.json").unlink(missing_ok=True)
    command = [sys.executable, "-m", "circuy.embedded.keeper", str(places.data_dir)]
    with (places.logs / "keeper.log").open("wb") as log:
        keeper = subprocess.Popen(  # noqa: S603
            [*command, "--scratch"] if scratch else command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=_CHECKOUT,
            start_new_session=True,
        )
    # It holds its lock from its first moments on, or has ended.
    while keeper.poll() is None and not keeper_is_alive(places):
        time.sleep(_TICK_S)
    # It outlives this process when others use the services, and is nobody's to wait for.
    keeper.returncode = 0


def _wait_until_ready(places: Places) -> str | None:
    """None once the services are ready, else why they will not be."""
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        alive = keeper_is_alive(places)
        note = _note(places)
        if note.get("status") == "ready" and alive:
            return None
        if not alive:
            reason = note.get("message") or last_lines(places.logs / "keeper.log")
            return str(reason) or "The embedded services ended while they were starting."
        time.sleep(_TICK_S)
    return f"The embedded services took longer than {_PATIENCE_S:.0f} s to start (see {places.logs})."
