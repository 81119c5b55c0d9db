"""The processes `up` runs.

They are forked from the supervisor once Django is loaded, which each of them would otherwise do again (a second and
a half of processor time apiece), and before it has threads or connections. They wait at a gate until the database is
ready.
"""

import contextlib
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from circuy.embedded.children import die_with_parent, name_process


@dataclass(frozen=True)
class Program:
    """What a child runs. A child that `announces` says when it can take work (see `circuy.celery`)."""

    name: str
    run: Callable[[], None]
    announces: bool = False


# The supervisor's ends of the pipes to children forked so far: no later child may keep them open.
_supervisors_ends: list[int] = []


class Child:
    """A forked program: its output goes line by line to `write`, and it ends with the supervisor."""

    def __init__(self, program: Program) -> None:
        """Forks; the child waits until `open_gate`. Must come before the first thread of this process."""
        self.program = program
        self.ready = threading.Event()
        self._code: int | None = None
        gate, self._gate = os.pipe()
        self._output, output = os.pipe()
        self._announcement, announce = os.pipe()
        arrange = die_with_parent()
        self._pid = os.fork()
        if self._pid == 0:
            for theirs in (*_supervisors_ends, self._gate, self._output, self._announcement):
                os.close(theirs)
            _become(program, arrange, gate, output, announce)
        for its in (gate, output, announce):
            os.close(its)
        _supervisors_ends.extend((self._gate, self._output, self._announcement))

    def open_gate(self, write: Callable[[str, str], None]) -> None:
        """Lets the child run, and copies what it says from now on."""
        _in_background(self._copy, write)
        if self.program.announces:
            _in_background(self._hear)
        with contextlib.suppress(BrokenPipeError):  # it has ended already; `exit_code` tells
            os.write(self._gate, b"1")
        os.close(self._gate)

    @property
    def exit_code(self) -> int | None:
        """None while it runs; a negative number is the signal that ended it."""
        if self._code is None:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
        return self._code

    def ask_to_end(self) -> None:
        """Tells it to end in order; see `end`."""
        if self.exit_code is None:
            os.kill(self._pid, signal.SIGTERM)

    def end(self, patience_s: float) -> None:
        """Returns once it and everything it started have ended, by force after `patience_s`."""
        deadline = time.monotonic() + patience_s
        while self.exit_code is None and time.monotonic() < deadline:
            time.sleep(0.02)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        while self.exit_code is None:
            time.sleep(0.01)

    def _copy(self, write: Callable[[str, str], None]) -> None:
        with os.fdopen(self._output, "r", errors="replace") as lines:
            for line in lines:
                write(self.program.name, line.rstrip())

    def _hear(self) -> None:
        if os.read(self._announcement, 1):
            self.ready.set()
        os.close(self._announcement)


def _become(program: Program, arrange: Callable[[], None], gate: int, output: int, announce: int) -> NoReturn:
    """The child's side of the fork: never returns into the supervisor's code."""
    code = 1
    try:
        os.setsid()  # the terminal's Ctrl-C is for the supervisor, which then ends its children in order
        arrange()
        name_process(f"circuy-{program.name}")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        if not os.read(gate, 1):
            os._exit(0)  # the supervisor ended before it opened the gate
        os.environ["CIRCUY_READY_FD"] = str(announce)
        program.run()
        code = 0
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _in_background(work: Callable[..., None], *arguments: object) -> None:
    threading.Thread(target=work, args=arguments, daemon=True).start()
