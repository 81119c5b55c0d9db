"""What an e-mail address is, wherever one is typed."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

# RFC 5321's longest path, and the column's length.
MAX_LENGTH = 254


def is_email(text: str) -> bool:
    """Whether ``text`` is an address that an account can have."""
    try:
        validate_email(text)
    except ValidationError:
        return False
    return len(text) <= MAX_LENGTH
