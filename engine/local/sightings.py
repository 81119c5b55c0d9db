"""Which nodes of a scan are worth learning, and what to call those that the page leaves without a name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from engine.local.goals import action_of, element_label, is_unnamed_button, opens_with_verb
from engine.local.icons import meaning_of, picture_in
from engine.local.lexicon import lexicon
from engine.local.naming import clean_label, row_name
from engine.local.technical import technical_words
from engine.local.text import fold
from engine.types import ElementContext, Locale, Scan, ScanNode

_MOST_ROWS = 25
_MOST_PAGES = 12
_NUMBER = re.compile(r"\d+")
_SKIP_LINK = re.compile(r"^(?:aller|passer|acceder|sauter)\b.*\b(?:contenu|menu|recherche|navigation)|^skip\b")
# What tables with scripts add to a header for readers of a screen.
_SORT_ASIDE = re.compile(r"\s*:\s*(?:activate to sort|activer pour trier).*$", re.IGNORECASE)
_SORTS_BY_ADDRESS = re.compile(r"""href[*^$]?=["'][^"']*[?&](?:sort|sort_by|order|order_by|ordering|tri|o)=""")
_SUMMARY = " > summary"
_TH = re.compile(r" > th(?::nth-of-type\(\d+\))?")
_LIKE_LINKS = ("a", "button")
_ALL_ROWS = frozenset(("select_all", "selectall", "select-all", "check_all", "checkall", "toggle_all", "action-toggle"))


def worth_learning(scan: Scan, locale: Locale) -> Iterator[tuple[ScanNode, ElementContext]]:
    """Give each node that people can use, once, with its context.

    Rows that their own words or a reference tell apart are kept one by one, up to a number; those that nothing tells
    apart are one goal. A nameless node stays when what it opens, its technical name or the heading that it stands under
    says what it is.
    """
    opens = _opened(scan.nodes)
    pages = _pages(scan.nodes)
    names = _row_names(scan.nodes)
    heads = _head_rows(scan.nodes)
    technical = {(node.name.lower(), node.heading) for node in scan.nodes if node.name and node.label}
    drawn = _drawn_lists(scan.nodes)
    folds = _folding_parts(scan.nodes)
    seen: set[tuple[str, ...]] = set()
    rows: Counter[tuple[str, ...]] = Counter()
    for position, node in enumerate(scan.nodes, start=1):
        if not node.is_interactive or not node.selector or node.tag == "form" or node.id in drawn.values():
            continue
        element = _named(node, context_of(node, position, head=_is_head(node) or node.row in heads), opens, locale)
        if not element.group and (part := _part_of(node, folds)):
            element = replace(element, group=part)
        if node.id in drawn and not element.label:
            inner = next(one for one in scan.nodes if one.id == drawn[node.id])
            element = replace(element, name=" ".join(technical_words(inner.selector, ids=True)))
        label = element_label(element)
        if not node.label and not node.placeholder and (element.name, element.heading) in technical:
            # What a script drew beside a field that is there already.
            continue
        # A skip link moves the reader of a screen, not the user of the application.
        if node.tag == "a" and _SKIP_LINK.search(fold(label)):
            continue
        named = any(char.isalpha() for char in label) or (node.row and label) or lexicon().of_label(label)
        is_known = named or node.selector in opens or node.selector in pages
        if not is_known and not (is_unnamed_button(element) and element.heading):
            continue
        name = names.get(element.row, "")
        key = _likeness(node, element, label, name, locale)
        if key in seen:
            continue
        seen.add(key)
        if name:
            alike = (*key[:-1], "")
            rows[alike] += 1
            if rows[alike] > _MOST_ROWS:
                continue
        yield node, element


def _drawn_lists(nodes: Sequence[ScanNode]) -> dict[str, str]:
    """Lists that a script draws as a frame around what shows the choice: the inner node by the frame's id.

    Where the page has no word for either, only the inner one has a technical name that says which list it is."""
    return {
        outer.id: inner.id
        for outer, inner in pairwise(nodes)
        if outer.role == "combobox"
        and inner.role == "textbox"
        and outer.tag == inner.tag
        and outer.tag not in ("input", "select", "textarea")
        and outer.label == inner.label
        and (outer.label or technical_words(inner.selector, ids=True))
    }


def context_of(node: ScanNode, position: int, *, head: bool) -> ElementContext:
    """Keep of a node what helps to find and to describe it. The `head` of a table's column is in no row."""
    head = head and node.type not in ("checkbox", "radio", "submit") and bool(node.label)
    return ElementContext(
        tag=node.tag,
        type=node.type,
        role="columnheader" if head else node.role,
        label=_SORT_ASIDE.sub("", node.label) if head else node.label,
        placeholder=node.placeholder,
        name=node.name,
        heading=node.heading,
        form=node.form,
        group=node.group,
        row="" if head else node.row,
        column=node.column,
        landmark=node.landmark,
        options=node.options,
        required=node.required,
        closed=node.closed,
        opener=node.opener,
        position=position,
    )


def _is_head(node: ScanNode) -> bool:
    """Tell whether the node heads a column and sorts by it, from its role, its address or its place."""
    if node.tag not in ("a", "button", "th", "span", "div"):
        return False
    paths = (node.selector, node.fallback_selector)
    if node.role == "columnheader" or any(_SORTS_BY_ADDRESS.search(path) for path in paths):
        return True
    return in_head(node)


def in_head(node: ScanNode) -> bool:
    """Tell whether the node is in the head of a table, from its place or from what its developer called it."""
    paths = (node.selector, node.fallback_selector)
    return any(" thead " in path for path in paths) or node.name in _ALL_ROWS


def _head_rows(nodes: Iterable[ScanNode]) -> frozenset[str]:
    """Rows with links in several header cells: the head of a table that has no `thead`."""
    cells: dict[str, set[str]] = defaultdict(set)
    for node in nodes:
        if node.row and node.is_interactive:
            paths = (node.selector, node.fallback_selector)
            cells[node.row] |= {match[0] for path in paths if (match := _TH.search(path))}
    return frozenset(row for row, found in cells.items() if len(found) > 1)


def _row_names(nodes: Iterable[ScanNode]) -> dict[str, str]:
    """The words, or the reference that it begins with, that tell each row from others. None for what was masked, nor
    for those that only a number after the same words tells apart (*Ligne 1*, *Ligne 2*)."""
    names: dict[str, str] = {}
    for row in {node.row for node in nodes}:
        text = fold(row_name(row))
        if any(char.isalnum() for char in text):
            is_reference = _NUMBER.search(text.split()[0])
            names[row] = text if is_reference else " ".join(_NUMBER.sub("", text).split())
    shared = Counter(names.values())
    return {row: name for row, name in names.items() if name and shared[name] == 1}


def _named(node: ScanNode, element: ElementContext, opens: dict[str, list[ScanNode]], locale: Locale) -> ElementContext:
    """Call a nameless node by its picture, else by its technical name, unless what it opens says more."""
    if meaning := meaning_of(element.name, locale):
        return replace(element, name=meaning)
    if picture := picture_in(element.name):
        element = replace(element, name="")
    if element_label(element) or node.selector in opens:
        return element
    return replace(element, name=" ".join(technical_words(node.selector, ids=True)) or picture.replace("-", " "))


def _folding_parts(nodes: Iterable[ScanNode]) -> dict[str, str]:
    """What each part that folds is called, by its path: *Par statut*, of the filters of a list."""
    return {
        path.removesuffix(_SUMMARY): clean_label(node.label)
        for node in nodes
        if node.tag == "summary" and node.label
        for path in (node.selector, node.fallback_selector)
        if path.endswith(_SUMMARY)
    }


def _part_of(node: ScanNode, folds: Mapping[str, str]) -> str:
    """The innermost of the parts that fold which the node stands in, whether it is open or not; never its own name."""
    if node.tag == "summary":
        return ""
    paths = (node.selector, node.fallback_selector)
    around = [path for path in folds if any(own.startswith(f"{path} > ") for own in paths)]
    return folds[max(around, key=len)] if around else ""


def _opened(nodes: Iterable[ScanNode]) -> dict[str, list[ScanNode]]:
    """The named nodes that each opener reveals."""
    opened: dict[str, list[ScanNode]] = defaultdict(list)
    for node in nodes:
        if node.opener and any(char.isalpha() for char in node.label):
            opened[node.opener].append(node)
    return opened


def _pages(nodes: Iterable[ScanNode]) -> frozenset[str]:
    """The links of a list of page numbers: one number is a badge, several in a row are pages."""
    numbered: dict[tuple[str, str, str], list[ScanNode]] = defaultdict(list)
    for node in nodes:
        if node.tag in _LIKE_LINKS and node.label.isdigit() and not node.row and not node.closed:
            numbered[node.heading, node.form, node.landmark].append(node)
    found = [group for group in numbered.values() if len(group) > 1 and _counts_up(group)]
    return frozenset(node.selector for group in found for node in (*group[: _MOST_PAGES - 1], group[-1]))


def _counts_up(group: list[ScanNode]) -> bool:
    numbers = [int(node.label) for node in group]
    return numbers == sorted(set(numbers)) and numbers[0] <= 3


def _likeness(node: ScanNode, element: ElementContext, label: str, name: str, locale: Locale) -> tuple[str, ...]:
    """Nodes with the same likeness are one goal: the same action in each row, the same link in header and footer."""
    if element.row:
        names_its_row = _NUMBER.search(label) or (fold(label) in fold(node.row) and not opens_with_verb(label, locale))
        own = "reference" if names_its_row and node.tag in _LIKE_LINKS else fold(label)
        column = "" if own == "reference" and not name else fold(node.column)
        own = fold(label) if name else own
        return ("row", node.tag, node.type, node.role, node.heading, node.form, own, column, name)
    if element.role != "columnheader" and action_of(node.tag, node.type, node.role, label, locale) == "navigate":
        # A link that only says *More* is another one under each heading.
        place = node.heading if len(clean_label(label).split()) <= 2 and node.landmark != "navigation" else ""
        return ("link", fold(label), fold(place), fold(element.group), node.opener)
    if is_unnamed_button(element) and not node.opener:
        return ("nameless", element.heading)
    return ("one", node.selector)
