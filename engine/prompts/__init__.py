"""Prompts, one text file each. A change of words is a new version, so that answers stay comparable."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

from engine.types import Locale

Purpose = Literal["answer", "learn"]

VERSIONS: dict[Purpose, str] = {"answer": "v3", "learn": "v1"}


def prompt_version(purpose: Purpose, locale: Locale) -> str:
    """The name under which an answer records its prompt: `answer.fr.v1`."""
    return f"{purpose}.{locale}.{VERSIONS[purpose]}"


@cache
def prompt_text(purpose: Purpose, locale: Locale) -> str:
    """Read the current prompt for a purpose in a language."""
    return (
        files("engine.prompts").joinpath(f"{prompt_version(purpose, locale)}.txt").read_text(encoding="utf-8").strip()
    )
