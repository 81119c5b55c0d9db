"""The pages that these tests learn: Maison Orée's invoice form and list of orders, as the SDK would send them."""

from __future__ import annotations

import json
from pathlib import Path

from engine.service import propose_skill
from engine.types import EngineConfig, Locale, Page, Rejected, Scan, ScanNode

_PAGES = Path(__file__).parent / "pages"


def read_scan(name: str, *, locale: Locale = "fr") -> Scan:
    data = json.loads((_PAGES / f"{name}.json").read_text(encoding="utf-8"))
    nodes = tuple(ScanNode.from_wire(node) for node in data["nodes"])
    return Scan(url_pattern=data["urlPattern"], page_title=data["pageTitle"], nodes=nodes, locale=locale)


def learn(name: str, *, locale: Locale = "fr") -> Page:
    scan = read_scan(name, locale=locale)
    skill = propose_skill(scan, locale=locale, config=EngineConfig())
    return Page(skill.name, skill.summary, scan.url_pattern, locale, skill.intents)


def rejected(*plans: list[str]) -> list[Rejected]:
    """Give plans as reviewers have rejected them, without saying why."""
    return [Rejected(tuple(plan)) for plan in plans]
