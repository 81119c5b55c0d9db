"""Which user the services run as.

PostgreSQL refuses to be root. A normal user's services are that user's; root's run as the system account `circuy`,
made on first use. Nobody's folders are opened up for it: where it cannot pass (a checkout under /root), the one
capability to look into folders goes with the process instead. Only root can reach the sockets, so that capability
is of no use to anyone else.
"""

import os
import pwd
import shutil
import subprocess
from pathlib import Path

from circuy.embedded.errors import EmbeddedError

ACCOUNT = "circuy"


def service_account() -> pwd.struct_passwd | None:
    """The account to run as, or None to stay oneself. Raises `EmbeddedError` when root cannot have one."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(ACCOUNT)
    except KeyError:
        pass
    useradd, setpriv = shutil.which("useradd"), shutil.which("setpriv")
    if useradd and setpriv:
        command = [useradd, "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", ACCOUNT]
        subprocess.run(command, check=False, capture_output=True)  # noqa: S603
    try:
        return pwd.getpwnam(ACCOUNT)
    except KeyError:
        raise EmbeddedError(
            "PostgreSQL does not run as root, and the system account “circuy” could not be made for it: "
            "start Circuy as a normal user, or set DATABASE_URL and REDIS_URL."
        ) from None


def give(path: Path) -> None:
    """Makes `path` the service account's (when there is one) and closes it to everyone else."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    account = service_account()
    if account is not None:
        os.chown(path, account.pw_uid, account.pw_gid)
    path.chmod(0o700)


def as_service(command: list[str], *, reads: list[Path]) -> list[str]:
    """The command line that runs `command` as the service account; `reads` are paths it must be able to reach."""
    account = service_account()
    if account is None:
        return command
    # The kernel forgets the signal of a parent's death when the user changes; setpriv reminds it.
    change = ["setpriv", "--pdeathsig=keep", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]
    tests = [part for path in reads for part in ("-a", "-r", str(path))][1:]
    reachable = subprocess.run([*change, "test", *tests], check=False, capture_output=True).returncode == 0  # noqa: S603
    if not reachable:
        capability = _look_into_folders()
        change += [f"--inh-caps=+{capability}", f"--ambient-caps=+{capability}"]
    return [*change, *command]


def _look_into_folders() -> str:
    """The narrowest capability this root still has (containers drop some)."""
    status = Path("/proc/self/status")
    bounding = next(
        (int(line.split()[1], 16) for line in status.read_text().splitlines() if line.startswith("CapBnd")), 0
    )
    dac_read_search_bit = 2
    return "dac_read_search" if bounding >> dac_read_search_bit & 1 else "dac_override"
