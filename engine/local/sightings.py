"""Which nodes of a scan are worth learning, and what to call those that the page leaves without a name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from engine.local.goals import action_of, element_label, opens_with_verb
from engine.local.lexicon import lexicon
from engine.local.naming import clean_label
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
_TH = re.compile(r" > th(?::nth-of-type\(\d+\))?")
_LIKE_LINKS = ("a", "button")


def worth_learning(scan: Scan, locale: Locale) -> Iterator[tuple[ScanNode, ElementContext]]:
    """Give each node that people can use, once, with its context.

    Rows that their own words tell apart are kept one by one, up to a number; what a reference number alone tells apart,
    or nothing at all, is one goal. A nameless node stays when what it opens, or its technical name, says what it is.
    """
    opens = _opened(scan.nodes)
    pages = _pages(scan.nodes)
    names = _row_names(scan.nodes)
    heads = _head_rows(scan.nodes)
    technical = {(node.name.lower(), node.heading) for node in scan.nodes if node.name and node.label}
    drawn = _drawn_lists(scan.nodes)
    seen: set[tuple[str, ...]] = set()
    rows: Counter[tuple[str, ...]] = Counter()
    for position, node in enumerate(scan.nodes, start=1):
        if not node.is_interactive or not node.selector or node.tag == "form" or node.id in drawn.values():
            continue
        element = _named(node, context_of(node, position, head=_is_head(node) or node.row in heads), opens)
        if node.id in drawn:
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
        if not named and node.selector not in opens and node.selector not in pages:
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
    """Lists that a script draws as a nameless frame around what shows the choice: the inner node by the frame's id.
    Only the inner one has a technical name that says which list it is."""
    return {
        outer.id: inner.id
        for outer, inner in pairwise(nodes)
        if outer.role == "combobox"
        and inner.role == "textbox"
        and outer.tag == inner.tag
        and outer.tag not in ("input", "select", "textarea")
        and not outer.label
        and technical_words(inner.selector, ids=True)
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
    return any(" thead " in path for path in paths)


def _head_rows(nodes: Iterable[ScanNode]) -> frozenset[str]:
    """Rows with links in several header cells: the head of a table that has no `thead`."""
    cells: dict[str, set[str]] = defaultdict(set)
    for node in nodes:
        if node.row and node.is_interactive:
            paths = (node.selector, node.fallback_selector)
            cells[node.row] |= {match[0] for path in paths if (match := _TH.search(path))}
    return frozenset(row for row, found in cells.items() if len(found) > 1)


def _row_names(nodes: Iterable[ScanNode]) -> dict[str, str]:
    """The words that tell each row from others. None for a row that begins with a reference or with what was masked,
    nor for those that only a number tells apart (*Ligne 1*, *Ligne 2*)."""
    names: dict[str, str] = {}
    for row in {node.row for node in nodes if node.row.split()}:
        first = row.split(maxsplit=1)[0]
        if any(char.isalpha() for char in first) and not _NUMBER.search(first) and first[0] != "[":
            names[row] = " ".join(_NUMBER.sub("", fold(row)).split())
    shared = Counter(names.values())
    return {row: name for row, name in names.items() if name and shared[name] == 1}


def _named(node: ScanNode, element: ElementContext, opens: dict[str, list[ScanNode]]) -> ElementContext:
    """Call a nameless node by its technical name, unless what it opens says more."""
    if element_label(element) or node.selector in opens:
        return element
    return replace(element, name=" ".join(technical_words(node.selector, ids=True)))


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
        return ("link", fold(label), fold(place), node.opener)
    return ("one", node.selector)
