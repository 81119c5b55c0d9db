"""What a prompt offers of a page: as many elements as its tokens allow, each part of the page and each table told once.

12 Exporter                         an element, `_` after a field, `[]` after a box, `(a/b)` after a list
# Filtres                           a part of the page, above what stands in it
#13 Compte                          what opens a menu, a tab or a window, above what it shows
# Produits, each row: a Modifier    a table and what its rows have: `20a` is *Modifier* in row 20
20 Tasse en grès, b Maison Orée     a row, and what it alone has; `20` is what bears its name
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import count
from string import ascii_letters

from engine.compact import as_data, options_of, tokens_of
from engine.local.goals import element_label
from engine.local.planning import rank_intents
from engine.local.text import fold
from engine.remote.tables import Cell, Table, tables_of
from engine.types import ElementContext, Intent, Locale, Page

_LABEL_LENGTH = 30
_PLACE_LENGTH = 24
_OPTIONS, _OPTION_LENGTH = 3, 16
_AROUND = ("navigation", "banner", "contentinfo")
_SIGNS = {"input": " _", "check": " []"}
_REFERENCE = re.compile(r"\[|\S*\d")
_EACH_ROW: dict[Locale, str] = {"fr": "chaque ligne", "en": "each row"}
# So many of the best ranked come first; the order of the others says little of the question.
_RANKED = 24
_BEST, _BESIDE = 3, 4
# What a line costs beside its words: the new line, its number, a heading's sign.
_LINE_TOKENS = 2
_HEADING_TOKENS = 3


@dataclass(frozen=True, slots=True)
class Listing:
    """The lines of a prompt, and the intents behind the ids that they show."""

    lines: tuple[str, ...]
    by_short_id: dict[str, Intent]


def listing(question: str, page: Page, *, locale: Locale, most_tokens: int) -> Listing:
    """List what may answer a question under short ids, in the page's order.

    All of a small page; of a larger one what ranks best, then of each part its best, for as long as `most_tokens`
    last. What reveals an element stands above it.
    """
    choice = _Choice(page, locale, most_tokens)
    for intent in _by_use(question, page):
        choice.take(intent)
    return _Written(choice).listing()


def _by_use(question: str, page: Page) -> Iterator[Intent]:
    """The page's intents, the likeliest first: the best ranked, then what stands beside the very best (a plan goes on
    there), then the best of each part of the page in turn; its content before what stands around it."""
    ranked = [entry.intent for entry in rank_intents(question, page)]
    yield from ranked[:_RANKED]
    turns: dict[str, Iterator[int]] = defaultdict(count)
    best = [intent.element.position for intent in ranked[:_BEST]]
    later: list[tuple[bool, bool, bool, int, int]] = []
    for place, intent in enumerate(ranked[_RANKED:], start=_RANKED):
        element = intent.element
        is_around = _is_around(element)
        part = element.opener or element.group or element.form or element.heading
        is_far = all(abs(element.position - position) > _BESIDE for position in best)
        later.append((is_around, is_around and element.closed, is_far, next(turns[part]), place))
    for *_, place in sorted(later):
        yield ranked[place]


def _is_around(element: ElementContext) -> bool:
    """Tell whether an element is of what stands around every page: menus, footers, a sidebar without headings."""
    part = element.group or element.form or element.heading
    return element.landmark in _AROUND or (element.landmark not in ("", "main") and not part)


class _Choice:
    """What the tokens have allowed so far."""

    def __init__(self, page: Page, locale: Locale, most_tokens: int) -> None:
        self.page = page
        self.each_row = _EACH_ROW[locale]
        self.tables, self.cells = tables_of(page)
        self.single: set[str] = set()
        self.rows: dict[int, set[str]] = defaultdict(set)
        self.slots: dict[int, set[str]] = defaultdict(set)
        self._by_selector = {intent.selector: intent for intent in page.intents}
        # A row of headers tells nothing that its elements do not.
        self._heads = {fold(one.element.label) for one in page.intents if one.element.role == "columnheader"}
        self._places: set[tuple[str, str]] = set()
        self._left = most_tokens

    def take(self, intent: Intent) -> None:
        """Choose one more, with all that its line needs, if there are tokens for it."""
        cell = self.cells.get(intent.intent_id)
        cost = self._cost_of_cell(cell) if cell else self._cost_of_single(intent)
        if intent.intent_id in self.single or cost > self._left:
            return
        self._left -= cost
        if cell:
            self.rows[cell.table].add(cell.row)
            self.slots[cell.table].add(cell.slot)
            return
        opener = self.opener_of(intent)
        self.single |= {one.intent_id for one in (intent, opener) if one and one.intent_id not in self.cells}
        self._places.add(self.place_of(intent))

    def opener_of(self, intent: Intent) -> Intent | None:
        """What reveals an element, where that is an intent itself."""
        opener = self._by_selector.get(intent.element.opener) if intent.element.opener else None
        return None if opener is intent else opener

    def part_of(self, intent: Intent) -> str:
        """The words above an element: what opens it, or its part of the page, and the row that it alone is in."""
        element, opener = intent.element, self.opener_of(intent)
        part = entry(opener) if opener else element.group or element.form or element.heading
        said = [_cut(part, _PLACE_LENGTH)] if part and (opener or part != self.page.name) else []
        if row := _cut(element.row, _PLACE_LENGTH):
            name = fold(element_label(element))
            if _REFERENCE.match(row):
                # Of rows that a reference tells apart, one was learnt for all.
                said.append(f"{self.each_row} ({row})")
            elif fold(element.row) not in self._heads and not (name and name in fold(element.row)):
                said.append(row)
        return " · ".join(said)

    def place_of(self, intent: Intent) -> tuple[str, str]:
        """What tells an element's part from any other: two menus may have one label."""
        opener = self.opener_of(intent)
        return opener.intent_id if opener else "", self.part_of(intent)

    def _cost_of_single(self, intent: Intent) -> int:
        cost, part, opener = _LINE_TOKENS + tokens_of(entry(intent)), self.part_of(intent), self.opener_of(intent)
        if self.place_of(intent) in self._places or not part:
            return cost
        # The line that an opener has already becomes the heading.
        return cost + 1 if opener and opener.intent_id in self.single else cost + _HEADING_TOKENS + tokens_of(part)

    def _cost_of_cell(self, cell: Cell) -> int:
        table, rows, slots = self.tables[cell.table], self.rows[cell.table], self.slots[cell.table]
        cost = 0 if rows else 2 * _HEADING_TOKENS + tokens_of(_cut(table.place, _PLACE_LENGTH))
        if cell.row not in rows:
            cost += _LINE_TOKENS + tokens_of(" ".join(_row_names(table, cell.row, slots)))
        if cell.slot in table.varied and cell.slot not in slots:
            told = (_cell_name(table, row, cell.slot) for row in (*rows, cell.row))
            cost += sum(_LINE_TOKENS + tokens_of(name) for name in told if name)
        elif cell.slot not in slots and cell.slot != table.main:
            cost += _LINE_TOKENS + tokens_of(entry(table.slots[cell.slot]))
        return cost


class _Written:
    """A choice as lines: ids count up from 1 as the page goes on."""

    def __init__(self, choice: _Choice) -> None:
        self._choice = choice
        self._by_short_id: dict[str, Intent] = {}
        self._numbers = count(1)

    def listing(self) -> Listing:
        """The lines, part after part, and what their ids mean."""
        choice = self._choice
        single = [intent for intent in choice.page.intents if intent.intent_id in choice.single]
        openers = {opener.intent_id for intent in single if (opener := choice.opener_of(intent)) is not None}
        # A menu with nothing but menus in it is a line: no heading of its own would follow.
        heads = {
            opener.intent_id
            for intent in single
            if intent.intent_id not in openers and (opener := choice.opener_of(intent)) is not None
        }
        parts: dict[tuple[str, str], list[str]] = {}
        for intent in choice.page.intents:
            cell = choice.cells.get(intent.intent_id)
            if cell is not None:
                place = ("", f"table {cell.table}")
                if place not in parts and choice.rows[cell.table]:
                    parts[place] = self._table(cell.table)
            elif intent.intent_id in choice.single and intent.intent_id not in heads:
                place = choice.place_of(intent)
                if place not in parts:
                    parts[place] = self._heading(intent, choice.part_of(intent))
                parts[place].append(f"{self._id_of(intent)} {entry(intent)}")
        return Listing(tuple(line for lines in parts.values() for line in lines), self._by_short_id)

    def _heading(self, intent: Intent, part: str) -> list[str]:
        opener = self._choice.opener_of(intent)
        if opener is not None and opener.intent_id in self._choice.single and opener not in self._by_short_id.values():
            return [f"#{self._id_of(opener)} {part}"]
        return [f"# {part}"] if part else []

    def _table(self, number: int) -> list[str]:
        table, rows, slots = self._choice.tables[number], self._choice.rows[number], self._choice.slots[number]
        others = [slot for slot in table.slots if slot in slots and slot != table.main]
        letters = dict(zip(others, ascii_letters, strict=False))
        shared = ", ".join(f"{a} {entry(table.slots[slot])}" for slot, a in letters.items() if slot not in table.varied)
        place = ", ".join(text for text in (_cut(table.place, _PLACE_LENGTH), self._choice.each_row) if text)
        lines = [f"# {place}: {shared}" if shared else f"# {place}"]
        for row in dict.fromkeys(row for row, _ in table.cells):
            if row not in rows:
                continue
            short_id = str(next(self._numbers))
            if (row, table.main) in table.cells:
                self._by_short_id[short_id] = table.cells[row, table.main]
            said = list(dict.fromkeys(_row_names(table, row, {table.main})))
            for slot, letter in letters.items():
                if (row, slot) in table.cells:
                    self._by_short_id[short_id + letter] = table.cells[row, slot]
                    said += [f"{letter} {_cell_name(table, row, slot)}"] if slot in table.varied else []
            lines.append(f"{short_id} {', '.join(said)}")
        return lines

    def _id_of(self, intent: Intent) -> str:
        short_id = str(next(self._numbers))
        self._by_short_id[short_id] = intent
        return short_id


def entry(intent: Intent) -> str:
    """An element in as few words as tell it: its label, and by a sign how it is used."""
    label = element_label(intent.element) or intent.user_goal
    return _cut(label, _LABEL_LENGTH) + (
        options_of(intent, most=_OPTIONS, length=_OPTION_LENGTH) or _SIGNS.get(intent.action_type, "")
    )


def _row_names(table: Table, row: str, slots: Collection[str]) -> list[str]:
    """A row's own words, then what it names in those of the slots that are called differently in each row."""
    names = (_cell_name(table, row, slot) for slot in table.slots if slot in slots and slot in table.varied)
    return [_cut(row, _PLACE_LENGTH), *(name for name in names if name)]


def _cell_name(table: Table, row: str, slot: str) -> str:
    cell = table.cells.get((row, slot))
    return _cut(element_label(cell.element), _PLACE_LENGTH) if cell else ""


def _cut(text: str, length: int) -> str:
    """A page's words for a prompt, at most so long, whole words if possible."""
    text = as_data(text)
    if len(text) <= length:
        return text
    head, _, _ = text[: length + 1].rpartition(" ")
    return head if len(head) > length // 2 else text[:length]
