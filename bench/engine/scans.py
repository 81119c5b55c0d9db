"""Each page of a labelled folder, scanned once in Chromium with our scanner, and kept until page or scanner change."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext

from bench.browser.bundles import ASIDE
from bench.browser.chromium import Tab, chromium, offline_context
from bench.browser.corpus import ROOT
from bench.engine.labels import Label
from engine.types import Locale, Scan, ScanNode

BUNDLE = ROOT / "static" / "circuy" / "circuy-scan.js"
_IN_PAGE = Path(__file__).parent / "page" / "targets.js"


@dataclass(frozen=True)
class ScannedPage:
    """A page as our scanner sent it, and by labelled selector the scan's own selector of the same element ("" where the
    scan has none)."""

    name: str
    scan: Scan
    targets: Mapping[str, str]


def scanned_pages(folder: Path, labels: Sequence[Label]) -> dict[str, ScannedPage]:
    """Scan all pages of these labels; Chromium starts only for those that are not kept from before."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for label in labels:
        wanted[label.page].update(label.selectors)
    scripts = [BUNDLE.read_text(encoding="utf-8"), _IN_PAGE.read_text(encoding="utf-8")]
    files = {page: _kept_in(folder / page, selectors, scripts) for page, selectors in wanted.items()}
    missing = [page for page, file in files.items() if not file.is_file()]
    if missing:
        with chromium() as browser:
            context = offline_context(browser)
            for number, page in enumerate(missing, start=1):
                sys.stderr.write(f"\r\x1b[Kscanning {number}/{len(missing)} {page}")
                answer = _read(context, folder / page, sorted(wanted[page]), scripts)
                files[page].parent.mkdir(parents=True, exist_ok=True)
                files[page].write_text(json.dumps(answer, ensure_ascii=False), encoding="utf-8")
            sys.stderr.write("\r\x1b[K")
    return {page: _page(page, json.loads(file.read_text(encoding="utf-8"))) for page, file in files.items()}


def _read(context: BrowserContext, file: Path, selectors: Sequence[str], scripts: list[str]) -> dict[str, Any]:
    tab = Tab(context, file.as_uri(), scripts)
    answer: dict[str, Any] = tab.ask("CircuyTargets.read", list(selectors), seconds=60)
    answer["locale"] = tab.call("document.documentElement.lang", seconds=5)
    tab.close()
    return answer


def _kept_in(file: Path, selectors: set[str], scripts: Sequence[str]) -> Path:
    digest = hashlib.sha256()
    for text in (*scripts, file.read_text(encoding="utf-8"), *sorted(selectors)):
        digest.update(text.encode() + b"\0")
    return ASIDE / "engine" / f"{file.stem}-{digest.hexdigest()[:16]}.json"


def _page(name: str, answer: Mapping[str, Any]) -> ScannedPage:
    payload = answer["payload"]
    nodes = tuple(ScanNode.from_wire(node) for node in payload["nodes"])
    by_id = {node.id: node.selector for node in nodes}
    locale: Locale = "fr" if answer["locale"].lower().startswith("fr") else "en"
    return ScannedPage(
        name=name,
        scan=Scan(payload["urlPattern"], payload["pageTitle"], nodes, locale),
        targets={selector: by_id.get(node or "", "") for selector, node in answer["nodes"].items()},
    )
