"""What a step is for, in a sentence: a verb, the element's name, and where it is when the name alone does not tell."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from shadow.observer.drafts import Draft
from shadow.observer.events import Target
from shadow.observer.vocabulary import Vocabulary, vocabulary

LONGEST_NAME = 80
LONGEST_VALUE = 40
LONGEST_PLACE = 60


def intent_of(draft: Draft, locale: str) -> str:
    """Name a draft. Of what is secret no value is ever in it."""
    words = vocabulary(locale)
    return _sentence(draft, words) + _place(draft)


def shortened(text: str, most: int) -> str:
    """Return a text on one line, cut between words where it is long."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[most // 2 :] else cut).rstrip(" ,;:.") + "…"


def name_of(target: Target | None, words: Vocabulary) -> str:
    """What people call an element; a description of it where it has no name."""
    if target is None:
        return words.unnamed[""]
    called = target.name or target.text
    if called:
        return shortened(called, LONGEST_NAME)
    if target.tag == "form":
        return shortened(target.form or target.heading, LONGEST_NAME) or words.unnamed["form"]
    kind = "field" if target.is_editable and target.role != "combobox" else target.role or target.type
    return words.unnamed.get(kind, words.unnamed[""])


def _sentence(draft: Draft, words: Vocabulary) -> str:  # noqa: PLR0911 - one line a kind
    name = name_of(draft.target, words)
    match draft.kind:
        case "click" if draft.clicks > 1:
            return words.double_click.format(name=name)
        case "click":
            is_tab = draft.target is not None and draft.target.role == "tab"
            return (words.tab if is_tab else words.click).format(name=name)
        case "fill":
            return _fill(draft, name, words)
        case "select":
            return _choice(draft, name, words)
        case "check":
            return _check(draft, name, words)
        case "submit":
            return (words.submit_by_enter if draft.key else words.submit).format(name=name)
        case "upload":
            return _upload(draft, words)
        case "navigate":
            return _navigation(draft, words)
        case "key":
            return _key(draft, name, words)


def _fill(draft: Draft, name: str, words: Vocabulary) -> str:
    if draft.secret:
        return words.fill_hidden.format(name=name)
    if draft.value is None:
        return words.fill_unknown.format(name=name)
    if not draft.value.strip():
        return words.clear.format(name=name)
    return words.fill.format(value=_quoted(draft.value, words), name=name)


def _choice(draft: Draft, name: str, words: Vocabulary) -> str:
    if draft.secret or not draft.option:
        return words.choose_unknown.format(name=name)
    is_option = draft.target is not None and draft.target.role == "option"
    pattern = words.choose_alone if is_option or not _has_name(draft.target) else words.choose
    return pattern.format(value=_quoted(draft.option, words), name=name)


def _check(draft: Draft, name: str, words: Vocabulary) -> str:
    target = draft.target
    if target is not None and target.is_radio and _has_name(target):
        value = _quoted(name, words)
        if target.group:
            return words.choose.format(value=value, name=shortened(target.group, LONGEST_NAME))
        return words.choose_alone.format(value=value)
    if target is not None and target.role == "switch":
        return (words.switch_off if draft.checked is False else words.switch_on).format(name=name)
    return (words.untick if draft.checked is False else words.tick).format(name=name)


def _upload(draft: Draft, words: Vocabulary) -> str:
    files = draft.files
    value = shortened(files[0], LONGEST_VALUE) if len(files) == 1 else words.several_files.format(count=len(files))
    pattern = words.attach if _has_name(draft.target) else words.attach_alone
    return pattern.format(value=value, name=name_of(draft.target, words))


def _navigation(draft: Draft, words: Vocabulary) -> str:
    match draft.cause:
        case "reload":
            return words.reload
        case "back" | "pop":
            return words.back
        case "forward":
            return words.forward
    parts = urlsplit(draft.url)
    title = draft.title or unquote(parts.fragment if parts.fragment.startswith("/") else parts.path) or parts.netloc
    return words.go_to.format(name=_quoted(title or "/", words, LONGEST_NAME))


def _key(draft: Draft, name: str, words: Vocabulary) -> str:
    parts = draft.key.split("+")
    key = " + ".join(words.keys.get(part, part.upper() if len(part) == 1 else part) for part in parts)
    pattern = words.press_in if draft.target is not None and draft.target.is_editable else words.press
    return pattern.format(key=key, name=name)


def _place(draft: Draft) -> str:
    """Where the element stands, when its name alone does not say which one it is."""
    target = draft.target
    if target is None or draft.kind == "navigate" or (target.matches <= 1 and _has_name(target)):
        return ""
    around = (target.row, target.heading, target.group, target.form)
    called = {target.name, target.text, *((target.group,) if target.is_radio else ())}
    place = next((text for text in around if text and text not in called), "")
    return f" — {shortened(place, LONGEST_PLACE)}" if place else ""


def _quoted(text: str, words: Vocabulary, most: int = LONGEST_VALUE) -> str:
    return words.quoted.format(text=shortened(text, most))


def _has_name(target: Target | None) -> bool:
    return target is not None and bool(target.name or target.text)
