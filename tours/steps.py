"""A tour's steps: how they are stored, checked, and put in the shape that Shepherd.js runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.guardrails import TEXT_LENGTH, TITLE_LENGTH, clean_text
from engine.types import AnswerDraft, Intent, Page
from moderation.registry import content_digest
from organizations.errors import ServiceError

MAX_STEPS = 12
# Of a demonstration, which goes through several pages.
MAX_DEMONSTRATED = 24
MAX_TITLE = TITLE_LENGTH
MAX_TEXT = TEXT_LENGTH
PLACEMENTS = ("bottom", "top", "left", "right")
# What a user does on the element that takes them to the next step. Typing is not in it: no key is the last one, and a
# field that is left on the way to the card's own button would advance twice. A box is ticked by a click, wherever it
# falls: on a box of the browser's, on a label that is drawn in its place, on a switch of the page's own.
ADVANCING = {"click": "click", "submit": "click", "navigate": "click", "check": "click", "select": "change"}


class Step(TypedDict):
    """One step as a version stores it. All texts are plain text.

    ``fingerprint`` is what the page-skill knew of the element when the version was made, "" for nothing: a version
    points with what it was approved with, whatever the page is learnt to be later. ``picked`` is "" for an element of
    the page-skill; of one that somebody pointed at on the page itself it is what to call it, and ``intent_id`` then
    says what the step is for, not what it points at. ``route`` is the pattern of the page that a demonstration's step
    is on, and ``page`` its title; the steps of other tours are on their tour's page.
    """

    intent_id: str
    title: str
    text: str
    selector: str
    fallback_selector: str
    fingerprint: str
    placement: str
    action_type: str
    picked: str
    route: NotRequired[str]
    page: NotRequired[str]


def steps_from_draft(draft: AnswerDraft, page: Page) -> list[Step]:
    """Put the page-skill's selectors behind the intent ids of an answer; unknown ids are left out."""
    intents = {intent.intent_id: intent for intent in page.intents}
    return [
        Step(
            title=step.title,
            text=step.text,
            placement="bottom",
            **target_of(intents[step.intent_id]),
        )
        for step in draft.steps
        if step.intent_id in intents
    ]


def steps_clean(
    steps: Sequence[dict[str, Any]],
    page: Page | None,
    picked: Mapping[str, Step] | None = None,
    *,
    most: int = MAX_STEPS,
) -> list[Step]:
    """Return an editor's steps, checked; each points at an intent of the page, or at an element that was ``picked``.

    A demonstration has no ``page``. ``picked`` holds the tour's own picked steps (``picked_steps``). Of an editor's
    step only its ``picked_key`` says which of them it means, and only when it says that it is one: whatever else it
    holds is not read.
    Texts lose markup and control characters. Raises ``ServiceError`` (``invalid_tour``, 422) naming what
    is wrong.
    """
    intents = {intent.intent_id: intent for intent in page.intents} if page is not None else {}
    wrong: dict[str, str] = {}
    clean: list[Step] = []
    for index, step in enumerate(steps):
        title, text = plain(step.get("title")), plain(step.get("text"))
        target = _target(step, intents, picked or {})
        placement = str(step.get("placement", "bottom"))
        for key, value, longest in (("title", title, MAX_TITLE), ("text", text, MAX_TEXT)):
            if not value:
                wrong[f"steps[{index}].{key}"] = _("this cannot be empty")
            elif len(value) > longest:
                wrong[f"steps[{index}].{key}"] = _("at most %(max)d characters are accepted") % {"max": longest}
        if placement not in PLACEMENTS:
            wrong[f"steps[{index}].placement"] = _("unknown placement")
        if target is None:
            wrong[f"steps[{index}].intent_id"] = _("this target is not on the learnt page")
            continue
        clean.append(Step(title=title, text=text, placement=placement, **target))
    if not steps:
        wrong["steps"] = _("a tour needs at least one step")
    if len(steps) > most:
        wrong["steps"] = _("a tour has at most %(max)d steps") % {"max": most}
    if wrong:
        raise ServiceError("invalid_tour", _("This tour cannot be saved."), status=422, fields=wrong)
    return clean


class Target(TypedDict):
    """The part of a step that says what it points at."""

    intent_id: str
    selector: str
    fallback_selector: str
    fingerprint: str
    action_type: str
    picked: str
    route: NotRequired[str]
    page: NotRequired[str]


def target_of(intent: Intent) -> Target:
    """Return how a step points at an element of the page-skill."""
    return Target(
        intent_id=intent.intent_id,
        selector=intent.selector,
        fallback_selector=intent.fallback_selector,
        fingerprint=intent.fingerprint,
        action_type=intent.action_type,
        picked="",
    )


def picked_steps(versions: Iterable[Sequence[Step]]) -> dict[str, Step]:
    """Return, by ``picked_key``, the steps of a tour's versions whose element somebody picked; the last one wins."""
    return {picked_key(step): step for steps in versions for step in steps if step["picked"]}


def picked_key(step: Mapping[str, Any]) -> str:
    """Return what tells a tour's picked elements apart: their selectors, and of a demonstration's their pages too.

    An editor says the whole of it in the place of the selector.
    """
    return f"{step.get('route', '')} {step.get('selector', '')}".strip()


def _target(step: Mapping[str, Any], intents: Mapping[str, Intent], picked: Mapping[str, Step]) -> Target | None:
    if step.get("picked"):
        known = picked.get(picked_key(step))
        return None if known is None else _target_again(known)
    intent = intents.get(str(step.get("intent_id", "")))
    return None if intent is None else target_of(intent)


def _target_again(step: Step) -> Target:
    again = Target(
        intent_id=step["intent_id"],
        selector=step["selector"],
        fallback_selector=step["fallback_selector"],
        fingerprint=step["fingerprint"],
        action_type=step["action_type"],
        picked=step["picked"],
    )
    if "route" in step:
        again["route"] = step["route"]
    if "page" in step:
        again["page"] = step["page"]
    return again


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


def shepherd_steps(
    steps: Sequence[Step], locale: str, route: str = "", *, before: Sequence[Step] = (), before_route: str = ""
) -> list[dict[str, Any]]:
    """Return the steps in the specification's shape (§4.2), with their buttons in the reader's language.

    ``route`` is the pattern of the page that they are about, for a reader who may be on another one; a step that names
    its own page is there. Steps ``before`` them lead there from the page at ``before_route``.
    """
    every = [
        *((step, before_route) for step in before),
        *((step, step.get("route") or route) for step in steps),
    ]
    with override(locale):
        return [
            {
                "attachTo": {"element": step["selector"], "on": step["placement"]},
                "fallback_selector": step["fallback_selector"],
                **({"fingerprint": step["fingerprint"]} if step["fingerprint"] else {}),
                "title": step["title"],
                "text": step["text"],
                "buttons": _buttons(index, len(every)),
                **({"route": place} if place else {}),
                **({"advanceOn": {"event": event}} if (event := ADVANCING.get(step["action_type"])) else {}),
            }
            for index, (step, place) in enumerate(every)
        ]


def _buttons(index: int, count: int) -> list[dict[str, str]]:
    back = [{"text": _("Back"), "action": "back"}] if index else []
    forward = {"text": _("Done"), "action": "complete"} if index == count - 1 else {"text": _("Next"), "action": "next"}
    return [*back, forward]
