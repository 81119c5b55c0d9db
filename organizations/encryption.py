"""Secrets at rest: a text field whose column holds Fernet tokens."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.db import models


@lru_cache(maxsize=4)
def _fernet(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def _cipher() -> MultiFernet:
    return _fernet(tuple(settings.ENCRYPTION_KEYS))


def encrypt(text: str) -> str:
    """Return a token that only this installation's keys read."""
    return _cipher().encrypt(text.encode()).decode()


def decrypt(token: str) -> str:
    """Return what ``encrypt`` was given."""
    return _cipher().decrypt(token.encode()).decode()


class EncryptedTextField(models.TextField):  # type: ignore[type-arg]
    """Text that is readable in Python and opaque in the database.

    The first of ``ENCRYPTION_KEYS`` encrypts, all of them decrypt, so a key is rotated by putting the
    new one in front. The column cannot be searched; the empty string is kept as it is.
    """

    def get_prep_value(self, value: Any) -> Any:
        text = super().get_prep_value(value)
        if not text:
            return text
        return encrypt(str(text))

    def from_db_value(self, value: Any, *_: Any) -> Any:
        if not value:
            return value
        return decrypt(value)
