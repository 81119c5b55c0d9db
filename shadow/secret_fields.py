"""Which elements of a page hold secrets: nothing that is typed or chosen there is ever kept."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

# A type of input whose value nobody sees, so that nobody could have meant to show it.
SECRET_TYPES = frozenset({"password", "hidden"})
_SECRETS = (
    # passwords
    "pass ?(?:word|wd|phrase|code|key)s?|pwd|mots? de passe|mdp|phrase secrete",
    "(?:code|cle|key|token|jeton|question|reponse|answer)s? (?:secret|secrete|prive|privee)s?",
    "secret(?:e|s)? (?:code|key|answer|question|word)",
    "(?:private|api|access|license|licence) ?(?:key|token)s?|cle (?:d )?api|jeton d acces",
    # codes that are used once
    "(?:code|numero) (?:pin|puk|otp|tan|sms|d(?:e|u)? (?:securite|verification|validation|confirmation|connexion))",
    "code (?:d (?:acces|authentification|activation)|a usage unique|recu)",
    "(?:security|verification|confirmation|activation|authentication|login|one time|backup|recovery|access) codes?",
    "(?:single|one) (?:use|time) (?:code|password)|otp|totp|2fa|mfa|pin(?: code)?|puk|tan",
    # cards and identities
    "cvv2?|cvc2?|csc|cryptogramme(?: visuel)?",
    "carte (?:bancaire|bleue|de credit|de paiement)|numero de (?:la )?carte|number of card",
    "(?:credit|debit|bank|payment) ?card(?: number)?|card ?(?:number|no)",
    "numero de securite sociale|social security number|ssn|nir",
)
_SECRET_NAME = re.compile(rf"\b(?:{'|'.join(_SECRETS)})\b|^(?:code|pin)$")
_PASSWORD = re.compile(r"\b(?:pass ?(?:word|wd|phrase|code)s?|pwd|mots? de passe|mdp)\b")
_NOT_WORDS = re.compile(r"[^a-z0-9]+")
_COMBINED = re.compile(r"\s*[>+~]\s*|\s+(?![^\[]*\])")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def is_secret(event: Mapping[str, Any]) -> bool:
    """Whether an event's element holds a secret: by what the browser said, its type, or any of its names."""
    if event.get("secret") is True:
        return True
    target = event.get("target")
    if not isinstance(target, Mapping):
        return False
    if str(target.get("type", "")).lower() in SECRET_TYPES:
        return True
    selectors = (target.get(key) for key in ("selector", "fallbackSelector"))
    # What is around an element is no name of its own.
    own = (_COMBINED.split(one)[-1] for one in selectors if isinstance(one, str))
    names = (target.get("name"), *own)
    return _holds_values(event, target) and any(isinstance(name, str) and says_secret(name) for name in names)


def says_secret(name: str) -> bool:
    """Whether a field of this name asks for a secret, in French or English, however it is written."""
    return bool(_SECRET_NAME.search(_words(name)))


def says_password(name: str) -> bool:
    """Whether a field of this name asks for a password, and not for another secret."""
    return bool(_PASSWORD.search(_words(name)))


def _words(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", _CAMEL.sub(" ", name)).casefold()
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _NOT_WORDS.sub(" ", plain).strip()


def _holds_values(event: Mapping[str, Any], target: Mapping[str, Any]) -> bool:
    """A link « Mot de passe oublié ? » holds nothing; a field of that name does."""
    return (
        event.get("kind") in ("fill", "select", "key", "upload")
        or str(target.get("tag", "")).lower() in ("input", "textarea", "select")
        or str(target.get("role", "")).lower() in ("textbox", "searchbox", "combobox", "spinbutton")
    ) and str(target.get("type", "")).lower() not in ("submit", "button", "checkbox", "radio", "reset", "image")
