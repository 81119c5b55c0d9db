"""The environment: what is read, what is refused, and that the table in the docs is true."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from circuy.settings.documentation import PAGE, page
from circuy.settings.environment import BASE_DIR, DatabaseSettings, EmbeddingsSettings, WebSettings
from circuy.settings.loading import ConfigurationError, kept_secret, load, require_both_of_a_server

FERNET_KEY = "dGhlLXRlc3RzLWVuY3J5cHQtd2l0aC10aGlzLWtleS4="


def check(**environment: str) -> subprocess.CompletedProcess[str]:
    """Runs `manage.py check` with these variables set."""
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "circuy.settings", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_wrong_value_stops_the_start_with_one_sentence() -> None:
    done = check(WEB_PORT="eighty")
    assert done.returncode == 2
    assert done.stderr == "circuy: WEB_PORT is “eighty”: it must be a whole number from 1 to 65535.\n"
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEB_PORT", "0"),
        ("WEB_PORT", "65536"),
        ("PUBLIC_URL", "circuy.example"),
        ("PUBLIC_URL", "https://circuy.example/under/a/path"),
        ("PUBLIC_URL", "https://circuy.example@evil.example"),
        ("NUM_PROXIES", "-1"),
    ],
)
def test_values_out_of_range_are_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError, match=f"^{name} is “{value}”: it must be "):
        load(WebSettings)


@pytest.mark.parametrize("url", ["mysql://circuy:hush@db/circuy", "postgresql://circuy:hush@db:99999/circuy", "hush"])
def test_a_password_is_never_repeated(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(ConfigurationError) as refused:
        load(DatabaseSettings)
    assert "DATABASE_URL" in str(refused.value)
    assert "hush" not in str(refused.value)


def test_a_short_secret_is_refused_without_being_shown() -> None:
    done = check(SECRET_KEY="hunter2")
    assert done.returncode == 2
    assert "SECRET_KEY" in done.stderr
    assert "hunter2" not in done.stderr


def test_a_shared_database_needs_shared_secrets() -> None:
    done = check(DATABASE_URL="postgresql://circuy@db/circuy", SECRET_KEY="", ENCRYPTION_KEYS=FERNET_KEY)
    assert done.returncode == 2
    assert done.stderr.startswith("circuy: SECRET_KEY is empty: with a DATABASE_URL of your own it must be ")


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"EMBEDDINGS_BASE_URL": "http://localhost:11434/v1"}, "EMBEDDINGS_MODEL"),
        ({"EMBEDDINGS_MODEL": "nomic-embed-text"}, "EMBEDDINGS_BASE_URL"),
        ({"EMBEDDINGS_API_KEY": "hush"}, "EMBEDDINGS_BASE_URL"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_server_for_embeddings_has_an_address_and_a_model(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], missing: str
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(
        ConfigurationError, match=f"^{missing} is empty: with {next(iter(given))} it must be "
    ) as refused:
        require_both_of_a_server(load(EmbeddingsSettings))
    assert "hush" not in str(refused.value)


def test_half_a_server_for_embeddings_stops_the_start_with_one_sentence() -> None:
    done = check(EMBEDDINGS_BASE_URL="http://localhost:11434/v1", EMBEDDINGS_MODEL="")
    assert done.returncode == 2
    assert done.stderr == (
        "circuy: EMBEDDINGS_MODEL is empty: with EMBEDDINGS_BASE_URL it must be "
        "a model's name of at most 100 characters.\n"
    )


def test_a_server_whose_model_has_no_space_yet_starts_and_says_what_to_run(tmp_path: Path) -> None:
    done = check(
        EMBEDDINGS_BASE_URL="http://127.0.0.1:9/v1",
        EMBEDDINGS_MODEL="nomic-embed-text",
        CIRCUY_DATA_DIR=str(tmp_path),
    )
    assert done.returncode == 0
    assert "nomic-embed-text: questions are answered by words alone" in done.stderr
    assert "manage.py fit_embeddings" in done.stderr


def test_a_comma_separated_list_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", "a.example, b.example,")
    assert load(WebSettings).allowed_hosts == ("a.example", "b.example")


def test_the_public_address_follows_the_port_unless_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUBLIC_URL", raising=False)
    monkeypatch.setenv("WEB_PORT", "9000")
    monkeypatch.setenv("WEB_HOST", "0.0.0.0")  # noqa: S104
    assert load(WebSettings).address == "http://127.0.0.1:9000"
    monkeypatch.setenv("PUBLIC_URL", "https://circuy.example/")
    assert load(WebSettings).address == "https://circuy.example"


def test_a_generated_secret_is_kept_and_private(tmp_path: Path) -> None:
    first = kept_secret(tmp_path / "made" / "secret_key")
    assert len(first) >= 32
    assert kept_secret(tmp_path / "made" / "secret_key") == first
    assert stat.S_IMODE((tmp_path / "made" / "secret_key").stat().st_mode) == 0o600
    assert list((tmp_path / "made").iterdir()) == [tmp_path / "made" / "secret_key"]


def test_the_documented_table_is_the_one_of_the_classes() -> None:
    assert PAGE.read_text() == page(), "run: manage.py configuration --write"
