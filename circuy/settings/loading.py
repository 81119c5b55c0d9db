"""Reads the environment into the classes of `environment`, or says in one sentence what is wrong with it."""

import os
import re
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

from pydantic import ValidationError

from circuy.settings.environment import Concern, EmbeddingsSettings, SecuritySettings

_PASSWORD_IN_URL = re.compile(r"//([^:/@]*):.*@")
C = TypeVar("C", bound=Concern)


class ConfigurationError(Exception):
    """A variable that cannot be used; its text is one plain sentence for the operator."""


def load(concern: type[C]) -> C:
    """Reads one concern's variables. Raises `ConfigurationError` for the first wrong value."""
    try:
        return concern()
    except ValidationError as error:
        raise ConfigurationError(_sentence(concern, error)) from None


def _sentence(concern: type[Concern], error: ValidationError) -> str:
    problem = error.errors()[0]
    name = str(problem["loc"][0]).lower()
    given = os.environ.get(name.upper()) or os.environ.get(name, "")
    if concern.note(name, "secret"):
        given = _PASSWORD_IN_URL.sub(r"//\1:***@", given) if "://" in given else "***"
    return f"{name.upper()} is “{given}”: it must be {concern.note(name, 'expects')}."


def kept_secret(path: Path, make: Callable[[], str] = lambda: secrets.token_urlsafe(48)) -> str:
    """The secret kept in `path`, made on first use.

    The file is readable by its owner only, and two processes that start together agree on one value.
    Raises `ConfigurationError` when the folder cannot be written.
    """
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.with_name(f"{path.name}.{os.getpid()}")
            draft.touch(mode=0o600)
            draft.write_text(make())
            try:
                os.link(draft, path)
            except FileExistsError:
                pass  # another process was first: its value is the one
            finally:
                draft.unlink()
        return path.read_text().strip()
    except OSError as error:
        raise ConfigurationError(
            f"CIRCUY_DATA_DIR is “{path.parent}”: it must be a folder that can be written to ({error.strerror})."
        ) from None


def require_shared_secrets(security: SecuritySettings) -> None:
    """With a database of one's own, several machines may serve it: secrets made on one of them would not do.

    Raises `ConfigurationError` when one is missing.
    """
    for name in ("secret_key", "encryption_keys"):
        if not getattr(security, name):
            expects = SecuritySettings.note(name, "expects")
            raise ConfigurationError(f"{name.upper()} is empty: with a DATABASE_URL of your own it must be {expects}.")


def require_both_of_a_server(embeddings: EmbeddingsSettings) -> None:
    """A server for embeddings has an address and a model. Raises `ConfigurationError` when one of them is missing."""
    needed = ("embeddings_base_url", "embeddings_model")
    given = [name for name in (*needed, "embeddings_api_key") if getattr(embeddings, name)]
    for name in needed:
        if given and name not in given:
            expects = EmbeddingsSettings.note(name, "expects").removesuffix(", or empty")
            raise ConfigurationError(f"{name.upper()} is empty: with {given[0].upper()} it must be {expects}.")


def stop_with(error: ConfigurationError) -> NoReturn:
    """Ends the process with the error's sentence and nothing else."""
    print(f"circuy: {error}", file=sys.stderr)  # noqa: T201
    raise SystemExit(2) from None
