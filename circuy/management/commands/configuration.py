"""`manage.py configuration`: the table of environment variables."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from circuy.settings.documentation import PAGE, page


class Command(BaseCommand):
    """Prints docs/configuration.md, or writes it."""

    help = "Prints the table of environment variables; --write puts it into docs/configuration.md."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--write", action="store_true", help="write docs/configuration.md")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["write"]:
            PAGE.write_text(page())
        else:
            self.stdout.write(page())
