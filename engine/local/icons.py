"""Pictures on buttons: what people mean by the ones that icon fonts draw."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from engine.types import Locale

# How the scanner marks a picture's name where a nameless element has no technical name of its own.
MARK = "icon:"


def meaning_of(name: str, locale: Locale) -> str:
    """Return what a marked picture does, in words: `icon:trash-alt` is *Supprimer*. Empty for any other name."""
    icon = picture_in(name)
    plain = icon.removesuffix("-fill").removesuffix("-outline").removesuffix("-alt")
    return (_known().get(icon) or _known().get(plain) or {}).get(locale, "")


def picture_in(name: str) -> str:
    """Return the icon font's own name of a marked picture; empty for any other name."""
    return name.removeprefix(MARK) if name.startswith(MARK) else ""


@cache
def _known() -> dict[str, dict[Locale, str]]:
    data = tomllib.loads(files("engine.local").joinpath("icons.toml").read_text(encoding="utf-8"))
    return {
        icon: {"fr": entry["fr"], "en": entry["en"]} for entry in data.values() for icon in entry["icons"].split(", ")
    }
