"""The parsed `rules.json`."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

TABLE: dict[str, Any] = json.loads(files("engine.masking").joinpath("rules.json").read_text(encoding="utf-8"))


def expanded(pattern: str) -> str:
    """`pattern` with each `{name}` replaced by that part of the table."""
    for name, part in reversed(TABLE["parts"].items()):
        pattern = pattern.replace("{" + name + "}", part)
    return pattern
