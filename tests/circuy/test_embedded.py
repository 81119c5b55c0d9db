"""The embedded services, started and killed for real."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from circuy.embedded.client import ensure_running, keeper_is_alive, release, wait_until_keeper_ends
from circuy.embedded.errors import EmbeddedError
from circuy.embedded.places import Places, places_of
from circuy.settings.environment import BASE_DIR

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ends processes the way Linux does")

HOLD = """
import sys, time
from pathlib import Path
from circuy.embedded.client import ensure_running
from circuy.embedded.places import places_of
ensure_running(places_of(Path(sys.argv[1])))
print("ready", flush=True)
time.sleep(60)
"""


@pytest.fixture
def places() -> Iterator[Places]:
    # Not tmp_path: its long names would always take the sockets elsewhere.
    folder = Path(tempfile.mkdtemp(prefix="circuy-embedded-"))
    places = places_of(folder)
    yield places
    release(places)
    if places.state.exists():
        wait_until_keeper_ends(places)
    shutil.rmtree(folder)
    shutil.rmtree(places.sockets, ignore_errors=True)


def hold(places: Places) -> "subprocess.Popen[str]":
    """Another process that uses the services."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(places.data_dir)], cwd=BASE_DIR, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def keeper(places: Places) -> int:
    return int(json.loads((places.state / "keeper.json").read_text())["pid"])


def postmaster(places: Places) -> int:
    return int((places.postgres_data / "postmaster.pid").read_text().splitlines()[0])


def remember(places: Places, text: str) -> None:
    with psycopg.connect(places.database_url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS said (what text)")
        connection.execute("INSERT INTO said VALUES (%s)", [text])


def remembered(places: Places) -> list[str]:
    with psycopg.connect(places.database_url) as connection:
        return [row[0] for row in connection.execute("SELECT what FROM said")]


def wait_until(condition: "object", seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.02)


def lives(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def test_both_answer_on_private_sockets_and_stop_with_their_last_user(places: Places) -> None:
    ensure_running(places)
    with psycopg.connect(places.database_url) as connection:
        row = connection.execute(
            "SELECT current_setting('is_superuser'), current_setting('listen_addresses'), lower('É'), '[1,2]'::vector"
        ).fetchone()
    assert row == ("off", "", "é", "[1,2]")
    valkey = redis.Redis.from_url(places.redis_url)
    assert valkey.ping()
    assert valkey.config_get("port") == {"port": "0"}
    valkey.close()
    assert places.sockets.stat().st_mode & 0o077 == 0

    other = hold(places)
    server = postmaster(places)
    release(places)
    time.sleep(0.5)
    assert lives(server), "somebody still uses it"
    other.kill()
    other.wait()
    wait_until(lambda: not lives(server))


@pytest.mark.parametrize("victim", ["user", "keeper", "server", "all"])
def test_the_next_start_recovers_from_a_kill_9(places: Places, victim: str) -> None:
    user = hold(places)
    remember(places, "kept")
    victims = {"user": user.pid, "keeper": keeper(places), "server": postmaster(places)}
    for pid in victims.values() if victim == "all" else [victims[victim]]:
        os.kill(pid, signal.SIGKILL)
    if victim != "user":
        # A keeper's death takes its server along: until then one could still meet the old one.
        wait_until(lambda: not lives(victims["server"]))
        release(places)
    ensure_running(places)
    wait_until(lambda: _reachable(places))
    assert remembered(places) == ["kept"]
    user.kill()
    user.wait()


def test_the_servers_end_with_a_keeper_that_is_killed(places: Places) -> None:
    ensure_running(places)
    with redis.Redis.from_url(places.redis_url) as client:
        servers = [postmaster(places), int(client.info("server")["process_id"])]
    os.kill(keeper(places), signal.SIGKILL)
    for pid in servers:
        wait_until(lambda pid=pid: not lives(pid))


def _reachable(places: Places) -> bool:
    """The keeper needs a moment to see that its server was killed; a start before that meets a dead one."""
    try:
        return remembered(places) == ["kept"]
    except psycopg.OperationalError:
        release(places)
        ensure_running(places)
        return False


def test_a_note_that_names_another_process_does_not_stop_the_start(places: Places) -> None:
    ensure_running(places)
    remember(places, "kept")
    note = (places.postgres_data / "postmaster.pid").read_text()
    release(places)
    wait_until_keeper_ends(places)
    stale = "\n".join([str(os.getpid()), *note.splitlines()[1:]]) + "\n"
    (places.postgres_data / "postmaster.pid").write_text(stale)
    ensure_running(places)
    assert remembered(places) == ["kept"]


def test_an_interrupted_first_start_leaves_nothing_half_made(places: Places) -> None:
    half = places.data_dir / "postgres.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    ensure_running(places)
    remember(places, "whole")
    assert not half.exists()


def test_two_folders_do_not_meet(places: Places) -> None:
    other = places_of(places.data_dir / "other")
    ensure_running(places)
    ensure_running(other)
    remember(places, "here")
    remember(other, "there")
    assert (remembered(places), remembered(other)) == (["here"], ["there"])
    release(other)
    wait_until_keeper_ends(other)


def test_many_that_start_at_once_share_one_keeper(places: Places) -> None:
    command = [sys.executable, "-c", HOLD, str(places.data_dir)]
    users = [subprocess.Popen(command, cwd=BASE_DIR, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [user.stdout.readline() for user in users if user.stdout] == ["ready\n"] * 4
    remember(places, "once")
    for user in users:
        user.kill()
        user.wait()
    wait_until(lambda: not keeper_is_alive(places))


def test_a_long_path_still_has_sockets(places: Places) -> None:
    deep = places_of(places.data_dir / ("d" * 90))
    assert not deep.sockets.is_relative_to(deep.data_dir)
    ensure_running(deep, scratch=True)
    remember(deep, "deep")
    release(deep)
    wait_until_keeper_ends(deep)
    wait_until(lambda: not deep.data_dir.exists() and not deep.sockets.exists())


def test_data_that_cannot_be_read_is_said_in_a_sentence(places: Places) -> None:
    ensure_running(places)
    release(places)
    wait_until_keeper_ends(places)
    (places.postgres_data / "PG_VERSION").write_text("9.6\n")
    with pytest.raises(EmbeddedError, match=r"PostgreSQL did not start; its log .* incompatible"):
        ensure_running(places)
