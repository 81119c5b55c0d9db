"""Words from outside, made fit to be kept and shown."""

from __future__ import annotations


def clean_text(text: str) -> str:
    """Return a text without what PostgreSQL keeps in no column."""
    return text.replace("\x00", "").encode("utf-8", "ignore").decode()


def one_line(text: str) -> str:
    """Return a text without line breaks, which would pass for lines of the message that it stands in."""
    return " ".join(text.split())
