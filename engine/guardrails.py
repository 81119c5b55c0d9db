"""What may leave the engine: plain short text, known intents, nothing that asks for a secret."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable

from engine.types import StepDraft

TITLE_LENGTH = 60
TEXT_LENGTH = 240
GOAL_LENGTH = 120
_MOST_READ = 4000

_UNREAD = re.compile(r"<(script|style)\b[^<>]{0,200}>[^<]{0,2000}</\1>", re.IGNORECASE)
_TAGS = re.compile(r"<[/!?a-zA-Z][^<>]{0,400}>")
_BREAKS = re.compile(r"</?(?:br|p|div|li|ul|ol|tr|td|h[1-6])\b[^<>]{0,200}>", re.IGNORECASE)
_STRAY_TAG = re.compile(r"<+(?=[/!?a-zA-Z])")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()\s]{0,400}\)")
_MARKDOWN = re.compile(r"[*`]{1,3}|^\s*#{1,6}\s+|(?<!\w)__?(?=\S)|(?<=\S)__?(?!\w)", re.MULTILINE)
_URL = re.compile(r"\b(?:https?|ftp|javascript|data|vbscript|file):\S*|\bwww\.\S+", re.IGNORECASE)
_SPACES = re.compile(r"[^\S\u00a0\u202f]+")
_GAP_BEFORE_STOP = re.compile(r" +(?=[.,])")
_SECRETS = (
    "mots? de passe|passwords?|passcodes?|passphrases?|codes? secrets?|codes? pin|pin codes?|cvv|cvc|cryptogrammes?",
    "cartes? (?:bancaires?|bleues?|de cr[ée]dit)|(?:credit|debit|bank) cards?|card numbers?|num[ée]ros? de carte",
    "api keys?|cl[ée]s? (?:d['’])?api|iban|one[- ]time codes?|security codes?|codes? de s[ée]curit[ée]",
)
_SECRET = re.compile(rf"\b(?:{'|'.join(_SECRETS)})\b", re.IGNORECASE)
_ASKING = re.compile(
    r"\b(?:saisi\w*|entrez|entrer|tapez|taper|indiquez|indiquer|donnez|donner|communiquez|communiquer|envoyez|envoyer"
    r"|[ée]crivez|renseignez|fournissez|partagez|enter|type|give|tell|send|share|provide|reveal|write|input|submit"
    r"|confirmez|confirm)\b",
    re.IGNORECASE,
)


def clean_text(text: str, limit: int) -> str:
    """Reduce a model's words to plain text on one line, at most `limit` characters, cut at a word.

    Markup, addresses of pages, control characters and those that reorder text go away.
    """
    text = unicodedata.normalize("NFC", text[:_MOST_READ])
    text = "".join(char if _is_plain(char) else " " if char in "\n\r\t" else "" for char in text)
    text = _MARKDOWN_LINK.sub(r"\1", text)
    before = None
    while before != text:
        before, text = text, _BREAKS.sub(" ", _UNREAD.sub("", text))
        text = _TAGS.sub("", text)
    text = _MARKDOWN.sub("", _URL.sub("", text))
    text = _STRAY_TAG.sub("", text)
    text = _GAP_BEFORE_STOP.sub("", _SPACES.sub(" ", text)).strip()
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    if " " in cut[limit // 2 :]:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip(" ,;:") + "…"


def asks_for_secret(text: str) -> bool:
    """Tell whether a sentence wants the reader to give a password, a card number or the like."""
    return bool(_SECRET.search(text) and _ASKING.search(text))


def guard_steps(steps: Iterable[StepDraft], known_ids: Collection[str]) -> tuple[StepDraft, ...]:
    """Keep the steps of a model that name a known intent once, say something, and ask for no secret; clean them."""
    kept: list[StepDraft] = []
    seen: set[str] = set()
    for step in steps:
        title = clean_text(step.title, TITLE_LENGTH)
        text = clean_text(step.text, TEXT_LENGTH)
        unfit = step.intent_id not in known_ids or step.intent_id in seen or not title or not text
        if unfit or asks_for_secret(f"{title}. {text}"):
            continue
        seen.add(step.intent_id)
        kept.append(StepDraft(step.intent_id, title, text))
    return tuple(kept)


def _is_plain(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
