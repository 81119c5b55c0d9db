"""Runs the children until someone says stop or one of them ends."""

import http.client
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType

from django.utils.translation import gettext as _

from circuy.supervisor.children import Child, Program
from circuy.supervisor.log import MergedLog

_TICK_S = 0.05
_PATIENCE_S = 8.0
_READY_PATIENCE_S = 60.0


class Supervisor:
    """Owns the children: none is left behind, whichever way the run ends."""

    def __init__(self, log: MergedLog) -> None:
        self._log = log
        self._children: list[Child] = []
        self._stop = threading.Event()
        self._services_ended: str | None = None

    def listen_for_signals(self) -> None:
        """Ctrl-C, `kill` and a closed terminal end the run in order; a second Ctrl-C does not wait."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self._stop.is_set():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for child in self._children:
                child.end(patience_s=0.0)
        self._stop.set()

    def fork(self, programs: list[Program]) -> None:
        """Forks a child for every program; they wait for `open_gates`. To be called before any thread is started."""
        for program in programs:
            self._children.append(Child(program))

    def open_gates(self) -> None:
        """Lets the children run."""
        for child in self._children:
            child.open_gate(self._log.line)

    def watch(self, wait_for_end: Callable[[], str]) -> None:
        """Watches something that is no child: `wait_for_end` blocks until it is gone and returns why."""

        def wait() -> None:
            self._services_ended = wait_for_end() or _("The embedded services ended.")

        threading.Thread(target=wait, daemon=True).start()

    def wait_until_ready(self, host: str, port: int) -> bool:
        """True once the web server answers and the workers take tasks; False when the run has to end instead."""
        deadline = time.monotonic() + _READY_PATIENCE_S
        while not self._stop.is_set() and self._what_ended() is None and time.monotonic() < deadline:
            heard = all(child.ready.is_set() for child in self._children if child.program.announces)
            if heard and answers_ready(host, port):
                return True
            self._stop.wait(_TICK_S)
        return False

    def run(self) -> None:
        """Blocks until the end is asked for or something ends by itself."""
        while not self._stop.is_set() and self._what_ended() is None:
            self._stop.wait(_TICK_S * 4)

    def verdict(self) -> int:
        """The exit code: 0 when the end was asked for, else 1, after saying why."""
        if self._stop.is_set():
            return 0
        self._log.say(self._what_ended() or _("Circuy did not become ready in time; the log above says why."))
        return 1

    def end(self) -> None:
        """Ends every child, all at the same time."""
        for child in self._children:
            child.ask_to_end()
        deadline = time.monotonic() + _PATIENCE_S
        for child in self._children:
            child.end(patience_s=max(0.0, deadline - time.monotonic()))

    def _what_ended(self) -> str | None:
        if self._services_ended is not None:
            return self._services_ended + " " + _("Everything stops.")
        for child in self._children:
            if (code := child.exit_code) is not None:
                how = _("signal %(name)s") if code < 0 else _("code %(name)s")
                name = signal.Signals(-code).name if code < 0 else code
                message = _("“%(child)s” ended by itself (%(how)s). Everything stops.")
                return message % {"child": child.program.name, "how": how % {"name": name}}
        return None


def answers_ready(host: str, port: int) -> bool:
    """Whether the web server says that it and what it depends on work."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    connection = http.client.HTTPConnection(reachable, port, timeout=2)
    try:
        connection.request("GET", "/readyz", headers={"Host": "localhost"})
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
