"""Primary keys: UUIDv7, so that rows sort by time of creation."""

from __future__ import annotations

import uuid

from uuid_utils import compat


def new_id() -> uuid.UUID:
    """Return a fresh UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then randomness."""
    return compat.uuid7()
