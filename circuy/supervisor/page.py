"""The page `up` prints when everything is ready: where to go and whom to log in as."""

import os
from collections.abc import Sequence
from typing import NamedTuple

from django.conf import settings
from django.utils.formats import number_format
from django.utils.translation import gettext as _


class LoginLine(NamedTuple):
    """A person of the demonstration that one can log in as."""

    who: str
    username: str
    password: str


def operator_language() -> str:
    """The language of the terminal: English if it says so, else French."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "en" if value.startswith("en") else "fr"
    return "fr"


def ready_page(*, address: str, logins: Sequence[LoginLine], seconds: float) -> str:
    """The page, in the active language."""
    places = [(_("Admin"), f"{address}/admin/"), (_("API reference"), f"{address}/v1/schema/")]
    if settings.DEMO:
        places.insert(0, (_("Demo: Maison Orée"), f"{address}/maison-oree/"))
    lines = [_("Ready in %(seconds)s s") % {"seconds": number_format(seconds, 1)}, "", *_table(places)]
    if logins:
        people = [(login.who, f"{login.username}  /  {login.password}") for login in logins]
        lines += ["", _("Log in as:"), *_table(people)]
    lines += ["", _("Ctrl-C ends everything.")]
    rule = "─" * max(map(len, lines))
    return "\n".join(["", rule, *lines, rule, ""])


def _table(rows: Sequence[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _value in rows)
    return [f"  {name.ljust(width)}   {value}" for name, value in rows]
