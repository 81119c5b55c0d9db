"""A tour's steps: how they are stored, checked, and put in the shape that Shepherd.js runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.guardrails import TEXT_LENGTH, TITLE_LENGTH, clean_text
from engine.types import AnswerDraft, Page
from moderation.registry import content_digest
from organizations.errors import ServiceError

MAX_STEPS = 12
MAX_TITLE = TITLE_LENGTH
MAX_TEXT = TEXT_LENGTH
PLACEMENTS = ("bottom", "top", "left", "right")


class Step(TypedDict):
    """One step as a version stores it. All texts are plain text.

    ``fingerprint`` is what the page-skill knew of the element when the version was made, "" for nothing: a version
    points with what it was approved with, whatever the page is learnt to be later.
    """

    intent_id: str
    title: str
    text: str
    selector: str
    fallback_selector: str
    fingerprint: str
    placement: str
    action_type: str


def steps_from_draft(draft: AnswerDraft, page: Page) -> list[Step]:
    """Put the page-skill's selectors behind the intent ids of an answer; unknown ids are left out."""
    intents = {intent.intent_id: intent for intent in page.intents}
    return [
        Step(
            intent_id=step.intent_id,
            title=step.title,
            text=step.text,
            selector=intents[step.intent_id].selector,
            fallback_selector=intents[step.intent_id].fallback_selector,
            fingerprint=intents[step.intent_id].fingerprint,
            placement="bottom",
            action_type=intents[step.intent_id].action_type,
        )
        for step in draft.steps
        if step.intent_id in intents
    ]


def steps_clean(steps: Sequence[dict[str, Any]], page: Page) -> list[Step]:
    """Return an editor's steps, checked; the target of each is an intent of the page.

    Texts lose markup and control characters. Raises ``ServiceError`` (``invalid_tour``, 422) naming what
    is wrong.
    """
    intents = {intent.intent_id: intent for intent in page.intents}
    wrong: dict[str, str] = {}
    clean: list[Step] = []
    for index, step in enumerate(steps):
        title, text = plain(step.get("title")), plain(step.get("text"))
        intent = intents.get(str(step.get("intent_id", "")))
        placement = str(step.get("placement", "bottom"))
        for key, value, longest in (("title", title, MAX_TITLE), ("text", text, MAX_TEXT)):
            if not value:
                wrong[f"steps[{index}].{key}"] = _("this cannot be empty")
            elif len(value) > longest:
                wrong[f"steps[{index}].{key}"] = _("at most %(max)d characters are accepted") % {"max": longest}
        if placement not in PLACEMENTS:
            wrong[f"steps[{index}].placement"] = _("unknown placement")
        if intent is None:
            wrong[f"steps[{index}].intent_id"] = _("this target is not on the learnt page")
            continue
        clean.append(
            Step(
                intent_id=intent.intent_id,
                title=title,
                text=text,
                selector=intent.selector,
                fallback_selector=intent.fallback_selector,
                fingerprint=intent.fingerprint,
                placement=placement,
                action_type=intent.action_type,
            )
        )
    if not steps:
        wrong["steps"] = _("a tour needs at least one step")
    if len(steps) > MAX_STEPS:
        wrong["steps"] = _("a tour has at most %(max)d steps") % {"max": MAX_STEPS}
    if wrong:
        raise ServiceError("invalid_tour", _("This tour cannot be saved."), status=422, fields=wrong)
    return clean


def plain(text: object) -> str:
    """Return what an editor typed as plain text on one line, whole: too long is said, not cut."""
    typed = text if isinstance(text, str) else ""
    return clean_text(typed, limit=len(typed) + 1)


def steps_digest(title: str, steps: Sequence[Step]) -> str:
    """Return the digest that decisions on this content are bound to."""
    return content_digest({"title": title, "steps": list(steps)})


def same_but_fingerprints(one: Sequence[Step], other: Sequence[Step]) -> bool:
    """Tell whether two lists of steps say the same and point with the same selectors."""
    return [{**step, "fingerprint": ""} for step in one] == [{**step, "fingerprint": ""} for step in other]


def shepherd_steps(steps: Sequence[Step], locale: str) -> list[dict[str, Any]]:
    """Return the steps in the specification's shape (§4.2), with their buttons in the reader's language."""
    with override(locale):
        return [
            {
                "attachTo": {"element": step["selector"], "on": step["placement"]},
                "fallback_selector": step["fallback_selector"],
                **({"fingerprint": step["fingerprint"]} if step["fingerprint"] else {}),
                "title": step["title"],
                "text": step["text"],
                "buttons": _buttons(index, len(steps)),
            }
            for index, step in enumerate(steps)
        ]


def _buttons(index: int, count: int) -> list[dict[str, str]]:
    back = [{"text": _("Back"), "action": "back"}] if index else []
    forward = {"text": _("Done"), "action": "complete"} if index == count - 1 else {"text": _("Next"), "action": "next"}
    return [*back, forward]
