"""`manage.py lea`: Léa in a terminal, who talks to a server elsewhere and needs no database."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from shadow.conversation.lea import reply
from shadow.conversation.over_http import HttpGateway
from shadow.conversation.sentences import Locale, say
from shadow.conversation.talk import Memory, Reply, Talk

DEFAULT_URL = "http://localhost:5005"
DIM, COLOUR, PLAIN = "\033[2m", "\033[36m", "\033[0m"
ENDS = frozenset({"quit", "exit", "quitter", "au revoir", "bye", "goodbye"})


class Command(BaseCommand):
    """Holds a conversation until its end; what it remembers is gone with it."""

    help = "Talks to Léa about a demonstration: RPA_STREAMING_URL and RPA_API_TOKEN say with which server."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--once", metavar="SENTENCE", action="append", help="say this, print the reply, and end; again for more"
        )
        parser.add_argument(
            "--machine", default="", metavar="ID", help="the machine to observe, where there are several"
        )
        parser.add_argument("--locale", choices=["fr", "en"], help="the language to begin in")

    def handle(self, *_args: Any, **options: Any) -> None:
        url = os.environ.get("RPA_STREAMING_URL") or DEFAULT_URL
        if not url.startswith(("http://", "https://")):
            raise CommandError(f"RPA_STREAMING_URL: http:// or https:// is expected, not {url!r}")
        locale: Locale = options["locale"] or _locale_of_the_terminal()
        with HttpGateway(url, os.environ.get("RPA_API_TOKEN", ""), locale=locale) as gateway:
            talk = Talk(gateway, Memory(locale=locale, machine_id=options["machine"]))
            if options["once"]:
                for sentence in options["once"]:
                    self.stdout.write(reply(talk, sentence).text)
                return
            self._converse(talk, url)

    def _converse(self, talk: Talk, url: str) -> None:
        self._write(f"Léa · {url}", DIM)
        self._write(say(talk.memory.locale, "help_idle"))
        while True:
            try:
                said = input(self._styled("› ", COLOUR)).strip()
            except (EOFError, KeyboardInterrupt):
                self.stdout.write("")
                return
            if said.casefold().rstrip(" .!") in ENDS:
                return
            if said:
                self._answer(reply(talk, said))

    def _answer(self, answer: Reply) -> None:
        self._write(answer.text)
        if answer.choices:
            self._write("  " + " · ".join(answer.choices), DIM)

    def _write(self, text: str, style: str = "") -> None:
        self.stdout.write(self._styled(text, style) if style else text)

    def _styled(self, text: str, style: str) -> str:
        shows_colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        return f"{style}{text}{PLAIN}" if shows_colours else text


def _locale_of_the_terminal() -> Locale:
    named = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "fr")
    return "en" if named.lower().startswith("en") else "fr"
