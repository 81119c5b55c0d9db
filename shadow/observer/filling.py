"""What is put into fields: text, choices, ticks."""

from __future__ import annotations

from shadow.observer.drafts import Draft
from shadow.observer.events import Event, same_element
from shadow.observer.steps import StepKind
from shadow.observer.story import AT_ONCE_S, Story, soon_after


def fill(story: Story, event: Event) -> None:
    """One fill a field until something else is done; the last value wins."""
    last = story.last
    if last is not None and last.kind in ("fill", "click") and last.effect is None and same_element(last.acted, event):
        if last.kind == "fill":
            story.retell(last, event)
        else:
            _turn_clicks(story, event, "fill")
        return
    if last is not None and _is_echo(last, event):
        story.grow(last, event)
        return
    if last is not None and _is_told_late(last, event):
        _fill_before(story, event)
        return
    story.drop_stray_focus(event)
    story.begin(event, "fill")


def select(story: Story, event: Event) -> None:
    """An option of a list of the browser's own; the last one wins until something else is done."""
    last = story.last
    if last is not None and last.effect is None and same_element(last.acted, event):
        if last.kind == "select":
            story.retell(last, event)
            return
        if last.kind in ("click", "key"):
            _turn_clicks(story, event, "select")
            return
    story.drop_stray_focus(event)
    story.begin(event, "select")


def check(story: Story, event: Event) -> None:
    """Boxes count by what they are in the end: one that is ticked and unticked again is no step."""
    last = story.last
    cause: Draft | None = None
    if last is not None and last.kind in ("click", "key") and last.effect is None and not last.is_submitted:
        if same_element(last.acted, event) or soon_after(last, event, AT_ONCE_S):
            cause = story.drafts.pop()
        else:
            story.drop_stray_focus(event)
    key = story.box_key(event)
    before = story.boxes.pop(key, None)
    if before is not None and before not in story.drafts:
        before = None
    is_radio = event.target is not None and event.target.is_radio
    draft = story.begin(event, "check")
    if cause is not None:
        draft.absorb(cause)
    draft.began_checked = None if event.checked is None else not event.checked
    if before is not None:
        draft.began_checked = before.began_checked
        story.drafts.remove(before)
        draft.absorb(before)
        if not is_radio and event.checked is not None and event.checked == draft.began_checked:
            story.drafts.remove(draft)
            return
    story.boxes[key] = draft


def _turn_clicks(story: Story, event: Event, kind: StepKind) -> None:
    """Clicks and keys on a field before it is written in, or chosen from, are a part of that."""
    before: list[Draft] = []
    while (
        (last := story.last) is not None
        and last.kind in ("click", "key")
        and last.effect is None
        and not last.is_submitted
        and same_element(last.acted, event)
    ):
        before.append(story.drafts.pop())
    draft = story.begin(event, kind)
    for one in before:
        draft.absorb(one)


def _is_echo(last: Draft, event: Event) -> bool:
    """The page writes what was picked from a list of its own into the field, which tells of it when it is left."""
    is_same = last.kind == "select" and last.effect is None and same_element(last.acted, event)
    value, option = (event.value or "").casefold(), (last.option or "").casefold()
    return is_same and bool(value) and (value in option or option in value)


def _is_told_late(last: Draft, event: Event) -> bool:
    """Some pages and browsers tell of a value only after the Enter that sends it."""
    if last.kind not in ("key", "submit") or not soon_after(last, event, AT_ONCE_S):
        return False
    return any(same_element(known, event) for known in last.events if known.kind == "key")


def _fill_before(story: Story, event: Event) -> None:
    sent = story.drafts.pop()
    before = story.last
    if before is not None and before.kind == "fill" and same_element(before.acted, event):
        story.retell(before, event)
    else:
        story.begin(event, "fill")
    story.drafts.append(sent)
