"""`manage.py up`: the whole of Circuy on one machine."""

import sys
import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import connections
from django.utils import translation
from django.utils.translation import gettext as _

from circuy.embedded.client import begin, ensure_running, release, wait_until_keeper_ends
from circuy.embedded.errors import EmbeddedError
from circuy.supervisor.log import MergedLog
from circuy.supervisor.options import BEGAN, add_options
from circuy.supervisor.page import LoginLine, operator_language, ready_page
from circuy.supervisor.preflight import CannotStartError, OnlyOne, check_own_servers, check_port
from circuy.supervisor.preparation import collect_static_if_needed, migrate_if_needed
from circuy.supervisor.programs import preload, programs
from circuy.supervisor.run import Supervisor


class Command(BaseCommand):
    """Starts everything, prints where to go, and ends everything."""

    help = "Runs Circuy: services, web server, workers and clock, until Ctrl-C."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_options(parser)

    def handle(self, *_args: Any, **_options: Any) -> None:
        with translation.override(operator_language()):
            try:
                only = OnlyOne(settings.PLACES.state)
                try:
                    check_port(settings.WEB_HOST, settings.WEB_PORT, after_a_crash=only.after_a_crash)
                    check_own_servers()
                    code = _run()
                finally:
                    only.release()
            except (CannotStartError, EmbeddedError) as error:
                self.stderr.write(f"circuy: {error}")
                sys.exit(2)
        sys.exit(code)


def _run() -> int:
    log = MergedLog()
    supervisor = Supervisor(log)
    supervisor.listen_for_signals()
    embedded = settings.DATABASE_EMBEDDED or settings.REDIS_EMBEDDED
    try:
        if embedded:
            begin(settings.PLACES)
        collect_static_if_needed()
        preload()
        supervisor.fork(programs())
        if embedded:
            ensure_running(settings.PLACES)
            supervisor.watch(lambda: wait_until_keeper_ends(settings.PLACES))
        logins = _prepare_database(log)
        supervisor.open_gates()
        if supervisor.wait_until_ready(settings.WEB_HOST, settings.WEB_PORT):
            page = ready_page(address=settings.PUBLIC_URL, logins=logins, seconds=time.monotonic() - BEGAN)
            log.say(page)
            supervisor.run()
        return supervisor.verdict()
    finally:
        supervisor.end()
        release(settings.PLACES)


def _prepare_database(log: MergedLog) -> list[LoginLine]:
    try:
        if migrate_if_needed():
            log.say(_("The database is up to date."))
        return _seed() if settings.DEMO else []
    finally:
        connections.close_all()


def _seed() -> list[LoginLine]:
    from circuy.seed import seed_demo

    return seed_demo(settings.PUBLIC_URL)
