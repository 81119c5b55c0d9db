"""Learning a page: from its scan to the goals of its users."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.local.goals import (
    Wording,
    action_of,
    element_label,
    word_goal,
    word_page,
    word_row_box,
    word_sign,
    word_sorting,
)
from engine.local.lexicon import Spot, lexicon
from engine.local.naming import NBSP, clean_label, quote, row_name, sentence
from engine.local.sightings import in_head, worth_learning
from engine.local.states import state_of
from engine.local.text import STOP_WORDS, fold, stems, words
from engine.types import ActionType, ElementContext, Intent, Locale, Scan, SkillProposal

PROMPT_VERSION = "local.v1"
_ID_LENGTH = 40
_GOALS_IN_SUMMARY = 4
_SYNONYMS = 4
_TITLE_SEPARATOR = re.compile(r"\s+[|–—·-]\s+")
_ID_PREFIX: dict[ActionType, str] = {"select": "select_", "navigate": "go_to_", "check": "check_"}


def propose_skill(scan: Scan, *, locale: Locale) -> SkillProposal:
    """Name what users can do on the scanned page. Rows that nothing tells apart give one intent an action."""
    subject = page_subject(scan)
    intents: list[Intent] = []
    taken: set[str] = set()
    openers = {node.opener for node in scan.nodes}
    for node, element in worth_learning(scan, locale):
        action = action_of(node.tag, node.type, node.role, element_label(element), locale)
        wording = _worded(element, action, locale, subject=subject, opens=node.selector in openers, head=in_head(node))
        intent_id = _unique_id(element, action, wording, subject, taken)
        taken.add(intent_id)
        intent = Intent(
            intent_id=intent_id,
            user_goal=wording.goal,
            selector=node.selector,
            fallback_selector=node.fallback_selector,
            action_type=action,
            element=element,
            synonyms=synonyms_of(element_label(element), wording.goal, locale),
            fingerprint=node.fingerprint,
        )
        intents.append(_with_both_ways(intent, locale))
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


def _worded(
    element: ElementContext, action: ActionType, locale: Locale, *, subject: str, opens: bool, head: bool
) -> Wording:
    label = element_label(element)
    if element.role == "columnheader":
        return word_sorting(label, locale)
    if action == "check" and element.row and not (element.label or element.placeholder or element.column):
        return word_row_box(locale, subject=subject, all_rows=head)
    if not any(char.isalnum() for char in label) and (meant := lexicon().of_label(label)):
        # A sign is worded as what it does: *×* is *Fermer*.
        return word_sign(lexicon().concepts[meant[0]].wording[locale][0], label)
    # A number that opens something is a badge; one that leads on is a page.
    if label.isdigit() and action in ("navigate", "click") and not element.row and not opens:
        return word_page(label, locale)
    return word_goal(element, action, locale, subject=subject)


def page_subject(scan: Scan) -> str:
    """What the page is about: its first h1, else its name, else the first part of its title."""
    first = next((node.label for node in scan.nodes if node.tag == "h1" and node.label), "")
    return clean_label(first) or scan.name or clean_label(_TITLE_SEPARATOR.split(scan.page_title)[0])


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


def _with_both_ways(intent: Intent, locale: Locale) -> Intent:
    """A box that is named after a state (*Actif*) is also how people *activate* and *deactivate*."""
    state = state_of(intent)
    if state is None:
        return intent
    concepts = lexicon().concepts
    ways = [concepts[name].wording[locale][0] for name in sorted(state.proper) if name in concepts]
    return replace(intent, synonyms=tuple(dict.fromkeys((*ways, *intent.synonyms)))[:_SYNONYMS])


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


def _unique_id(element: ElementContext, action: ActionType, wording: Wording, subject: str, taken: set[str]) -> str:
    label = wording.goal if element.row and action in ("click", "navigate", "submit") else element_label(element)
    stem = _slug(label) or _slug(wording.goal) or element.tag
    going = action == "navigate" and not wording.goal.startswith(("Aller", "Go to"))
    candidates = [stem if going else _ID_PREFIX.get(action, "") + stem]
    for context in (element.row, *_places(element)):
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
    """Add where an element stands to goals that would read the same; of equal rows the first speaks for all."""
    alike: dict[str, list[ElementContext]] = defaultdict(list)
    for intent in intents:
        alike[intent.user_goal].append(intent.element)
    seen: set[str] = set()
    for intent in intents:
        goal, element = intent.user_goal, intent.element
        where = next((text for text in _places(element) if text), "")
        if element.row and len({other.column for other in alike[goal]}) == 1:
            where = element.row if goal in seen else ""
        seen.add(goal)
        name = row_name(where) if len(alike[goal]) > 1 else ""
        if name:
            yield replace(intent, user_goal=f"{goal} ({quote(name, locale)})")
        else:
            yield intent
