"""What a user wants when they reach for an element, as people say it: *Appliquer une remise*, *Export the orders*."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.local.lexicon import lexicon
from engine.local.naming import clean_label, french_noun, inside, named, one_of, quote, sentence, spoken
from engine.local.text import fold, words
from engine.types import ActionType, ElementContext, Locale

_CHECK_TYPES = frozenset(("checkbox", "radio"))
_CHECK_ROLES = frozenset(("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"))
_SELECT_ROLES = frozenset(("combobox", "listbox"))
_INPUT_ROLES = frozenset(("textbox", "searchbox", "spinbutton", "slider"))
_FIELD_TAGS = frozenset(("input", "select", "textarea"))
_PRESS_ROLES = frozenset(("button", "tab", "menuitem", "option", "treeitem"))
_PRESS_INPUTS = frozenset(("button", "submit", "reset", "image"))
_NEW_FR = re.compile(r"^(nouveau|nouvel|nouvelle)\s+(?=\S)", re.IGNORECASE)
_NEW_EN = re.compile(r"^new\s+(?=\S)", re.IGNORECASE)
_BARE_OBJECT_FR = re.compile(
    r"^(exporter|télécharger|imprimer|importer|filtrer|trier)((?: (?:en|au format) \S+)?)$", re.IGNORECASE
)
_BARE_OBJECT_EN = re.compile(r"^(export|download|print|import|filter|sort)((?: (?:to|as) \S+)?)$", re.IGNORECASE)
_BARE_SAVES = {
    "enregistrer": "Enregistrer les modifications",
    "sauvegarder": "Enregistrer les modifications",
    "save": "Save the changes",
}
_TURNED = re.compile(r"^(?:page (?:suivante|précédente)|(?:next|previous) page)$", re.IGNORECASE)
_ASIDE = re.compile(r"\(.*?\)")
_DATE_TYPES = frozenset(("date", "datetime-local", "month", "week", "time", "color"))
_APPLIED = frozenset(("discount", "coupon"))
_REFLEXIVE = frozenset(("se", "s"))
_STARTS = re.compile(r"(?:date )?(?:du|de|from|since|depuis(?: le)?|a partir du)|from date")
_ENDS = re.compile(r"(?:date )?(?:au|a|to|until|till|jusque?(?: au| a)?)|(?:to|until) date")
# Where an address or a number may be meant as well, only these words say that a field takes a date.
_SAYS_DATE = re.compile(r"\bdates?\b|\bjj|\bdd\b|\bmm\b|aaaa|yyyy")
_ENDS_OF_TIME: dict[tuple[Locale, bool], tuple[str, str]] = {
    ("fr", False): ("la date de début", "la date de fin"),
    ("fr", True): ("l’heure de début", "l’heure de fin"),
    ("en", False): ("the start date", "the end date"),
    ("en", True): ("the start time", "the end time"),
}


@dataclass(frozen=True, slots=True)
class Wording:
    """A goal and the short instruction for the same element, both without a full stop."""

    goal: str
    title: str


def element_label(element: ElementContext) -> str:
    """The best name that the page gives an element; its technical name only when there is nothing else.

    A field of a table without a name of its own is called like its column.
    """
    label = clean_label(element.label) or clean_label(element.placeholder) or clean_label(_column_of_field(element))
    if not label and lexicon().of_label(element.label):
        # A mere sign (*×*) is a name too.
        label = element.label.strip()
    return label or " ".join(part for part in re.split(r"[\W_]+|(?<=[a-z])(?=[A-Z])", element.name) if part)


def _column_of_field(element: ElementContext) -> str:
    is_field = element.tag in _FIELD_TAGS or element.role in _INPUT_ROLES | _SELECT_ROLES | _CHECK_ROLES
    return element.column if is_field else ""


def action_of(tag: str, type_: str, role: str, label: str, locale: Locale) -> ActionType:
    """Tell how an element is used, from what it is; a link that reads as an order is a click, not a way elsewhere."""
    if role in _CHECK_ROLES or (tag == "input" and type_ in _CHECK_TYPES):
        return "check"
    if tag == "select" or role in _SELECT_ROLES:
        return "select"
    if tag == "textarea" or role in _INPUT_ROLES or (tag == "input" and type_ not in _PRESS_INPUTS):
        return "input"
    if type_ in ("submit", "image"):
        return "submit"
    if (tag == "a" or role == "link") and role not in _PRESS_ROLES:
        return "click" if opens_with_verb(label, locale) else "navigate"
    return "click"


def is_unnamed_button(element: ElementContext) -> bool:
    """Tell whether an element is a button without a word, outside of rows: a picture that nobody has a name for."""
    is_button = element.tag == "button" or element.role == "button"
    return is_button and not (element.row or element.label or element.placeholder or element.name)


def is_filter(element: ElementContext) -> bool:
    """Tell whether an element stands among the filters of a list."""
    return "filter" in lexicon().concepts_in(f"{element.form} {element.group}")


def is_bound(element: ElementContext) -> bool:
    """Tell whether an element is one end of a range of dates: *Du*, *Date au*, *From*."""
    return _end_of_range(element) is not None


def bound_name(element: ElementContext, locale: Locale) -> str:
    """Name one end of a range of dates or times; empty for anything else."""
    end = _end_of_range(element)
    return "" if end is None else _ENDS_OF_TIME[locale, element.type == "time"][end]


def _end_of_range(element: ElementContext) -> int | None:
    """0 for the start of a range of dates, 1 for its end, None for what is neither."""
    is_text = element.type in ("", "text") and element.tag == "input"
    if not (element.type in _DATE_TYPES - {"color"} or is_text):
        return None
    label = element_label(element)
    said = f"{label} {element.placeholder} {element.group}" + re.sub(r"[\W_]+", " ", f" {element.name} ")
    if is_text and not _SAYS_DATE.search(fold(said)):
        return None
    name = " ".join(words(label))
    ends = (_STARTS, _ENDS)
    return next((number for number, end in enumerate(ends) if end.fullmatch(name)), None)


def without_aside(label: str) -> str:
    """Leave out what stands in brackets, unless nothing else is left."""
    return clean_label(_ASIDE.sub("", label)) or label


def opens_with_verb(label: str, locale: Locale) -> bool:
    """Tell whether a label is an order or an infinitive (*Exporter en CSV*), not a name (*Exports*)."""
    parts = words(label)
    if locale == "fr" and len(parts) > 1 and parts[0] in _REFLEXIVE:
        parts = parts[1:]
    if not parts:
        return False
    known = lexicon().opens_with_action(parts, locale)
    if locale == "en":
        return known
    return parts[0].endswith(("er", "ir", "re")) and (known or (french_noun(label) is None and parts[0][-2:] != "re"))


def word_goal(element: ElementContext, action: ActionType, locale: Locale, *, subject: str = "") -> Wording:
    """Word the goal of an element whose labels are in `locale`. `subject` names what the page lists (*Commandes*)."""
    label = element_label(element)
    if is_unnamed_button(element):
        return _unnamed(element, locale)
    if action in ("input", "select"):
        return _field(element, action, label, locale)
    if action == "check":
        return _check(element, label, locale)
    if action == "navigate" and (turned := _TURNED.match(label)):
        goal = f"Aller à la {inside(turned[0])}" if locale == "fr" else f"Go to the {inside(turned[0])}"
        return _same(goal)
    if action == "navigate" and not element.row and not _is_creation(label, locale):
        goal = f"Aller à {quote(label, 'fr')}" if locale == "fr" else f"Go to {quote(label, 'en')}"
        return Wording(goal, goal)
    return _press(element, label, locale, subject)


def word_sorting(label: str, locale: Locale) -> Wording:
    """Word what the head of a column does."""
    return _same(f"Trier par {quote(label, 'fr')}" if locale == "fr" else f"Sort by {quote(label, 'en')}")


def word_row_box(locale: Locale, *, subject: str, all_rows: bool) -> Wording:
    """Word the box that picks a row of a list, or all of them, where the page leaves it without a name."""
    french = locale == "fr"
    if all_rows:
        return _same("Sélectionner toutes les lignes" if french else "Select all rows")
    if _is_plural(subject, locale):
        thing = one_of(subject, "fr") if french else one_of(subject.removesuffix("s"), "en")
    else:
        thing = "une ligne" if french else "a row"
    return _same(f"{'Sélectionner' if french else 'Select'} {thing}")


def word_sign(meaning: str, label: str) -> Wording:
    """Word what a mere sign on a control does; the instruction shows the sign itself."""
    return Wording(sentence(meaning), f"{sentence(meaning)} ({label})")


def word_page(number: str, locale: Locale) -> Wording:
    """Word what one number of a list of pages does."""
    return _same(f"Aller à la page {number}" if locale == "fr" else f"Go to page {number}")


def _field(element: ElementContext, action: ActionType, label: str, locale: Locale) -> Wording:
    if _is_instruction(label, locale):
        return _same(sentence(spoken(label)))
    # A technical name is no grammar: it is shown as it is.
    worded = element.label or element.placeholder or element.column
    name = named(label, locale) if worded else quote(label, locale)
    quoted = name[:1] in "«“"
    concepts = lexicon().concepts_in(label)
    french = locale == "fr"
    if bound := bound_name(element, locale):
        return _same(f"{_field_verb(element, action, locale, quoted=False)} {bound}")
    if "search" in concepts:
        return _same("Rechercher dans la page" if french else "Search this page")
    if element.type == "search" or element.role == "searchbox":
        return _same(f"Rechercher avec {name}" if french else f"Search with {name}")
    verb = _field_verb(element, action, locale, quoted=quoted)
    goal = title = f"{verb} {name}"
    if action == "select" and is_filter(element):
        goal = f"Filtrer par {inside(label)}" if french else f"Filter by {name if quoted else inside(label)}"
    elif concepts & _APPLIED and action == "input" and not quoted:
        goal = f"{'Appliquer' if french else 'Apply'} {one_of(without_aside(label), locale)}"
    return Wording(goal, title)


def _is_instruction(label: str, locale: Locale) -> bool:
    """A field's name is an order only when it cannot be a noun: *Rechercher un client*, not *Comment* or *Note*."""
    parts = words(label)
    if not opens_with_verb(label, locale) or lexicon().names_thing(parts[0], locale):
        return False
    return len(parts) > 1 or locale == "fr" or parts[0] in ("search", "filter", "find")


def _field_verb(element: ElementContext, action: ActionType, locale: Locale, *, quoted: bool) -> str:
    if element.type == "file":
        french, english = "Joindre", "Attach"
    elif action == "select" or element.type in _DATE_TYPES:
        french, english = "Choisir", "Choose"
    elif quoted:
        french, english = "Remplir", "Fill in"
    else:
        french, english = "Saisir", "Enter"
    return french if locale == "fr" else english


def _same(text: str) -> Wording:
    return Wording(text, text)


def _check(element: ElementContext, label: str, locale: Locale) -> Wording:
    text = quote(label, locale)
    if element.type == "radio" or element.role in ("radio", "menuitemradio"):
        title = f"Choisir {text}" if locale == "fr" else f"Choose {text}"
        group = clean_label(element.group)
        where = (f" pour {quote(group, 'fr')}" if locale == "fr" else f" for {quote(group, 'en')}") if group else ""
        return Wording(title + where, title)
    if element.role == "switch":
        title = f"Activer {text}" if locale == "fr" else f"Turn on {text}"
    else:
        title = f"Cocher {text}" if locale == "fr" else f"Tick {text}"
    return Wording(title, title)


def _press(element: ElementContext, label: str, locale: Locale, subject: str) -> Wording:
    french = locale == "fr"
    text = quote(label, locale)
    if element.role == "tab":
        return _same(f"Ouvrir l’onglet {text}" if french else f"Open the {text} tab")
    if element.tag == "summary" and not opens_with_verb(label, locale):
        return _same(f"Afficher {text}" if french else f"Show {text}")
    if element.row:
        return _row_action(label, locale, subject)
    if _is_creation(label, locale):
        thing = (_NEW_FR if french else _NEW_EN).sub("", spoken(label))
        return _same(f"{'Créer' if french else 'Create'} {one_of(thing, locale)}")
    if opens_with_verb(label, locale):
        title = sentence(spoken(label).replace("'", "’"))
        return Wording(_with_object(spoken(label), title, locale, subject), title)
    return _same(f"{'Ouvrir' if french else 'Open'} {named(label, locale)}")


def _unnamed(element: ElementContext, locale: Locale) -> Wording:
    """A button without a word is told by where it stands."""
    title = "Utiliser le bouton sans nom" if locale == "fr" else "Use the button without a name"
    of = "de" if locale == "fr" else "of"
    return Wording(f"{title} {of} {quote(element.heading, locale)}" if element.heading else title, title)


def _with_object(label: str, title: str, locale: Locale, subject: str) -> str:
    """Complete an order that leaves its object to the page: *Exporter en CSV*, *Save*."""
    bare = (_BARE_OBJECT_FR if locale == "fr" else _BARE_OBJECT_EN).match(label)
    if bare and _is_plural(subject, locale):
        return sentence(f"{bare[1]} {named(subject, locale)}{bare[2]}")
    return _BARE_SAVES.get(fold(label), title)


def _row_action(label: str, locale: Locale, subject: str) -> Wording:
    verb = label if opens_with_verb(label, locale) and len(label.split()) == 1 else ""
    if not verb and opens_with_verb(label, locale):
        return Wording(sentence(spoken(label)), sentence(spoken(label)))
    verb = verb or ("Ouvrir" if locale == "fr" else "Open")
    if _is_plural(subject, locale):
        thing = one_of(subject, "fr") if locale == "fr" else one_of(subject.removesuffix("s"), "en")
    else:
        thing = "un élément de la liste" if locale == "fr" else "an item of the list"
    goal = sentence(f"{verb.lower()} {thing}")
    return Wording(goal, goal)


def _is_creation(label: str, locale: Locale) -> bool:
    return bool((_NEW_FR if locale == "fr" else _NEW_EN).match(label))


def _is_plural(subject: str, locale: Locale) -> bool:
    if not subject or len(subject.split()) > 3:
        return False
    if locale == "en":
        return subject.lower().endswith("s") and named(subject, "en")[:1] != "“"
    noun = french_noun(subject)
    return noun is not None and noun.plural and named(subject, "fr")[:1] != "«"
