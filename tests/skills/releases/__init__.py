"""One page of an application in two releases, and what our scanner sent of each (`make scan URL=…/first.html`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent


def scan_of(release: str) -> dict[str, Any]:
    """Return the scan of the page in its `first` or `second` release."""
    scan: dict[str, Any] = json.loads((_FOLDER / f"{release}.json").read_text(encoding="utf-8"))
    return scan
