"""How a channel says that a message did not arrive, or need not."""

from __future__ import annotations

from datetime import datetime

DEFAULT_RETRY_AFTER_S = 30


class DeliveryError(Exception):
    """A failed delivery. ``retry_after``: seconds the provider asks to wait; ``permanent``: trying again is useless."""

    def __init__(self, message: str, *, retry_after: int | None = None, permanent: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.permanent = permanent


class NoLongerNeededError(Exception):
    """What the message would say is no longer so: it is not sent."""


class NotYetError(Exception):
    """Something else has to be sent first; this is no failed attempt. ``retry_at``: when to look again."""

    def __init__(self, retry_at: datetime) -> None:
        super().__init__("something else has to be sent first")
        self.retry_at = retry_at


def seconds_of(retry_after: str | None) -> int:
    """Return the seconds a ``Retry-After`` header names, or a usual wait where it names none that one can use."""
    text = retry_after or ""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else DEFAULT_RETRY_AFTER_S
