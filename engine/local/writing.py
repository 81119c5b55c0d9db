"""The words of a tour's steps: a short title and one friendly sentence, in the asker's language."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from engine.local.goals import bound_name, element_label, word_goal
from engine.local.lexicon import Spot, lexicon
from engine.local.naming import named, quote, sentence
from engine.local.text import words
from engine.types import Intent, Locale, StepDraft

_TITLE_LENGTH = 40
_FORMATS = frozenset(("csv", "pdf", "spreadsheet"))
_DATES = frozenset(("date", "datetime-local", "month", "week", "time"))


# By kind of field, and whether only its label can name what goes in.
_PATTERNS: dict[Locale, dict[tuple[str, bool], str]] = {
    "fr": {
        ("text", False): "Saisissez {name} dans le champ {label}.",
        ("text", True): "Remplissez le champ {label}.",
        ("date", False): "Indiquez {name} dans le champ {label}.",
        ("date", True): "Indiquez la date dans le champ {label}.",
        ("list", False): "Choisissez {name} dans la liste {label}.",
        ("list", True): "Choisissez la valeur voulue dans la liste {label}.",
        ("file", False): "Choisissez le fichier à joindre avec {label}.",
        ("file", True): "Choisissez le fichier à joindre avec {label}.",
    },
    "en": {
        ("text", False): "Enter {name} in the {label} field.",
        ("text", True): "Fill in the {label} field.",
        ("date", False): "Set {name} in the {label} field.",
        ("date", True): "Set the date in the {label} field.",
        ("list", False): "Choose {name} in the {label} list.",
        ("list", True): "Choose the value you want in the {label} list.",
        ("file", False): "Pick the file to attach with {label}.",
        ("file", True): "Pick the file to attach with {label}.",
    },
}


def write_step(
    intent: Intent,
    *,
    locale: Locale,
    page_locale: Locale,
    opens_next: bool = False,
    last_of_many: bool = False,
    choice: str = "",
) -> StepDraft:
    """Write one step. `choice` is the option to take in a list; `opens_next` says that it reveals the following one."""
    label = element_label(intent.element) or intent.user_goal
    title = short_title(intent, locale=locale, page_locale=page_locale)
    if opens_next:
        text = _opening(intent, label, locale)
    elif intent.action_type in ("input", "select"):
        text = _for_field(intent, label, locale, page_locale, choice)
    elif intent.action_type == "check":
        text = _for_check(intent, label, locale)
    else:
        text = _for_press(intent, label, locale, page_locale, last_of_many=last_of_many)
    return StepDraft(intent.intent_id, title, text)


def short_title(intent: Intent, *, locale: Locale, page_locale: Locale) -> str:
    """Say what to do at the element in at most 40 characters."""
    label = element_label(intent.element) or intent.user_goal
    if locale == page_locale:
        title = word_goal(intent.element, intent.action_type, locale).title
        if intent.action_type in ("click", "submit", "navigate") and len(intent.user_goal) <= _TITLE_LENGTH:
            title = intent.user_goal
    else:
        title = _foreign_title(intent, label, locale)
    if len(title) > _TITLE_LENGTH:
        title = label if len(label) <= _TITLE_LENGTH else label[: _TITLE_LENGTH - 1].rstrip() + "…"
    return title


def _for_field(intent: Intent, label: str, locale: Locale, page_locale: Locale, choice: str) -> str:
    quoted = quote(label, locale)
    if choice:
        pattern = (
            "Choisissez {choice} dans la liste {label}." if locale == "fr" else "Choose {choice} in the {label} list."
        )
        return pattern.format(choice=quote(choice, locale), label=quoted)
    name = bound_name(intent.element, locale)
    name = name or (named(label, locale) if locale == page_locale else _translated(label, locale))
    bare = not name or name[:1] in "«“"
    pattern = _hint(intent, label, locale) or _PATTERNS[locale][_kind_of_field(intent), bare]
    return pattern.replace("{name}", name).replace("{label}", quoted)


def _kind_of_field(intent: Intent) -> str:
    if intent.element.type == "file":
        return "file"
    if intent.action_type == "select":
        return "list"
    return "date" if intent.element.type in _DATES else "text"


def _for_check(intent: Intent, label: str, locale: Locale) -> str:
    quoted = quote(label, locale)
    if intent.element.type == "radio" or intent.element.role == "radio":
        return f"Sélectionnez {quoted}." if locale == "fr" else f"Select {quoted}."
    if intent.element.role == "switch":
        return f"Activez ou désactivez {quoted} ici." if locale == "fr" else f"Turn {quoted} on or off here."
    if intent.element.required:
        return f"Cochez la case {quoted}." if locale == "fr" else f"Tick the {quoted} box."
    return f"Cochez ou décochez la case {quoted}." if locale == "fr" else f"Tick or untick the {quoted} box."


def _for_press(intent: Intent, label: str, locale: Locale, page_locale: Locale, *, last_of_many: bool) -> str:
    quoted = quote(label, locale)
    click = f"Cliquez sur {quoted}" if locale == "fr" else f"Click {quoted}"
    if intent.element.row and any(char.isdigit() for char in label):
        return "Cliquez sur la ligne de votre choix." if locale == "fr" else "Click the row of your choice."
    if intent.element.row:
        return f"{click} sur la ligne de votre choix." if locale == "fr" else f"{click} on the row of your choice."
    if last_of_many and intent.action_type == "submit":
        return f"Pour terminer, c{click[1:]}." if locale == "fr" else f"To finish, c{click[1:]}."
    if intent.action_type == "navigate" and intent.user_goal.startswith(("Aller à «", "Go to “")):
        return f"{click} pour ouvrir cette page." if locale == "fr" else f"{click} to open that page."
    goal = intent.user_goal
    if (
        locale == page_locale
        and set(words(goal)) - set(words(label))
        and "(" not in goal
        and not _mentions(goal, label)
    ):
        purpose = goal[:1].lower() + goal[1:]
        return f"{click} pour {purpose}." if locale == "fr" else f"{click} to {purpose}."
    return f"{click}, et c’est fait." if locale == "fr" and last_of_many else f"{click}."


def _mentions(goal: str, label: str) -> bool:
    return label.lower() in goal.lower().replace("’", "'")


def _opening(intent: Intent, label: str, locale: Locale) -> str:
    quoted = quote(label, locale)
    if intent.element.role == "tab":
        return f"Ouvrez d’abord l’onglet {quoted}." if locale == "fr" else f"First open the {quoted} tab."
    return (
        f"Ouvrez d’abord {quoted} pour voir la suite."
        if locale == "fr"
        else f"First open {quoted} to see what comes next."
    )


def _hint(intent: Intent, label: str, locale: Locale) -> str:
    concepts = lexicon().concepts_in(label)
    if intent.element.type == "search":
        concepts |= {"search"}
    for concept, hint in _hints().items():
        if concept in concepts and _starts_alike(label, concept):
            return hint[locale]
    return ""


def _starts_alike(label: str, concept: str) -> bool:
    """A hint is for fields that are the concept, not for those that merely mention it (*Note pour le client*)."""
    return any(spot.concept.name == concept and spot.start == 0 for spot in lexicon().spots(words(label)))


def _foreign_title(intent: Intent, label: str, locale: Locale) -> str:
    """Word a title in another language than the page's: translated by the lexicon where it can, else with the label."""
    thing = bound_name(intent.element, locale) or _translated(label, locale)
    action = intent.action_type
    if action in ("input", "select"):
        typed = action == "input" and intent.element.type not in _DATES
        verb = {"fr": ("Choisir", "Saisir"), "en": ("Choose", "Enter")}[locale][typed]
        return f"{verb} {thing or quote(label, locale)}"
    if action == "check":
        return f"{'Cocher' if locale == 'fr' else 'Tick'} {quote(label, locale)}"
    verbs = [s.concept for s in lexicon().spots(words(label)) if s.concept.is_action]
    if verbs and action != "navigate":
        return sentence(f"{verbs[0].wording[locale][0]} {thing}".rstrip())
    if action == "navigate":
        return f"{'Aller à' if locale == 'fr' else 'Go to'} {quote(label, locale)}"
    return f"{'Cliquer sur' if locale == 'fr' else 'Click'} {quote(label, locale)}"


def _translated(label: str, locale: Locale) -> str:
    """Name the label's first thing in another language, or give an empty string."""
    said = words(label)
    spots = lexicon().spots(said)
    verbs = {spot.start for spot in spots if spot.concept.is_action}
    page_locale: Locale = "en" if locale == "fr" else "fr"
    # *Note* is a note before it is a rating: a word means first the concept that it is the usual name of.
    for spot in sorted(spots, key=lambda one: (one.start, not _is_usual_name(one, said, page_locale))):
        wording = spot.concept.wording[locale][:1]
        if (
            (spot.start in verbs and not _is_usual_name(spot, said, page_locale))
            or spot.concept.is_action
            or not wording
        ):
            continue
        if spot.concept.name in _FORMATS:
            return f"en {wording[0]}" if locale == "fr" else f"as {wording[0]}"
        return named(wording[0], locale)
    return ""


def _is_usual_name(spot: Spot, said: Sequence[str], locale: Locale) -> bool:
    usual = spot.concept.wording[locale][:1]
    return bool(usual) and words(usual[0]) == list(said[spot.start : spot.start + spot.length])


@cache
def _hints() -> dict[str, dict[Locale, str]]:
    return tomllib.loads(files("engine.local").joinpath("hints.toml").read_text(encoding="utf-8"))
