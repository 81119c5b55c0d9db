"""What `up` runs: the web server, one worker a queue, and the clock.

Celery's objects are used rather than its command line, whose imports alone take half a second.
"""

import importlib
import socket
import sys
import warnings
from functools import partial

from django.conf import settings

from circuy.supervisor.children import Program

# The web server's own log says little at this level; requests that fail are in Django's.
_WEB_LOG_LEVEL = "warning"
_LEAVE_WITHIN_S = 6
# An answer by a model is mostly waiting, which threads do side by side at no cost. The engine ends each by its own
# deadline: a pool of threads has no time limits.
_ANSWERS_AT_A_TIME = 16


def preload() -> None:
    """Loads what every child needs, once, before they are forked."""
    for name in ("circuy.celery", settings.ROOT_URLCONF, "celery.apps.worker", "celery.apps.beat"):
        importlib.import_module(name)


def programs() -> list[Program]:
    """Two workers, so that a question never waits behind a page being learnt."""
    answers = partial(_worker, "interactive", concurrency=_ANSWERS_AT_A_TIME, pool="threads")
    learning = partial(_worker, "bulk", concurrency=1, pool="prefork")
    return [
        Program("web", _web),
        Program("questions", answers, announces=True),
        Program("learning", learning, announces=True),
        Program("clock", _clock),
    ]


def _web() -> None:
    from granian.constants import HTTPModes, Interfaces
    from granian.log import LogLevels
    from granian.server import Server

    Server(
        "circuy.wsgi:application",
        address=settings.WEB_HOST,
        port=settings.WEB_PORT,
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,
        websockets=False,
        workers=settings.WEB_WORKERS,
        blocking_threads=settings.WEB_THREADS,
        # One that cannot come to its end keeps the port: nobody else ends it when the supervisor was killed.
        workers_kill_timeout=_LEAVE_WITHIN_S,
        log_level=LogLevels(_WEB_LOG_LEVEL),
    ).serve()


def _worker(queue: str, *, concurrency: int, pool: str) -> None:
    from celery.exceptions import SecurityWarning

    from circuy.celery import app

    # Celery warns root about pickled messages; here only JSON is accepted.
    warnings.simplefilter("ignore", SecurityWarning)
    worker = app.Worker(
        hostname=f"{queue}@{socket.gethostname()}",
        queues=[queue],
        concurrency=concurrency,
        pool=pool,
        quiet=True,
        # Talk between workers that nobody listens to here.
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


def _clock() -> None:
    from circuy.celery import app

    app.Beat(quiet=True).run()
