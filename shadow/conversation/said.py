"""A sentence as it was said, made comparable without losing the words of whoever said it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

LONGEST = 1_000

_OPENING = {"«": "»", "“": "”", "„": "“”", "‹": "›", "”": "”", '"': '"', "`": "`", "‘": "’'", "'": "'’", "’": "’'"}
_APOSTROPHES = "'’‘ʼ´`"
_PIECE = re.compile(r"[^\W_]+|\s+|.", re.DOTALL)
# What commands are made of. A word that is nearly one of these, and nearly no other, is taken for it.
_COMMANDS = """
observe observes observer observez regarde regarder regardez apprends apprenez montre montrer montrez
etape etapes supprime supprimer supprimez enleve enlever retire retirer efface effacer fusionne fusionner fusionnez
regroupe combine coupe couper coupez divise separe decoupe annule annuler annulez corrige corriger corrigez
remplace remplacer renomme renommer modifie change changer valide valider validez enregistre enregistrer
enregistrez sauvegarde sauvegarder appelle appeler nomme derniere dernier premiere premier deuxieme troisieme
quatrieme cinquieme bonne bonnes correcte correctes termine terminee arrete arretez recapitule affiche
steps delete remove merge combine split rename correct validate cancel everything watch watching finished recording
"""
_VOCABULARY = frozenset(_COMMANDS.split())
_CONFUSABLE = 5


@dataclass(frozen=True, slots=True)
class Said:
    """``plain`` is in small letters, without accents and repeated spaces; what stood in quotes is ``⟦0⟧``, ``⟦1⟧``….

    ``quotes`` are the quoted words as they were said. ``raw`` is the whole; ``original`` finds a piece of it again.
    """

    raw: str
    plain: str
    quotes: tuple[str, ...]
    _begins: tuple[int, ...]
    _ends: tuple[int, ...]

    def original(self, begin: int, end: int) -> str:
        """Return the words, as they were said, behind a part of ``plain``."""
        if begin >= end:
            return ""
        return self.raw[self._begins[begin] : self._ends[end - 1]].strip()

    def named(self, begin: int, end: int) -> str:
        """Like ``original``, without quotes around it and the punctuation that ends a sentence."""
        only = re.fullmatch(r"\W*⟦(\d)⟧\W*", self.plain[begin:end])
        if only:
            return self.quotes[int(only[1])]
        return re.sub(r"\s+", " ", self.original(begin, end)).strip(" ,;:.!…-–—\t\n")


def hear(text: str) -> Said:
    """Make a sentence comparable: case, accents, quotes of all kinds, spaces, and a letter amiss in a command."""
    raw = unicodedata.normalize("NFC", text)[:LONGEST]
    plain: list[str] = []
    begins: list[int] = []
    ends: list[int] = []
    quotes: list[str] = []

    def put(chars: str, begin: int, end: int) -> None:
        for char in chars:
            plain.append(char)
            begins.append(begin)
            ends.append(end)

    place = 0
    while place < len(raw):
        quoted = _quoted(raw, place)
        if quoted is not None and len(quotes) < 10:
            close, inner = quoted
            put(f"⟦{len(quotes)}⟧", place, close)
            quotes.append(inner)
            place = close
            continue
        piece = _PIECE.match(raw, place)
        assert piece is not None  # noqa: S101 - the pattern takes any character
        chars = _comparable(piece[0])
        if chars != " " or (plain and plain[-1] != " "):
            put(chars, place, piece.end())
        place = piece.end()
    while plain and plain[-1] == " ":
        plain.pop()
    return Said(raw, "".join(plain), tuple(quotes), tuple(begins), tuple(ends))


def fold(text: str) -> str:
    """Return a text in small letters, without accents, with plain apostrophes and dashes."""
    for apostrophe in _APOSTROPHES:
        text = text.replace(apostrophe, "'")
    text = text.replace("œ", "oe").replace("–", "-").replace("—", "-").replace("‑", "-").replace("…", "...")
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _comparable(piece: str) -> str:
    if piece.isspace():
        return " "
    folded = fold(piece)
    if len(folded) >= _CONFUSABLE and folded.isalpha() and folded not in _VOCABULARY:
        near = [word for word in _VOCABULARY if _is_slip(folded, word)]
        # Several forms of one word are one word to whoever compares them.
        if near and len({word[:4] for word in near}) == 1:
            return min(near, key=lambda word: (abs(len(word) - len(folded)), word))
    return folded


def _is_slip(typed: str, word: str) -> bool:
    """Whether one letter is amiss, too many, missing, or changed places with its neighbour; never the first."""
    if typed[0] != word[0] or abs(len(typed) - len(word)) > 1 or len(word) < _CONFUSABLE:
        return False
    begin = 0
    while begin < min(len(typed), len(word)) and typed[begin] == word[begin]:
        begin += 1
    left, right = typed[begin:], word[begin:]
    swapped = len(left) == len(right) >= 2 and left[0] == right[1] and left[1] == right[0] and left[2:] == right[2:]
    if swapped:
        return True
    if len(left) == len(right):
        # Another last letter is another form of the word (« changes », « changer »), and so is one more.
        return len(left) > 1 and left[1:] == right[1:]
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    return longer[1:] == shorter and not (shorter == right == "")


def _quoted(raw: str, place: int) -> tuple[int, str] | None:
    """Return where the quotation that begins here ends, and what is in it."""
    if raw.startswith("<<", place):
        end = raw.find(">>", place + 2)
        return None if end < 0 else (end + 2, raw[place + 2 : end].strip())
    mark = raw[place]
    if mark not in _OPENING:
        return None
    if mark in "'’‘`\"”" and place > 0 and (raw[place - 1].isalnum()):
        return None
    closing = _OPENING[mark]
    for end in range(place + 1, len(raw)):
        is_apostrophe = raw[end] in "'’" and end + 1 < len(raw) and raw[end + 1].isalnum()
        if raw[end] in closing and not is_apostrophe:
            inner = raw[place + 1 : end].strip()
            return (end + 1, inner) if inner else None
    return None
