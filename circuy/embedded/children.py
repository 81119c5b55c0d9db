"""Child processes that never outlive the process that started them."""

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(sig: signal.Signals = signal.SIGTERM) -> Callable[[], None]:
    """A `preexec_fn`: on Linux the kernel sends `sig` to the child when its parent ends, even by kill -9."""
    parent = os.getpid()

    def arrange() -> None:
        if _libc is not None:
            _libc.prctl(_PR_SET_PDEATHSIG, sig)
            if os.getppid() != parent:  # it ended before the line above
                os._exit(1)

    return arrange


def name_process(name: str) -> None:
    """The name that `top` and `pgrep` show (15 characters at most; Linux only)."""
    if _libc is not None:
        _libc.prctl(_PR_SET_NAME, name.encode()[:15])


def end(process: subprocess.Popen[bytes], sig: signal.Signals, *, patience_s: float) -> None:
    """Ends a child with `sig`, and with SIGKILL to its whole group when it takes longer than `patience_s`."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(sig)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience_s)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)  # what is left of the group, if anything
    process.wait()


def answers(unix_socket: Path) -> bool:
    """Whether something listens on a Unix socket (a file left behind by a killed server does not answer)."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(unix_socket))
        except OSError:
            return False
    return True


def last_lines(log: Path, count: int = 3) -> str:
    """The end of a log, for an error message."""
    try:
        lines = log.read_text(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return " / ".join(lines[-count:])
