"""Learning a page: from its scan to the goals of its users."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.local.goals import Wording, action_of, element_label, opens_with_verb, word_goal
from engine.local.lexicon import Spot, lexicon
from engine.local.naming import NBSP, clean_label, quote, sentence
from engine.local.text import STOP_WORDS, fold, stems, words
from engine.types import ActionType, ElementContext, Intent, Locale, Scan, ScanNode, SkillProposal

PROMPT_VERSION = "local.v1"
_ID_LENGTH = 40
_GOALS_IN_SUMMARY = 4
_SYNONYMS = 4
_TITLE_SEPARATOR = re.compile(r"\s+[|–—·-]\s+")
_REFERENCE = re.compile(r"\d")
_SKIP_LINK = re.compile(r"^(?:aller|passer|acceder|sauter)\b.*\b(?:contenu|menu|recherche|navigation)|^skip\b")
_ID_PREFIX: dict[ActionType, str] = {"select": "select_", "navigate": "go_to_", "check": "check_"}


def propose_skill(scan: Scan, *, locale: Locale) -> SkillProposal:
    """Name what users can do on the scanned page. Rows of a table that repeat an action give one intent."""
    subject = page_subject(scan)
    intents: list[Intent] = []
    taken: set[str] = set()
    for position, node in _worth_learning(scan, locale):
        element = context_of(node, position)
        action = action_of(node.tag, node.type, node.role, element_label(element), locale)
        wording = word_goal(element, action, locale, subject=subject)
        intent_id = _unique_id(element, action, wording, subject, taken)
        taken.add(intent_id)
        intents.append(
            Intent(
                intent_id=intent_id,
                user_goal=wording.goal,
                selector=node.selector,
                fallback_selector=node.fallback_selector,
                action_type=action,
                element=element,
                synonyms=synonyms_of(element_label(element), wording.goal, locale),
                fingerprint=node.fingerprint,
            )
        )
    told_apart = tuple(_tell_apart(intents, locale))
    name = scan.name or subject or scan.url_pattern
    return SkillProposal(
        name=name,
        summary=summarize(name, told_apart, locale),
        intents=told_apart,
        dropped=0,
        provider="local",
        model="",
        prompt_version=PROMPT_VERSION,
    )


def page_subject(scan: Scan) -> str:
    """What the page is about: its first h1, else its name, else the first part of its title."""
    first = next((node.label for node in scan.nodes if node.tag == "h1" and node.label), "")
    return clean_label(first) or scan.name or clean_label(_TITLE_SEPARATOR.split(scan.page_title)[0])


def context_of(node: ScanNode, position: int) -> ElementContext:
    """Keep of a node what helps to find and to describe it."""
    return ElementContext(
        tag=node.tag,
        type=node.type,
        role=node.role,
        label=node.label,
        placeholder=node.placeholder,
        name=node.name,
        heading=node.heading,
        form=node.form,
        group=node.group,
        row=node.row,
        column=node.column,
        options=node.options,
        required=node.required,
        closed=node.closed,
        opener=node.opener,
        position=position,
    )


def synonyms_of(label: str, goal: str, locale: Locale) -> tuple[str, ...]:
    """Other words that users have for the label's main thing, in `locale`."""
    known = {stem for word in words(f"{label} {goal}") for stem in stems(word)}
    said = words(label)
    spots = [spot for spot in lexicon().spots(said) if not spot.concept.is_action]
    spots.sort(key=lambda spot: " ".join(said[spot.start : spot.start + spot.length]) not in _folded(spot, locale))
    for spot in spots:
        others = [
            wording
            for wording in spot.concept.wording[locale]
            if len(wording) > 2 and not any(stems(word) & known for word in words(wording))
        ]
        if others:
            return tuple(others[:_SYNONYMS])
    return ()


def _folded(spot: Spot, locale: Locale) -> set[str]:
    return {" ".join(words(wording)) for wording in spot.concept.wording[locale]}


def summarize(name: str, intents: Sequence[Intent], locale: Locale) -> str:
    """Say in one sentence what the page is for, from its weightiest goals: neither those of every page, nor closed."""
    own = [i for i in intents if (i.element.heading or i.element.form) and not i.element.closed]
    intents = own or intents
    fields = [i for i in intents if i.action_type in ("input", "select", "check") and not i.element.row]
    presses = [i for i in intents if i.action_type in ("submit", "click") and not i.element.row]
    rows = [i for i in intents if i.element.row and not i.element.form]
    is_form = len(fields) >= 3 and any(i.action_type == "submit" for i in presses) and not rows
    ordered = sorted(fields, key=lambda i: not i.element.required)[: _GOALS_IN_SUMMARY - 1] if is_form else presses
    ordered += sorted(presses, key=_weight) if is_form else [*rows, *fields]
    chosen = [i for i in dict.fromkeys(ordered) if i.user_goal][:_GOALS_IN_SUMMARY] or list(intents[:_GOALS_IN_SUMMARY])
    goals = _joined([intent.user_goal[:1].lower() + intent.user_goal[1:] for intent in chosen], locale)
    if locale == "fr":
        kind = "Formulaire" if is_form else "Liste" if rows else "Page"
        # *Liste des clients* says already that it is a list.
        called = sentence(name) if fold(name).startswith(fold(kind)) else f"{kind} {quote(name, 'fr')}"
        return f"{called}{NBSP}: {goals}." if goals else f"{called}."
    kind = "form" if is_form else "list" if rows else "page"
    return f"The {quote(name, 'en')} {kind}: {goals}." if goals else f"The {quote(name, 'en')} {kind}."


def _weight(intent: Intent) -> tuple[bool, int]:
    return (intent.action_type != "submit", -intent.element.position)


def _joined(parts: Sequence[str], locale: Locale) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {'et' if locale == 'fr' else 'and'} {parts[-1]}"


def _worth_learning(scan: Scan, locale: Locale) -> Iterable[tuple[int, ScanNode]]:
    seen: set[tuple[str, ...]] = set()
    for position, node in enumerate(scan.nodes, start=1):
        if not node.is_interactive or not node.selector or node.tag == "form":
            continue
        label = element_label(context_of(node, position))
        # A skip link moves the reader of a screen, not the user of the application.
        if node.tag == "a" and _SKIP_LINK.search(fold(label)):
            continue
        if not any(char.isalpha() for char in label) and not (node.row and label):
            continue
        key = _likeness(node, label, locale)
        if key in seen:
            continue
        seen.add(key)
        yield position, node


def _likeness(node: ScanNode, label: str, locale: Locale) -> tuple[str, ...]:
    """Nodes with the same likeness are one goal: the same action in each row, the same link in header and footer."""
    if node.row:
        names_its_row = _REFERENCE.search(label) or (
            fold(label) in fold(node.row) and not opens_with_verb(label, locale)
        )
        own = "reference" if names_its_row and node.tag in ("a", "button") else fold(label)
        column = "" if own == "reference" else fold(node.column)
        return ("row", node.tag, node.type, node.role, node.heading, node.form, own, column)
    if action_of(node.tag, node.type, node.role, label, locale) == "navigate":
        return ("link", fold(label))
    return ("one", node.selector)


def _unique_id(element: ElementContext, action: ActionType, wording: Wording, subject: str, taken: set[str]) -> str:
    label = wording.goal if element.row and action in ("click", "navigate", "submit") else element_label(element)
    stem = _slug(label) or _slug(wording.goal) or element.tag
    going = action == "navigate" and not wording.goal.startswith(("Aller", "Go to"))
    candidates = [stem if going else _ID_PREFIX.get(action, "") + stem]
    for context in _places(element):
        if context and context != subject and _slug(context):
            candidates.append(f"{candidates[0]}_{_slug(context)}"[: _ID_LENGTH + 20])
    for candidate in candidates:
        if candidate not in taken:
            return candidate
    number = 2
    while f"{candidates[0]}_{number}" in taken:
        number += 1
    return f"{candidates[0]}_{number}"


def _slug(text: str) -> str:
    parts = [word for word in words(text) if word.isascii() and word != "%"]
    kept = [word for word in parts if word not in STOP_WORDS] or parts
    slug = ""
    for word in kept:
        longer = f"{slug}_{word}" if slug else word[:_ID_LENGTH]
        if len(longer) > _ID_LENGTH:
            break
        slug = longer
    return slug


def _places(element: ElementContext) -> tuple[str, ...]:
    """Where an element stands, from the nearest to the widest."""
    return (element.column, element.group, element.form, element.heading)


def _tell_apart(intents: Sequence[Intent], locale: Locale) -> Iterable[Intent]:
    """Add where an element stands to goals that would read the same."""
    counts = Counter(intent.user_goal for intent in intents)
    for intent in intents:
        where = next((text for text in _places(intent.element) if text), "")
        if counts[intent.user_goal] > 1 and where:
            yield replace(intent, user_goal=f"{intent.user_goal} ({quote(clean_label(where), locale)})")
        else:
            yield intent
