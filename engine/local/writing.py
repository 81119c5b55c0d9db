"""The words of a tour's steps: a short title and one friendly sentence, in the asker's language."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from engine.local.goals import bound_name, element_label, is_unnamed_button, word_goal
from engine.local.lexicon import lexicon
from engine.local.naming import named, quote, row_name, sentence
from engine.local.text import fold, words
from engine.local.translating import (
    foreign_quote,
    is_foreign,
    translated_name,
    translated_order,
    translated_place,
    translated_whole,
)
from engine.types import ActionType, Intent, Locale, StepDraft

_TITLE_LENGTH = 40
_MASKED = re.compile(r"\[[A-Z_]+\]")
_DATES = frozenset(("date", "datetime-local", "month", "week", "time"))


# By kind of field, and whether only the field itself can say what goes in. `{place}` is *le champ « Motif »*, or *ce
# champ* where the page may show another name.
_PATTERNS: dict[Locale, dict[tuple[str, bool], str]] = {
    "fr": {
        ("text", False): "Saisissez {name} dans {place}.",
        ("text", True): "Remplissez {place}.",
        ("date", False): "Indiquez {name} dans {place}.",
        ("date", True): "Indiquez la date dans {place}.",
        ("list", False): "Choisissez {name} dans {place}.",
        ("list", True): "Faites votre choix dans {place}.",
        ("file", False): "Choisissez le fichier à joindre avec {place}.",
        ("file", True): "Choisissez le fichier à joindre avec {place}.",
    },
    "en": {
        ("text", False): "Enter {name} in {place}.",
        ("text", True): "Fill in {place}.",
        ("date", False): "Set {name} in {place}.",
        ("date", True): "Set the date in {place}.",
        ("list", False): "Choose {name} in {place}.",
        ("list", True): "Make your choice in {place}.",
        ("file", False): "Pick the file to attach with {place}.",
        ("file", True): "Pick the file to attach with {place}.",
    },
}
_PLACES: dict[Locale, dict[str, tuple[str, str]]] = {
    "fr": {
        "text": ("le champ {label}", "ce champ"),
        "date": ("le champ {label}", "ce champ"),
        "list": ("la liste {label}", "cette liste"),
        "file": ("{label}", "ce champ"),
    },
    "en": {
        "text": ("the {label} field", "this field"),
        "date": ("the {label} field", "this field"),
        "list": ("the {label} list", "this list"),
        "file": ("{label}", "this field"),
    },
}
# What is said where even the translation is too long for a title.
_BARE_TITLES: dict[Locale, dict[ActionType, str]] = {
    "fr": {
        "input": "Remplir ce champ",
        "select": "Choisir dans cette liste",
        "check": "Cocher ou décocher cette case",
        "navigate": "Ouvrir cette page",
        "click": "Cliquer ici",
        "submit": "Cliquer sur ce bouton",
    },
    "en": {
        "input": "Fill in this field",
        "select": "Choose in this list",
        "check": "Tick or untick this box",
        "navigate": "Open this page",
        "click": "Click here",
        "submit": "Click this button",
    },
}
_BARE_SWITCH: dict[Locale, str] = {"fr": "Activer ou désactiver ce choix", "en": "Turn this option on or off"}


def write_step(
    intent: Intent,
    *,
    locale: Locale,
    page_locale: Locale,
    opens_next: bool = False,
    last_of_many: bool = False,
    choice: str = "",
    ticked: bool | None = None,
) -> StepDraft:
    """Write one step. `choice` is the option to take in a list, `ticked` whether a box must be so or must not (None:
    nobody said); `opens_next` says that the step reveals the following one.

    The page's labels are quoted for who reads its language. For others they are translated, or named as foreign.
    """
    label = element_label(intent.element) or intent.user_goal
    title = short_title(intent, locale=locale, page_locale=page_locale, ticked=ticked)
    said = _Said(intent, label, locale, page_locale)
    if opens_next:
        text = _opening(said)
    elif is_unnamed_button(intent.element):
        text = _for_unnamed("" if said.is_foreign else intent.element.heading, locale)
    elif intent.action_type in ("input", "select"):
        text = _for_field(said, choice)
    elif intent.action_type == "check":
        text = _for_check(said, ticked)
    else:
        text = _for_press(said, last_of_many=last_of_many)
    return StepDraft(intent.intent_id, title, text)


def short_title(intent: Intent, *, locale: Locale, page_locale: Locale, ticked: bool | None = None) -> str:
    """Say what to do at the element in at most 40 characters."""
    label = element_label(intent.element) or intent.user_goal
    if locale == page_locale:
        title = word_goal(intent.element, intent.action_type, locale).title
        if intent.action_type in ("click", "submit", "navigate") and len(intent.user_goal) <= _TITLE_LENGTH:
            title = intent.user_goal
        if ticked is False and intent.action_type == "check":
            title = f"{_tick_verb(intent, locale, ticked=False)} {quote(label, locale)}"
    else:
        title = _foreign_title(intent, label, locale, ticked)
    if len(title) <= _TITLE_LENGTH:
        return title
    if locale != page_locale:
        is_switch = intent.element.role == "switch"
        return _BARE_SWITCH[locale] if is_switch else _BARE_TITLES[locale][intent.action_type]
    return label if len(label) <= _TITLE_LENGTH else label[: _TITLE_LENGTH - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class _Said:
    """What a sentence is made of: the element with its label, and who reads it."""

    intent: Intent
    label: str
    locale: Locale
    page_locale: Locale

    @property
    def is_foreign(self) -> bool:
        return self.locale != self.page_locale

    @property
    def is_french(self) -> bool:
        return self.locale == "fr"

    @property
    def quoted(self) -> str:
        """The label as the reader may look for it on the page."""
        return foreign_quote(self.label, self.locale) if self.is_foreign else quote(self.label, self.locale)


def _for_field(said: _Said, choice: str) -> str:
    intent, locale = said.intent, said.locale
    kind = _kind_of_field(intent)
    named_place, this_place = _PLACES[locale][kind]
    place = this_place if said.is_foreign else named_place.replace("{label}", said.quoted)
    if choice:
        option = _foreign_option(choice, locale) if said.is_foreign else quote(choice, locale)
        return f"Choisissez {option} dans {place}." if said.is_french else f"Choose {option} in {place}."
    name = bound_name(intent.element, locale)
    name = name or (translated_name(said.label, locale) if said.is_foreign else named(said.label, locale))
    repeats = kind == "text" and not said.is_foreign and words(name)[1:] == words(said.label)
    bare = not name or name[:1] in "«“" or repeats
    if hint := _hint(intent, said.label, locale):
        return _hinted(hint, said, place)
    if not name and said.is_foreign:
        place = f"{this_place} ({said.quoted})"
    return _PATTERNS[locale][kind, bare].replace("{name}", name).replace("{place}", place)


def _foreign_option(choice: str, locale: Locale) -> str:
    if whole := translated_whole(choice, locale):
        return whole
    quoted = foreign_quote(choice, locale)
    if not is_foreign(choice, locale):
        return quoted
    return f"l’option ({quoted})" if locale == "fr" else f"the option ({quoted})"


def _hinted(hint: str, said: _Said, place: str) -> str:
    if not said.is_foreign:
        return hint.replace("{label}", said.quoted)
    # *Entrez ici …, dans …* says where already.
    return hint.replace(", dans {label}", "").replace("{label}", place)


def _kind_of_field(intent: Intent) -> str:
    if intent.element.type == "file":
        return "file"
    if intent.action_type == "select":
        return "list"
    return "date" if intent.element.type in _DATES else "text"


def _for_check(said: _Said, ticked: bool | None) -> str:
    intent, locale = said.intent, said.locale
    is_switch = intent.element.role == "switch"
    what = said.quoted
    if said.is_foreign:
        this = {"fr": ("cette case", "ce choix"), "en": ("this box", "this option")}[locale]
        what = f"{this[_is_radio(intent) or is_switch]} ({translated_whole(said.label, locale) or said.quoted})"
    if _is_radio(intent):
        return f"{'Sélectionnez' if said.is_french else 'Select'} {what}."
    if ticked is not None:
        return f"{_tick_order(intent, locale, ticked=ticked)} {what}."
    if is_switch:
        return f"Activez ou désactivez {what} ici." if said.is_french else f"Turn {what} on or off here."
    if intent.element.required:
        return f"Cochez {what}." if said.is_french else f"Tick {what}."
    return f"Cochez ou décochez {what}." if said.is_french else f"Tick or untick {what}."


def _is_radio(intent: Intent) -> bool:
    return intent.element.type == "radio" or intent.element.role in ("radio", "menuitemradio")


def _tick_verb(intent: Intent, locale: Locale, *, ticked: bool) -> str:
    """The title's verb; `_tick_order` is the sentence's."""
    if _is_radio(intent):
        return "Choisir" if locale == "fr" else "Choose"
    if intent.element.role == "switch":
        return {"fr": ("Désactiver", "Activer"), "en": ("Turn off", "Turn on")}[locale][ticked]
    return {"fr": ("Décocher", "Cocher"), "en": ("Untick", "Tick")}[locale][ticked]


def _tick_order(intent: Intent, locale: Locale, *, ticked: bool) -> str:
    verb = _tick_verb(intent, locale, ticked=ticked)
    return f"{verb[:-1]}z" if locale == "fr" else verb


def _for_press(said: _Said, *, last_of_many: bool) -> str:
    intent, french = said.intent, said.is_french
    if intent.element.row and _is_any_row(intent, said.label):
        return "Cliquez sur la ligne de votre choix." if french else "Click the row of your choice."
    if said.is_foreign:
        return _foreign_press(said, last_of_many=last_of_many)
    click = f"Cliquez sur {said.quoted}" if french else f"Click {said.quoted}"
    if intent.element.row:
        return f"{click}{_on_row(said)}."
    if last_of_many and intent.action_type == "submit":
        return f"Pour terminer, c{click[1:]}." if french else f"To finish, c{click[1:]}."
    if purpose := _purpose(said):
        return f"{click} pour {purpose}." if french else f"{click} to {purpose}."
    return f"{click}."


def _for_unnamed(heading: str, locale: Locale) -> str:
    if not heading:
        return "Cliquez sur ce bouton." if locale == "fr" else "Click this button."
    where = quote(heading, locale)
    return f"Cliquez sur ce bouton de {where}." if locale == "fr" else f"Click this button of {where}."


def _is_any_row(intent: Intent, label: str) -> bool:
    """Tell whether an element is one row that stands for all: what it is called is not what the asker looks for."""
    if _MASKED.fullmatch(intent.element.label.strip()):
        return True
    is_called_like_row = any(char.isdigit() for char in label) or fold(label) == fold(intent.element.row)
    return is_called_like_row and not _is_named_row(intent)


def _is_named_row(intent: Intent) -> bool:
    """Tell whether the goal was learnt for this row alone: *Supprimer un élément de la liste (« Dupont »)*."""
    row = row_name(intent.element.row)
    return any(intent.user_goal.endswith(f"({quote(row, locale)})") for locale in ("fr", "en"))


def _on_row(said: _Said) -> str:
    row = said.intent.element.row
    if fold(said.label) == fold(row):
        return ""
    if _is_named_row(said.intent):
        name = quote(row_name(row), said.locale)
        return f" sur la ligne {name}" if said.is_french else f" on the row {name}"
    return " sur la ligne de votre choix" if said.is_french else " on the row of your choice"


def _purpose(said: _Said) -> str:
    """What the click is for, where the label does not say it itself."""
    goal = said.intent.user_goal
    if said.intent.action_type == "navigate" and goal.startswith(("Aller à «", "Go to “")):
        return "ouvrir cette page" if said.is_french else "open that page"
    if not set(words(goal)) - set(words(said.label)) or "(" in goal or _mentions(goal, said.label):
        return ""
    return goal[:1].lower() + goal[1:]


def _mentions(goal: str, label: str) -> bool:
    return label.lower() in goal.lower().replace("’", "'")


def _foreign_press(said: _Said, *, last_of_many: bool) -> str:
    french = said.is_french
    where = _on_row(said) if said.intent.element.row else ""
    purpose = _foreign_purpose(said.intent, said.label, said.locale)
    if last_of_many and purpose and not where:
        return "Pour terminer, cliquez sur ce bouton." if french else "To finish, click this button."
    if purpose and where:
        return f"Cliquez ici,{where}, pour {purpose}." if french else f"Click here,{where}, to {purpose}."
    if purpose:
        return f"Cliquez ici pour {purpose}." if french else f"Click here to {purpose}."
    return f"Cliquez ici{where} ({said.quoted})." if french else f"Click here{where} ({said.quoted})."


def _foreign_purpose(intent: Intent, label: str, locale: Locale) -> str:
    """What a click is for, in the other language than the page's; empty where the lexicon does not know."""
    french = locale == "fr"
    if intent.element.row and _is_any_row(intent, label):
        return "ouvrir la ligne" if french else "open the row"
    if label.isdigit() and not intent.element.row:
        return f"aller à la page {label}" if french else f"go to page {label}"
    if intent.element.role == "columnheader":
        return "trier selon cette colonne" if french else "sort by this column"
    order = translated_order(label, locale) if intent.action_type != "navigate" else ""
    place = "" if order else translated_place(label, locale)
    if place:
        return f"ouvrir {place}" if french else f"open {place}"
    return order or translated_order(label, locale)


def _opening(said: _Said) -> str:
    is_tab = said.intent.element.role == "tab"
    if said.is_foreign or is_unnamed_button(said.intent.element):
        here = {"fr": ("cette partie de la page", "cet onglet"), "en": ("this part of the page", "this tab")}
        return f"{'Ouvrez d’abord' if said.is_french else 'First open'} {here[said.locale][is_tab]}."
    if is_tab:
        return f"Ouvrez d’abord l’onglet {said.quoted}." if said.is_french else f"First open the {said.quoted} tab."
    return (
        f"Ouvrez d’abord {said.quoted} pour voir la suite."
        if said.is_french
        else f"First open {said.quoted} to see what comes next."
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


def _foreign_title(intent: Intent, label: str, locale: Locale, ticked: bool | None) -> str:
    """Word a title in another language than the page's: translated by the lexicon where it can, else with the label."""
    french = locale == "fr"
    if is_unnamed_button(intent.element):
        return _BARE_TITLES[locale]["submit"]
    action = intent.action_type
    if action in ("input", "select"):
        return _foreign_field_title(intent, label, locale)
    if action == "check":
        verb = _tick_verb(intent, locale, ticked=ticked is not False)
        what = translated_whole(label, locale) or quote(label, locale)
        return f"{verb} {'la case' if french else 'the box'} ({what})"
    if purpose := _foreign_purpose(intent, label, locale):
        return sentence(purpose)
    verb = ("Ouvrir" if french else "Open") if action == "navigate" else "Cliquer sur" if french else "Click"
    return f"{verb} {quote(label, locale)}"


def _foreign_field_title(intent: Intent, label: str, locale: Locale) -> str:
    french = locale == "fr"
    if "search" in lexicon().concepts_in(label):
        return "Rechercher" if french else "Search"
    thing = bound_name(intent.element, locale) or translated_name(label, locale)
    if not thing and is_foreign(label, locale):
        # *Saisir « Rate »* would read as what to type.
        return _BARE_TITLES[locale][intent.action_type]
    typed = intent.action_type == "input" and intent.element.type not in _DATES
    verb = {"fr": ("Choisir", "Saisir"), "en": ("Choose", "Enter")}[locale][typed]
    if intent.element.type == "file":
        verb = "Joindre" if french else "Attach"
    return f"{verb} {thing or quote(label, locale)}"


@cache
def _hints() -> dict[str, dict[Locale, str]]:
    return tomllib.loads(files("engine.local").joinpath("hints.toml").read_text(encoding="utf-8"))
