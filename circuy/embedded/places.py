"""Where the embedded services of one data folder live, and the addresses that follow from that.

Everything is a function of the folder, so that any process knows the addresses before anything runs, and two
checkouts can never meet: there are no ports, only sockets in a folder that nobody else can enter.
"""

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

DATABASE_NAME = "circuy"
DATABASE_USER = "circuy"
# PostgreSQL's longest name under the socket folder, and what a Unix socket's address holds at most.
_LONGEST_SOCKET_NAME = ".s.PGSQL.5432.lock"
_SOCKET_PATH_MAX = 100


@dataclass(frozen=True)
class Places:
    """Paths and addresses of the services that belong to one data folder."""

    data_dir: Path

    @property
    def postgres_data(self) -> Path:
        return self.data_dir / "postgres"

    @property
    def valkey_data(self) -> Path:
        return self.data_dir / "valkey"

    @property
    def logs(self) -> Path:
        return self.data_dir / "log"

    @property
    def state(self) -> Path:
        """Locks and notes of the keeper."""
        return self.data_dir / "run"

    @property
    def sockets(self) -> Path:
        """The sockets' folder: beside the data, or in the temporary folder when that path is too long for a socket."""
        beside = self.data_dir / "run" / "sockets"
        if len(str(beside / _LONGEST_SOCKET_NAME)) <= _SOCKET_PATH_MAX:
            return beside
        digest = hashlib.sha256(str(self.data_dir).encode()).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"circuy-{os.geteuid()}-{digest}"

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def database_url(self) -> str:
        return f"postgresql://{DATABASE_USER}@/{DATABASE_NAME}?host={quote(str(self.sockets), safe='')}"

    @property
    def redis_url(self) -> str:
        return f"unix://{self.valkey_socket}"


def places_of(data_dir: Path) -> Places:
    """The places of a data folder, by its absolute path without symbolic links."""
    return Places(data_dir.expanduser().resolve())
