"""What is checked before anything starts, so that nothing has to be taken back."""

import contextlib
import errno
import fcntl
import os
import socket
import time
from pathlib import Path

import psycopg
import redis
from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _

# A killed supervisor's children need a moment to notice and give the port back.
_PORT_PATIENCE_S = 5.0
_CONNECT_TIMEOUT_S = 5


class CannotStartError(Exception):
    """Why `up` does not start; one plain sentence."""


class OnlyOne:
    """The claim of one `up` on a data folder; the kernel drops it however the process ends."""

    def __init__(self, folder: Path) -> None:
        """Takes the claim. Raises `CannotStartError`, naming the process, when another `up` has it."""
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "up.lock"
        self._lock = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = self._path.read_text().strip() or "?"
            os.close(self._lock)
            message = _("Circuy already runs in this folder (process %(pid)s): stop it first, or set CIRCUY_DATA_DIR.")
            raise CannotStartError(message % {"pid": pid}) from None
        # A copy in a forked child would hold the claim after this process was killed.
        os.register_at_fork(after_in_child=lambda: os.close(self._lock))
        # A number left in the file means that the last run did not end in order.
        self.after_a_crash = bool(self._path.read_text().strip())
        self._write(str(os.getpid()))

    def release(self) -> None:
        """Gives the claim back, as after an orderly end."""
        self._write("")
        os.close(self._lock)

    def _write(self, text: str) -> None:
        os.ftruncate(self._lock, 0)
        os.pwrite(self._lock, text.encode(), 0)


def check_port(host: str, port: int, *, after_a_crash: bool) -> None:
    """Raises `CannotStartError` when the web server could not listen on `host` and `port`."""
    deadline = time.monotonic() + (_PORT_PATIENCE_S if after_a_crash else 0.0)
    while True:
        try:
            _bind(host, port)
            return
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            if not taken or time.monotonic() >= deadline:
                raise CannotStartError(_why(error, host, port, taken=taken)) from None
        time.sleep(0.1)


def _bind(host: str, port: int) -> None:
    family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with contextlib.closing(socket.socket(family, kind, protocol)) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)
        probe.listen(1)  # two listeners on one port are refused here, not by bind


def check_own_servers() -> None:
    """Raises `CannotStartError` when a database or Valkey that the operator named does not answer."""
    if not settings.DATABASE_EMBEDDED:
        parameters = {**connection.get_connection_params(), "connect_timeout": _CONNECT_TIMEOUT_S}
        try:
            psycopg.connect(**parameters).close()
        except psycopg.Error as error:
            # What follows the first line asks questions.
            reason = str(error).strip().splitlines()[0]
            raise CannotStartError(_("The server of DATABASE_URL does not answer: %s") % reason) from None
    if not settings.REDIS_EMBEDDED:
        try:
            with redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=_CONNECT_TIMEOUT_S) as client:
                client.ping()
        except (redis.RedisError, ValueError) as error:
            raise CannotStartError(_("The server of REDIS_URL does not answer: %s") % error) from None


def _why(error: OSError, host: str, port: int, *, taken: bool) -> str:
    if taken:
        message = _("Port %(port)s on %(host)s is taken by another program: choose another with --port (or WEB_PORT).")
    elif error.errno == errno.EACCES:
        message = _("Port %(port)s needs more rights than this user has: choose one above 1023 with --port.")
    else:
        message = _("Nothing can listen on %(host)s port %(port)s (%(reason)s): choose another with --host and --port.")
    return message % {"host": host, "port": port, "reason": error.strerror}
