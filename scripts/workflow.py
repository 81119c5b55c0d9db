"""Draws the review workflow of `moderation.states` into docs/reviewing.md: `python scripts/workflow.py`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reviewing.md"
BEGIN, END = "<!-- workflow: drawn by scripts/workflow.py -->\n", "<!-- /workflow -->\n"


def drawing() -> str:
    """Return the table of transitions as a Mermaid diagram and as a table, in English."""
    from django.utils.translation import override

    with override("en"):
        return f"{_diagram()}\n{_table()}"


def redrawn(page: str) -> str:
    """Return the page with the drawing as the code has it now."""
    between = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    return between.sub(lambda _found: BEGIN + drawing() + END, page)


def _diagram() -> str:
    from moderation.states import TRANSITIONS, Status

    lines = ["```mermaid", "stateDiagram-v2"]
    lines += [f"    {status.value}: {status.label}" for status in Status]
    lines.append(f"    [*] --> {Status.DRAFT.value}")
    for verb, transition in TRANSITIONS.items():
        for source in Status:
            if source in transition.sources:
                lines.append(f"    {source.value} --> {transition.target.value}: {verb.label}")
    return "\n".join([*lines, "```", ""])


def _table() -> str:
    from moderation.states import TRANSITIONS, Status

    rows = ["| what | from | to | who | a reason |", "|---|---|---|---|---|"]
    for verb, transition in TRANSITIONS.items():
        sources = ", ".join(str(status.label) for status in Status if status in transition.sources)
        who = f"{transition.role.label} and above" if transition.role else "Circuy"
        needed = "needed" if transition.needs_reason else ""
        rows.append(f"| {verb.label} | {sources} | {transition.target.label} | {who} | {needed} |")
    return "\n".join([*rows, ""])


if __name__ == "__main__":
    import os

    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    PAGE.write_text(redrawn(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
