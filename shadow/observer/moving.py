"""What changes of page mean: an effect of what was done before, or a step of its own."""

from __future__ import annotations

from shadow.observer.drafts import Draft
from shadow.observer.events import Event, page_of
from shadow.observer.pressing import EFFECT_S
from shadow.observer.story import Story, soon_after

# Back within this time after a click is what the click did: nobody is faster.
BACK_BY_CLICK_S = 1.0
_OWN_STEPS = frozenset({"typed", "reload"})
_BACK = frozenset({"back", "forward", "pop"})
# The page moves by itself: on its own it shows nothing.
_OWN_MOVES = frozenset({"replace", "script"})


def navigate(story: Story, event: Event) -> None:
    """A change of page up to 5 s after an interaction is its effect; typed, reload, back and forward are steps."""
    if event.cause == "replace" and _is_same_page(event):
        return
    if event.cause in _OWN_STEPS:
        _step(story, event)
        return
    unproven = story.unproven
    if unproven is not None and event.at - unproven.at <= EFFECT_S and event.cause not in _BACK:
        _effect(story, story.begin(unproven, "click"), event)
        return
    last = story.last
    if event.cause in _BACK:
        if last is not None and _went_back(last, event):
            _effect(story, last, event)
        else:
            _step(story, event)
    elif last is not None and soon_after(last, event, EFFECT_S):
        _effect(story, last, event)
    elif event.cause not in _OWN_MOVES:
        _step(story, event)


def _is_same_page(event: Event) -> bool:
    return not event.from_url or page_of(event.from_url) == event.page


def _went_back(last: Draft, event: Event) -> bool:
    return last.kind == "click" and last.effect is None and soon_after(last, event, BACK_BY_CLICK_S)


def _effect(story: Story, draft: Draft, event: Event) -> None:
    draft.events.append(event)
    draft.effect = event.url
    story.unproven = None
    story.close_group()


def _step(story: Story, event: Event) -> None:
    story.close_group()
    story.begin(event, "navigate")
