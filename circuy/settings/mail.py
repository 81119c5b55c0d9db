"""The mail server, from one address."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


@dataclass(frozen=True, slots=True)
class MailServer:
    """What Django wants to know of it."""

    backend: str
    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False


def mail_from_url(url: str) -> MailServer:
    """Return the server that an address names; without one, e-mails are written to the log."""
    if not url:
        return MailServer("django.core.mail.backends.console.EmailBackend")
    parts = urlsplit(url)
    return MailServer(
        "django.core.mail.backends.smtp.EmailBackend",
        host=parts.hostname or "",
        port=parts.port or PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=parts.scheme == "smtp+tls",
        tls=parts.scheme == "smtps",
    )
