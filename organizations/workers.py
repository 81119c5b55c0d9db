"""How work reaches a worker: after commit, and never at the price of the request that caused it."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.db import transaction

from organizations import valkey

log = logging.getLogger(__name__)


def send_after_commit(send: Callable[[], object]) -> None:
    """Call ``send``, which queues a task, once the transaction is committed.

    A broker that does not answer loses nothing: the row is the truth, and a sweeper finds it. (Django's own
    ``robust=True`` breaks on a partial that fails.)
    """

    def quietly() -> None:
        if valkey.is_resting():
            log.warning("a task was not queued, Valkey did not answer a moment ago: the sweeper will find its row")
            return
        try:
            send()
        except Exception:
            valkey.let_rest()
            log.exception("a task was not queued: the sweeper will find its row")

    transaction.on_commit(quietly)
