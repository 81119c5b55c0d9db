"""A page in few words: the form in which a model, or a person, reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.local.goals import element_label
from engine.local.planning import rank_intents
from engine.types import Intent, Page

_MOST_OPTIONS = 4
_OPTION_LENGTH = 20
_LABEL_LENGTH = 40
_PLACE_LENGTH = 30
# What the list of a prompt may cost, in tokens as `tokens_of` estimates them.
LISTING_TOKENS = 245
_WORD = re.compile(r"\w+|[^\w\s]")
_LETTERS_A_TOKEN = 5
_SIGNS = {"input": " _", "check": " []"}


@dataclass(frozen=True, slots=True)
class Listing:
    """What a prompt offers of a page: its lines, and the intents behind the ids that the lines show."""

    lines: tuple[str, ...]
    by_short_id: dict[str, Intent]


def listing(question: str, page: Page, *, most_tokens: int = LISTING_TOKENS) -> Listing:
    """List what may answer a question under short ids, in the page's order, each part of the page once above its own.

    All of a small page; of a larger one as many of the best ranked as the tokens allow. A field ends in `_`, a box in
    `[]`, a list in its options; what a menu or a tab hides stands under its name.
    """
    chosen: set[str] = set()
    places: set[tuple[str, ...]] = set()
    left = most_tokens
    for entry in rank_intents(question, page):
        intent = entry.intent
        place = _place(intent, page)
        cost = tokens_of(_entry(intent)) + 2 + (0 if place in places else tokens_of(" · ".join(place)) + 2)
        if cost <= left:
            left -= cost
            places.add(place)
            chosen.add(intent.intent_id)
    by_place: dict[tuple[str, ...], list[Intent]] = {}
    for intent in page.intents:
        if intent.intent_id in chosen:
            by_place.setdefault(_place(intent, page), []).append(intent)
    lines: list[str] = []
    by_short_id: dict[str, Intent] = {}
    for place, intents in by_place.items():
        lines += [f"# {' · '.join(place)}"] if place else []
        for intent in intents:
            short_id = f"i{len(by_short_id) + 1}"
            by_short_id[short_id] = intent
            lines.append(f"{short_id} {_entry(intent)}")
    return Listing(tuple(lines), by_short_id)


def tokens_of(text: str) -> int:
    """About how many tokens a text costs, rather too many than too few."""
    return sum(-(-len(word) // _LETTERS_A_TOKEN) for word in _WORD.findall(text))


def compact_page_text(page: Page) -> str:
    """Write the page's name, summary and goals, a line each, without selectors."""
    return "\n".join((f"{page.name} – {page.summary}", *compact_lines(page.intents)))


def compact_lines(intents: Sequence[Intent]) -> list[str]:
    """Number the intents `i1`, `i2`… and write each on a line: its number, kind, goal, and label where it differs."""
    return [f"i{number} {compact_intent(intent)}" for number, intent in enumerate(intents, start=1)]


def compact_intent(intent: Intent) -> str:
    """Write an intent's kind and goal, its label where the goal does not hold it, and some options of a list."""
    parts = [f"{intent.action_type}: {intent.user_goal}"]
    label = " ".join(intent.element.label.split())
    if label and label.lower() not in intent.user_goal.lower().replace("’", "'"):
        parts.append(f"[{label}]")
    if options := _options(intent):
        parts.append(options)
    return as_data(" ".join(parts))


def as_data(text: str) -> str:
    """Take from a page's or a user's words what could close the fence around them in a prompt."""
    return " ".join(text.replace("<", "‹").replace(">", "›").split())


def _entry(intent: Intent) -> str:
    """An intent in as few words as tell it: its label and what kind of element it is, or its goal where that says
    more: what the rows of a table all have."""
    label = intent.user_goal if _says_more(intent) else element_label(intent.element) or intent.user_goal
    kind = _options(intent) or _SIGNS.get(intent.action_type, "")
    return as_data(label[:_LABEL_LENGTH]) + (f" {kind.strip()}" if kind else "")


def _says_more(intent: Intent) -> bool:
    return bool(intent.element.row) and any(char.isdigit() for char in intent.element.label)


def _place(intent: Intent, page: Page) -> tuple[str, ...]:
    """Where an intent stands: what opens it or its part of the page, and the row that its own words tell apart."""
    element = intent.element
    part = element.group or element.form or element.heading
    if element.opener:
        opener = next((one for one in page.intents if one.selector == element.opener), None)
        part = element_label(opener.element) if opener else part
    return tuple(as_data(text[:_PLACE_LENGTH]) for text in (part, element.row) if text and text != page.name)


def _options(intent: Intent) -> str:
    options = [option[:_OPTION_LENGTH] for option in intent.element.options if any(map(str.isalnum, option))]
    more = "/…" if len(options) > _MOST_OPTIONS else ""
    return as_data(f"({'/'.join(options[:_MOST_OPTIONS])}{more})") if options else ""
