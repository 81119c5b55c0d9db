"""Work that one worker at a time takes up, and that no worker's death loses or repeats for ever.

For rows with ``claimed_at`` and ``attempts``: scans being learnt, questions being answered.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TypeVar

from django.conf import settings
from django.db.models import F, Model, Q, QuerySet
from django.utils import timezone

Row = TypeVar("Row", bound=Model)

# What its worker did not survive this many times is not given to another.
MAX_ATTEMPTS = 3


def claim_lasts() -> timedelta:
    """Return how long a worker keeps what it claimed: longer than the engine can take, whatever its timeout is."""
    return timedelta(seconds=2 * settings.ENGINE_TIMEOUT_S + 20)


def unclaimed(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Return the rows that no worker has, or whose worker has been silent for too long."""
    return rows.filter(Q(claimed_at=None) | Q(claimed_at__lt=timezone.now() - claim_lasts()))


def claim(rows: QuerySet[Row]) -> bool:
    """Take up the one row in ``rows`` by a conditional update; return whether it is this worker's now."""
    return bool(unclaimed(rows).update(claimed_at=timezone.now(), attempts=F("attempts") + 1))
