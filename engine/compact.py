"""A page in few words: the form in which a model, or a person, reads it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.types import Intent, Page

_MOST_OPTIONS = 5
_OPTION_LENGTH = 24


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
    if intent.element.options:
        options = [option[:_OPTION_LENGTH] for option in intent.element.options if option.strip()]
        more = "/…" if len(options) > _MOST_OPTIONS else ""
        parts.append(f"({'/'.join(options[:_MOST_OPTIONS])}{more})")
    return as_data(" ".join(parts))


def as_data(text: str) -> str:
    """Take from a page's or a user's words what could close the fence around them in a prompt."""
    return " ".join(text.replace("<", "‹").replace(">", "›").split())
