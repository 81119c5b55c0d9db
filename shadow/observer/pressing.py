"""What clicks, keys and submits mean."""

from __future__ import annotations

from shadow.observer.drafts import Draft
from shadow.observer.events import Event, Target, same_element
from shadow.observer.story import AT_ONCE_S, Story, soon_after

DOUBLE_CLICK_S = 0.5
ACTIVATION_S = 0.5
EFFECT_S = 5.0
PICKING_FILES_S = 120.0
_OPTION_ROLES = frozenset({"option", "menuitemradio", "treeitem"})
# Parts of a list of which the page's author said no more.
_ITEM_ROLES = frozenset({"", "listitem", "menuitem"})
_PLAIN = frozenset({"", "combobox", "listbox"})
_OPENER_ROLES = frozenset({"combobox", "listbox", "button", "textbox", "searchbox", "spinbutton", ""})
# They move the focus or the caret, or say nothing without another key.
_SILENT_KEYS = frozenset(
    {"Tab", "Shift+Tab", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"}
    | {"Backspace", "Delete", "Shift", "Control", "Alt", "Meta", "CapsLock", "AltGraph", "ContextMenu"}
)
_EDITING = frozenset(f"{held}+{key}" for held in ("Control", "Meta") for key in "acvxzyACVXZY")


def click(story: Story, event: Event) -> None:
    """One click on what is interactive; on nothing it is noise, until the page moves."""
    target, last = event.target, story.last
    if target is None or not target.is_pressable:
        story.unproven = event
        return
    if event.option is not None or target.role == "option" or (last is not None and _is_picked(last, event, target)):
        choose_option(story, event)
        return
    if last is not None and _is_made_by_key(last, event):
        _activate(story, last, event)
    elif last is not None and _is_in_same_field(last, event):
        story.grow(last, event)
        return
    elif last is not None and last.kind == "check" and same_element(last.acted, event) and soon_after(last, event, 0.5):
        # Some browsers tell of the click on a box after its change.
        story.grow(last, event)
        return
    else:
        if target.is_editable:
            story.drop_stray_focus(event)
        story.begin(event, "click")
    if not target.is_editable and not target.is_box:
        story.close_group()


def double_click(story: Story, event: Event) -> None:
    """A double click stands for the clicks that it is made of."""
    target, last = event.target, story.last
    if target is None or not target.is_pressable or target.is_box or target.role in _OPTION_ROLES:
        return
    if last is not None and last.kind != "click" and same_element(last.acted, event):
        if last.kind in ("fill", "select"):
            story.grow(last, event)
        return
    clicks: list[Draft] = []
    while (
        (last := story.last) is not None
        and last.kind == "click"
        and last.clicks == 1
        and len(clicks) < 2
        and same_element(last.acted, event)
        and soon_after(last, event, DOUBLE_CLICK_S)
    ):
        clicks.append(story.drafts.pop())
    draft = story.begin(event, "click")
    draft.clicks = 2
    for before in clicks:
        draft.absorb(before)


def press(story: Story, event: Event) -> None:
    """Enter, Space, Escape and shortcuts; keys that move about are noise."""
    key, target, last = event.key, event.target, story.last
    if event.option is not None:
        choose_option(story, event)
        return
    if key in _SILENT_KEYS or key in _EDITING or not key:
        return
    if key == "Enter" and target is not None and (target.tag == "textarea" or _is_written_in(event)):
        return
    if key in ("Enter", "Space") and target is not None and not target.is_pressable:
        return
    if key == "Escape" and last is not None and last.kind == "fill" and same_element(last.acted, event):
        # It closes the suggestions under a field.
        return
    story.begin(event, "key")


def submit(story: Story, event: Event) -> None:
    """What sends a form is the click or the key before it; without one it is a step of its own."""
    last = story.last
    story.close_group()
    if last is not None and not last.is_submitted:
        if last.kind in ("click", "submit") and soon_after(last, event, EFFECT_S):
            _submitted(story, last, event)
            return
        if last.kind == "key" and last.key in ("Enter", "Space") and soon_after(last, event, EFFECT_S):
            last.kind = "submit"
            _submitted(story, last, event)
            return
        if last.kind in ("select", "check", "upload") and soon_after(last, event, AT_ONCE_S):
            # The page sends the form by itself when something is chosen.
            _submitted(story, last, event)
            return
    story.begin(event, "submit").is_submitted = True


def upload(story: Story, event: Event) -> None:
    """Files that were picked; the click that opened the dialog is a part of it."""
    last = story.last
    if last is not None and last.kind == "upload" and same_element(last.acted, event):
        story.retell(last, event)
        last.files = event.files
    elif last is not None and _opened_dialog(last, event):
        story.turn(last, event, "upload")
    else:
        story.begin(event, "upload")


def choose_option(story: Story, event: Event) -> None:
    """Of a list that the page draws, the opening, what was typed to filter it, and the option are one choice."""
    opener: Draft | None = None
    while (last := story.last) is not None and _opens(last, event, opener):
        draft = story.drafts.pop()
        if opener is not None:
            opener.events[:0] = draft.events
            opener.acted = draft.acted
        else:
            opener = draft
    chosen = story.begin(event, "select")
    target = event.target
    chosen.option = event.option or (target.text or target.name if target is not None else "") or None
    chosen.value = None
    if opener is not None:
        chosen.absorb(opener)
        chosen.acted = opener.acted
        chosen.secret = chosen.secret or opener.secret


def _is_picked(last: Draft, event: Event, target: Target) -> bool:
    """Whether an element that does not say it is an option is one of a list that the page draws.

    It answers to what was typed, or it is an item under something that is neither a button nor a link.
    """
    if target.role not in _ITEM_ROLES or target.is_editable or not _opens(last, event, None):
        return False
    text = (target.text or target.name).casefold()
    if last.kind == "fill":
        return bool(last.value) and (last.value or "").casefold() in text
    opener = last.acted.target
    return bool(text) and target.tag == "li" and opener is not None and opener.role in _PLAIN and opener.tag != "li"


def _submitted(story: Story, draft: Draft, event: Event) -> None:
    story.grow(draft, event)
    draft.is_submitted = True


def _is_made_by_key(last: Draft, event: Event) -> bool:
    """The browser clicks for people who press Enter or Space."""
    return (
        last.kind == "key"
        and last.key in ("Enter", "Space")
        and not event.detail
        and soon_after(last, event, ACTIVATION_S)
    )


def _activate(story: Story, last: Draft, event: Event) -> None:
    if same_element(last.acted, event):
        story.turn(last, event, "click")
    else:
        # Enter in a field presses the button that sends its form.
        story.grow(last, event)
        last.kind = "submit"


def _is_in_same_field(last: Draft, event: Event) -> bool:
    """A click into the field that one is in already changes nothing."""
    if last.effect is not None or not same_element(last.acted, event):
        return False
    is_field = event.target is not None and event.target.is_editable
    return last.kind in ("fill", "select", "upload") or (last.kind == "click" and is_field)


def _is_written_in(event: Event) -> bool:
    """Whether Enter makes a new line there."""
    target = event.target
    return target is not None and target.role == "textbox" and target.tag not in ("input", "")


def _opened_dialog(last: Draft, event: Event) -> bool:
    if last.kind not in ("click", "key") or last.effect is not None or last.is_submitted:
        return False
    return last.acted.page == event.page and soon_after(last, event, PICKING_FILES_S)


def _opens(last: Draft, event: Event, below: Draft | None) -> bool:
    """Whether a step opened, or filtered, the list of an option; `below` is what was taken for that already."""
    if last.effect is not None or last.is_submitted or last.acted.page != event.page:
        return False
    if last.acted.frame != event.frame or last.target is None:
        return False
    if below is None:
        return last.kind in ("click", "fill", "key") and last.target.role in _OPENER_ROLES and last.clicks == 1
    # A field that appears inside the list is filled between the opening and the option.
    return below.kind == "fill" and last.kind == "click" and last.target.role in ("combobox", "listbox")
