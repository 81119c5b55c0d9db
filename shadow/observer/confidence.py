"""How sure a step is, and why not surer."""

from __future__ import annotations

from shadow.observer.drafts import Draft
from shadow.observer.steps import Reason, ReasonCode
from shadow.observer.vocabulary import vocabulary

LEAST = 0.1
# A frame that an imported recording knows by its place in the page alone.
BY_PLACE = "?"
_LOST: dict[ReasonCode, float] = {
    "no_name": 0.3,
    "ambiguous_locator": 0.2,
    "no_effect": 0.15,
    "idle_boundary": 0.1,
    "unknown_frame": 0.25,
}
_LOST_WITH_PLACE = 0.1
# Whoever follows one of them expects something to come of it.
_LEADS_SOMEWHERE = frozenset({"link"})


def weigh(draft: Draft, locale: str, *, is_last: bool) -> tuple[float, tuple[Reason, ...]]:
    """Return the confidence in a draft, from 0 to 1, and a reason for each loss.

    Of the `is_last` draft nobody knows yet whether it has an effect.
    """
    sentences = vocabulary(locale).reasons
    codes: list[ReasonCode] = []
    lost = 0.0
    target = draft.target
    if target is not None:
        if not (target.name or target.text) and draft.kind != "submit":
            codes.append("no_name")
        if target.matches > 1:
            codes.append("ambiguous_locator")
            # The row or the heading in the step's name says which one.
            lost -= _LOST["ambiguous_locator"] - _LOST_WITH_PLACE if target.row or target.heading else 0
    if not is_last and _leads_nowhere(draft):
        codes.append("no_effect")
    if draft.after_idle:
        codes.append("idle_boundary")
    is_frame_lost = draft.frame.startswith(BY_PLACE)
    if draft.after_unseen or is_frame_lost:
        codes.append("unknown_frame")
    lost += sum(_LOST[code] for code in codes)
    count = target.matches if target is not None else 0
    said = sentences | ({"unknown_frame": sentences["frame_by_place"]} if is_frame_lost else {})
    reasons = tuple(Reason(code, said[code].format(count=count)) for code in codes)
    return round(max(1 - lost, LEAST), 2), reasons


def _leads_nowhere(draft: Draft) -> bool:
    if draft.effect is not None or draft.is_submitted:
        return False
    if draft.kind == "key":
        return draft.key == "Enter"
    return draft.kind == "click" and draft.target is not None and draft.target.role in _LEADS_SOMEWHERE
