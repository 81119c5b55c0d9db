"""A tour for Shepherd.js, as the options of its steps."""

from __future__ import annotations

import html
import json

from shadow.exporting.chrome import PIERCE
from shadow.exporting.document import Document, Step

_ADVANCES = {"click": "click", "submit": "click", "check": "change", "select": "change", "fill": "change"}
_WORDS = {"fr": ("Retour", "Suivant", "Terminer"), "en": ("Back", "Next", "Done")}


def shepherd_tour(document: Document) -> str:
    """Return `{tourName, steps}` as JSON: `new Shepherd.Tour().addSteps(steps)` takes them.

    Shepherd draws titles and texts as HTML: they are escaped. What is inside a shadow root it cannot point at: such a
    step stands in the middle of the page. `action` names a method of the tour (`back`, `next`, `complete`), since JSON
    holds no function.
    """
    last = len(document.steps) - 1
    words = _WORDS.get(document.locale, _WORDS["en"])
    steps = []
    for index, step in enumerate(document.steps):
        back = [{"text": words[0], "action": "back", "secondary": True}] if index else []
        onward = {"text": words[2] if index == last else words[1], "action": "complete" if index == last else "next"}
        steps.append(
            {
                "id": f"step-{index + 1}",
                "title": html.escape(step.title),
                "text": html.escape(step.text or step.title),
                **_attachment(step),
                "buttons": [*back, onward],
                **({"route": step.route} if step.route else {}),
            }
        )
    return json.dumps({"tourName": document.title, "steps": steps}, ensure_ascii=False, indent=2) + "\n"


def _attachment(step: Step) -> dict[str, object]:
    pointed = next((action for action in reversed(step.actions) if action.selectors), None)
    if pointed is None or PIERCE in pointed.selectors[0] or pointed.frame:
        return {}
    selector = pointed.selectors[0]
    event = _ADVANCES.get(pointed.kind)
    return {
        "attachTo": {"element": selector, "on": "bottom"},
        **({"advanceOn": {"selector": selector, "event": event}} if event else {}),
    }
