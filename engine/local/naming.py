"""Names of things inside sentences: articles, elisions, quotation marks, in French and in English."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from engine.local.lexicon import lexicon
from engine.local.text import fold, words
from engine.types import Locale

NBSP = "\u00a0"
_QUOTED_LENGTH = 40
_TAIL = re.compile(r"[\s:*…]+$|\s*\((?:obligatoire|requis|required|facultatif|optionnel|optional)\)\s*$", re.IGNORECASE)
_ICONS = re.compile("[\ue000-\uf8ff]")
_MASK = re.compile(r"\[[A-Z_]+\]")
# Labels are scanned in 30 characters; of emoji, one may be several.
_CUT_LENGTH = 28
_HEAD = re.compile(r"^[^\w«“\"(%€$#]+")
_FEMININE_ENDINGS = ("tion", "sion", "ite", "ence", "ance", "ure", "ette", "tude", "aison")
_MASCULINE_ENDINGS = ("ment", "age", "isme", "oir", "teur")
_POSSESSIVES_EN = frozenset(["the", "a", "an", "my", "your", "our", "their", "his", "her", "this"])
_PLAIN_LABEL = re.compile(r"^[^\W\d_][\w\s'’,()%°€/-]*$")
# *Remise (%)* is a discount; *Inscription (date)* is a part of it.
_UNIT = re.compile(r"\s*\((?!date|time|hour|year|jour|mois)[^()]{1,4}\)$")
_ABBREVIATED = re.compile(r"\.|/")
# *Date d’arrivée du*, with what follows it in a field, is no name.
_UNFINISHED = re.compile(r" (?:du|de|des|au|aux|à|le|from|to|of|until|since|by)$", re.IGNORECASE)

Gender = Literal["f", "m"]


@dataclass(frozen=True, slots=True)
class Noun:
    """How French treats the head of a name."""

    gender: Gender
    plural: bool
    elides: bool


def clean_label(label: str) -> str:
    """Take off what decorates a label on a page: stars, colons, "(required)", leading icons, extra spaces.

    Of a label that the scanner cut, the half word at its end goes too.
    """
    if label.endswith("…") and len(label) >= _CUT_LENGTH and " " in label:
        label = label.rsplit(" ", 1)[0].rstrip(" &-–,;")
    label = _HEAD.sub("", " ".join(_ICONS.sub(" ", label).split()))
    previous = None
    while label != previous:
        previous, label = label, _TAIL.sub("", label)
    return label


def row_name(row: str) -> str:
    """What a row is called, without what stands in it in the place of private words."""
    return clean_label(" ".join(_MASK.sub(" ", row).split()))


def quote(label: str, locale: Locale) -> str:
    """Put a name of the page between the quotation marks of the language, cut to a readable length."""
    if len(label) > _QUOTED_LENGTH:
        label = label[: _QUOTED_LENGTH - 1].rstrip() + "…"
    return f"«{NBSP}{label}{NBSP}»" if locale == "fr" else f"“{label}”"


def named(label: str, locale: Locale) -> str:
    """Speak of a thing by its definite name (*la remise*, *the due date*), or by its label in quotation marks when
    grammar cannot be known."""
    said = spoken(_UNIT.sub("", label))
    return (_named_fr(said) if locale == "fr" else _named_en(said)) or quote(label, locale)


def spoken(label: str) -> str:
    """Read a label that the page shouts (*AJOUTER UN CLIENT*) in a normal voice; acronyms stay."""
    shouted = label.isupper() and any(len(word) > 4 for word in words(label))
    return label.lower() if shouted else label


def one_of(label: str, locale: Locale) -> str:
    """Like `named`, but any one of them: *une remise*, *an order*. Plurals become singular."""
    if locale == "en":
        name = label.lower()
        return f"{'an' if name[:1] in 'aeio' else 'a'} {name}"
    noun = french_noun(label)
    if noun is None or not _speakable(label) or _determined(label):
        return quote(label, locale)
    if _head(label) in _nouns()["plural_only"]:
        return f"des {inside(label)}"
    if noun.plural:
        first, _, rest = label.partition(" ")
        single = next(form for form in _singulars(first) if _gender(fold(form)))
        label = f"{single} {rest}".rstrip()
    return f"{'une' if noun.gender == 'f' else 'un'} {inside(label)}"


def sentence(text: str) -> str:
    """Start with a capital."""
    return text[:1].upper() + text[1:]


def inside(label: str) -> str:
    """Write a label as part of a sentence: small first letter unless it is an acronym, curly apostrophes."""
    first = label.split(maxsplit=1)[0]
    acronym = len(first) > 1 and first[1].isupper()
    label = label.replace("'", "’")
    return label if acronym else label[:1].lower() + label[1:]


def french_noun(label: str) -> Noun | None:
    """Tell gender and number of the label's head word, or None when neither list nor ending tells."""
    head = _head(label)
    if not head:
        return None
    data = _nouns()
    elides = head[0] in "aeiou" or (head[0] == "h" and head not in data["aspirated"])
    if head in data["plural_only"]:
        return Noun("m", plural=True, elides=elides)
    for form, plural in ((head, False), *((single, True) for single in _singulars(head))):
        gender = _gender(form)
        if gender:
            return Noun(gender, plural, elides)
    return None


def _head(label: str) -> str:
    return "-".join(words(label.split(maxsplit=1)[0])) if label.split() else ""


def _determined(label: str) -> bool:
    return _head(label) in _nouns()["determiners"] or label[:2].lower() in ("l'", "l’")


def _gender(word: str) -> Gender | None:
    data = _nouns()
    if word in data["feminine"] or word in data["adjectives_feminine"]:
        return "f"
    if word in data["masculine"] or word in data["adjectives_masculine"]:
        return "m"
    if len(word) >= 6 and word.endswith(_FEMININE_ENDINGS):
        return "f"
    if len(word) >= 6 and word.endswith(_MASCULINE_ENDINGS):
        return "m"
    return None


def _singulars(word: str) -> list[str]:
    forms = [word[:-1]] if word.endswith(("s", "x")) else []
    return [*forms, word[:-3] + "al"] if word.endswith("aux") else forms


def _named_fr(label: str) -> str:
    if not _speakable(label):
        return ""
    if _determined(label):
        return inside(label)
    noun = french_noun(label)
    if noun is None:
        return ""
    name = inside(label)
    if noun.plural:
        return f"les {name}"
    if noun.elides:
        return f"l’{name}"
    return f"{'la' if noun.gender == 'f' else 'le'} {name}"


def _named_en(label: str) -> str:
    parts = words(label)
    if not parts or not _speakable(label) or fold(label) != label.lower().replace("’", "'"):
        return ""
    if parts[0] in _POSSESSIVES_EN:
        return inside(label)
    if not any(lexicon().speaks(part, "en") for part in parts):
        return ""
    return f"the {inside(label)}"


def _speakable(label: str) -> bool:
    return (
        len(label) <= _QUOTED_LENGTH
        and bool(_PLAIN_LABEL.match(label))
        and not (_ABBREVIATED.search(label) or _UNFINISHED.search(label))
    )


@cache
def _nouns() -> dict[str, frozenset[str]]:
    text = files("engine.local").joinpath("nouns.fr.toml").read_text(encoding="utf-8")
    return {name: frozenset(entries.split()) for name, entries in tomllib.loads(text).items()}
