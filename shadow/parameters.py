"""Values of a demonstration that its users will change: what they are called, what kind they are, and an example."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["date", "amount", "number", "name", "email", "text"]

_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}")
_AMOUNT = re.compile(r"[€$£]?\s?-?\d{1,3}(?:[  .,]?\d{3})*(?:[.,]\d{1,2})?\s?(?:[€$£%]|eur|usd)?", re.IGNORECASE)
_SAYS_AMOUNT = re.compile(r"\b(montant|prix|total|remise|somme|tarif|cout|frais|amount|price|discount|cost|fee|sum)\b")
_SAYS_NAME = re.compile(r"\b(nom|prenom|client|contact|destinataire|beneficiaire|(?:first|last|full )?name|customer)\b")
_MASKED = re.compile(r"\[(?:EMAIL|SENSITIVE_NUMERIC|SENSITIVE)\]")
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9]+")
# What a parameter is called when its field has no name.
_NAMELESS: Mapping[str, Mapping[Kind, str]] = {
    "fr": {
        "date": "date",
        "amount": "montant",
        "number": "nombre",
        "name": "nom",
        "email": "adresse_e_mail",
        "text": "texte",
    },
    "en": {"date": "date", "amount": "amount", "number": "number", "name": "name", "email": "email", "text": "text"},
}


@dataclass(frozen=True, slots=True)
class Found:
    """A value that changes from one time to the next. ``example`` is empty where the value was masked."""

    name: str
    label: str
    kind: Kind
    example: str


def parameter_of(step: Mapping[str, Any], locale: str) -> Found | None:
    """Return the parameter that a step fills in, or None. What is secret is none: it has no value to change."""
    value = step.get("value")
    if step.get("kind") != "fill" or step.get("secret") or not isinstance(value, str) or not value.strip():
        return None
    target = step.get("target") or {}
    label = str(target.get("name") or "")
    kind = _kind(value.strip(), str(target.get("type") or ""), plain(label))
    name = name_clean(label) or _NAMELESS["en" if locale == "en" else "fr"][kind]
    return Found(name, label, kind, "" if _MASKED.search(value) else value)


def name_clean(text: str) -> str:
    """Return a name of small letters, digits and underscores, without accents; empty when nothing is left."""
    name = _NOT_IN_A_NAME.sub("_", plain(text)).strip("_")
    # A name begins with a letter.
    return (f"n_{name}" if name[:1].isdigit() else name)[:50].strip("_")


def plain(text: str) -> str:
    """Return a text without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _kind(value: str, type_: str, label: str) -> Kind:
    if type_ in ("date", "datetime-local", "month", "week") or _DATE.fullmatch(value):
        return "date"
    if type_ == "email" or "[EMAIL]" in value:
        return "email"
    if _AMOUNT.fullmatch(value) and (_SAYS_AMOUNT.search(label) or not value.isdigit()):
        return "amount"
    if type_ == "number" or value.isdigit():
        return "number"
    return "name" if _SAYS_NAME.search(label) else "text"
