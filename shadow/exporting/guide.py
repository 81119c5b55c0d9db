"""A guide on paper: one page that stands by itself, reads well on a screen, and prints on A4."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from html import escape
from pathlib import Path

from shadow.exporting.document import Document, Step

_STYLE = (Path(__file__).parent / "guide.css").read_text(encoding="utf-8")
_WORDS = {
    "fr": {
        "kind": "Mode d’emploi",
        "one": "1 étape",
        "many": "{count} étapes",
        "before": "À préparer",
        "page": "Page « {page} »",
        "picture": "L’écran à l’étape {number}",
        "secret": "Saisissez votre propre valeur : elle n’est notée nulle part.",
        "leads": "Une autre page s’ouvre.",
    },
    "en": {
        "kind": "How to",
        "one": "1 step",
        "many": "{count} steps",
        "before": "Have ready",
        "page": "Page “{page}”",
        "picture": "The screen at step {number}",
        "secret": "Type your own value: it is written down nowhere.",
        "leads": "Another page opens.",
    },
}
_PICTURES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"))


def guide_html(document: Document) -> str:
    """Return the guide as HTML: no script, nothing from elsewhere, every text escaped.

    Its own Content-Security-Policy allows its style sheet and its pictures, and nothing else. Any browser prints it to
    PDF. Raises `ValueError` for a picture that is neither PNG nor JPEG.
    """
    words = _WORDS.get(document.locale, _WORDS["en"])
    count = len(document.steps)
    counted = words["one"] if count == 1 else words["many"].format(count=count)
    about = " · ".join(text for text in (words["kind"], counted, document.made_on) if text)
    digest = b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:"
    return (
        f'<!doctype html>\n<html lang="{escape(document.locale)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(document.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<header><p>{escape(about)}</p><h1>{escape(document.title)}</h1></header>\n"
        f"<main>\n{_preparation(document, words)}{_steps(document, words)}</main>\n</body>\n</html>\n"
    )


def _preparation(document: Document, words: dict[str, str]) -> str:
    if not document.changing:
        return ""
    items = "".join(f"<li>{escape(one)}</li>" for one in document.changing)
    return f'<section class="before"><h2>{words["before"]}</h2><ul>{items}</ul></section>\n'


def _steps(document: Document, words: dict[str, str]) -> str:
    """A list for each page that the task goes through; numbers go on from one to the next."""
    parts: list[str] = []
    at: tuple[str, str] | None = None
    for number, step in enumerate(document.steps, start=1):
        place = (step.route, step.page)
        if place != at:
            parts.append("</ol>\n" if at is not None else "")
            named = escape(words["page"].format(page=step.page or step.route))
            parts.append(f'<h2 class="page">{named}</h2>\n' if any(place) else "")
            parts.append(f'<ol start="{number}">\n')
            at = place
        parts.append(_step(number, step, words))
    return "".join(parts) + ("</ol>\n" if at is not None else "")


def _step(number: int, step: Step, words: dict[str, str]) -> str:
    said = f"<p>{escape(step.text)}</p>" if step.text and step.text != step.title else ""
    notes = [words["secret"]] if any(action.secret for action in step.actions) else []
    notes += [words["leads"]] if step.actions and step.actions[-1].leads_to else []
    noted = f'<p class="note">{escape(" ".join(notes))}</p>' if notes else ""
    picture = "" if step.picture is None else _picture(step.picture, words["picture"].format(number=number))
    return (
        f'<li class="step"><span class="number">{number}</span>'
        f"<div><h3>{escape(step.title)}</h3>{said}{noted}{picture}</div></li>\n"
    )


def _picture(picture: bytes, alternative: str) -> str:
    for signature, kind in _PICTURES:
        if picture.startswith(signature):
            return f'<img src="data:{kind};base64,{b64encode(picture).decode()}" alt="{escape(alternative)}">'
    raise ValueError("a picture is neither PNG nor JPEG")
