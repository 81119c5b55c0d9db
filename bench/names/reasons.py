"""Why our name of an element differs from Chromium's on purpose."""

from __future__ import annotations

import re
from typing import Any

_ICONS = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
# What browsers write on buttons that the page leaves without a word. Ours is in the language that the page may ask for.
_UNWRITTEN = (
    {"Envoyer", "Submit"},
    {"Réinitialiser", "Reset"},
    {"Choisir un fichier", "Choose File"},
    {"Choisir des fichiers", "Choose Files"},
)


def reason(ours: str, theirs: str, traits: dict[str, Any]) -> str | None:
    """The first reason that explains the whole difference; None when none does."""
    titles = traits["titles"]
    readable = " ".join(_ICONS.sub("", theirs).split())
    case_apart = traits["isTransformed"] and ours.casefold() == readable.casefold()
    explanations = {
        "glyphs of icon fonts": traits["hasIcon"]
        and readable != theirs
        and (readable == ours or case_apart or (readable == "" and ours in titles)),
        "text-transform": case_apart and readable == theirs,
        "title of what says nothing else": theirs == "" and ours in titles,
        "chosen values in the titles of scripted controls": traits["isScripted"] and ours == "" and theirs in titles,
        "values of embedded controls": traits["embedsControl"] and ours != "" and _adds_words(ours, theirs),
        "labels that are not shown": traits["hasHiddenLabel"] and theirs == "",
        "wording of the browser's language": traits["isUnwritten"]
        and any({ours, theirs} <= wordings for wordings in _UNWRITTEN),
        "plain elements": traits["isPlain"] and theirs == "",
    }
    return next((name for name, explains in explanations.items() if explains), None)


def _adds_words(ours: str, theirs: str) -> bool:
    """Whether all our words are in theirs, in this order."""
    words = iter(theirs.split())
    return all(word in words for word in ours.split())
